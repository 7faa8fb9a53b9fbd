import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { clip, clips, joined, noise, sum } from '../../test/support/asr-audio.js';
import type { Word } from '../domain/understanding.js';
import { compressionRatio, coverage, edgeGuards, inventedPhrase, meanConfidence, textGuards, voicing, type Evidence } from './guards.js';
import { activityOf, frameLevels, highPass } from './levels.js';

/** Words of `text` spread evenly over [from, to) seconds. */
function spoken(text: string, from: number, to: number, confidence = 0.95): Word[] {
  const texts = text === '' ? [] : text.split(' ');
  const each = (to - from) / Math.max(1, texts.length);
  return texts.map((word, i) => ({ text: word, start: from + i * each, end: from + (i + 1) * each, confidence }));
}

/** Speech from the fixtures inside the given ranges of seconds, faint noise elsewhere. */
function audioWith(seconds: number, ...loud: [number, number][]): Float32Array {
  const out = noise(seconds, 0.0005);
  // without the quarters of a second at their ends
  const speech = joined(clips().map(({ samples }) => samples.subarray(4_500, -4_500)));
  for (const [from, to] of loud) for (let i = from * 16_000; i < to * 16_000; i++) out[i] = (out[i] ?? 0) + (speech[i] ?? 0);
  return out;
}

const evidence = (words: Word[], audio: Float32Array, more: Partial<Evidence> = {}): Evidence => ({
  words,
  tokens: words.length,
  activity: activityOf(frameLevels(audio)),
  audio,
  hitTokenLimit: false,
  doubted: false,
  ...more,
});

const reasons = (e: Evidence): string[] => textGuards(e).map((guard) => guard.reason);
const good = spoken('lufthansa four five kilo climb flight level one two zero', 0.3, 3.7);

describe('guards on text', () => {
  it('let a text through that fits its audio', () => {
    expect(reasons(evidence(good, audioWith(4, [0.3, 3.7])))).toEqual([]);
  });

  it('repetition: a loop', () => {
    expect(reasons(evidence(spoken('hold at hold at hold at hold at', 0.3, 3.7), audioWith(4, [0.3, 3.7])))).toContain('repetition');
  });

  it('repetition: a text that compresses like a loop, without being one word for word', () => {
    const text = Array.from({ length: 9 }, (_, i) => `cleared for the visual approach runway ${'one two three four five six seven eight nine'.split(' ')[i] ?? ''}`).join(' ');
    expect(compressionRatio(text)).toBeGreaterThan(2.4);
    expect(reasons(evidence(spoken(text, 0.3, 27), audioWith(28, [0.3, 27])))).toEqual(['repetition']);
  });

  it('too many tokens a second', () => {
    expect(reasons(evidence(good, audioWith(4, [0.3, 3.7]), { tokens: 50 }))).toEqual(['too-many-tokens-per-second']);
    expect(reasons(evidence(good, audioWith(4, [0.3, 3.7]), { tokens: 30 }))).toEqual([]);
  });

  it('text too long for the audio', () => {
    const text = 'speedbird one two nine descend flight level eight zero turn left heading two seven zero';
    expect(reasons(evidence(spoken(text, 0.1, 0.9), audioWith(1, [0.1, 0.9])))).toContain('text-too-long-for-audio');
    expect(reasons(evidence(spoken(text, 0.2, 4.8), audioWith(5, [0.2, 4.8])))).toEqual([]);
  });

  it('text too short for the audio: few words', () => {
    expect(reasons(evidence(spoken('roger', 0.3, 0.8), audioWith(9, [0.3, 8.5])))).toContain('text-too-short-for-audio');
  });

  it('text too short for the audio: speech level without words in between', () => {
    const words = [...spoken('speedbird one two nine', 0.3, 1.6), ...spoken('heading two seven zero', 6, 7.6)];
    const [guard] = textGuards(evidence(words, audioWith(8, [0.3, 7.6])));
    expect(guard?.reason).toBe('text-too-short-for-audio');
    expect(reasons(evidence(words, audioWith(8, [0.3, 1.6], [6, 7.6])))).toEqual([]);
  });

  it('no text: speech without text when something is there, no speech when nothing is', () => {
    expect(reasons(evidence([], audioWith(4, [0.3, 2.7])))).toEqual(['speech-without-text']);
    expect(reasons(evidence([], audioWith(4)))).toEqual(['no-speech']);
    expect(reasons(evidence([], audioWith(4, [0.3, 2.7]), { doubted: true }))).toEqual([]);
  });

  it('low confidence', () => {
    expect(reasons(evidence(spoken('descend four thousand feet', 0.3, 2, 0.4), audioWith(2.5, [0.3, 2])))).toEqual(['low-confidence']);
  });

  it('token limit', () => {
    expect(reasons(evidence(good, audioWith(4, [0.3, 3.7]), { hitTokenLimit: true }))).toEqual(['token-limit']);
  });

  it.each(['thank you', 'you', 'uh', 'bye'])('"%s" alone counts as invented on weak evidence only', (text) => {
    expect(inventedPhrase(text, true)).toBe(text);
    expect(inventedPhrase(text, false)).toBeUndefined();
    const audio = audioWith(2, [0.3, 1]);
    expect(reasons(evidence(spoken(text, 0.3, 1, 0.6), audio))).toContain('no-speech');
    expect(reasons(evidence(spoken(text, 0.3, 1, 0.95), audio))).toEqual([]);
  });

  it.each(['thanks for watching', 'thank you for watching', 'subtitles by the amara.org community', 'please subscribe', 'roger that thank you for watching', 'see you in the next video'])('"%s" counts as invented on any evidence', (text) => {
    expect(reasons(evidence(spoken(text, 0.3, 2.7, 0.99), audioWith(3, [0.3, 2.7])))).toContain('no-speech');
  });

  it.each(['thank you good day', 'contact tower thank you bye', 'roger thank you speedbird one two', 'watch for traffic', 'subject to the crossing aircraft'])('"%s" does not', (text) => {
    expect(inventedPhrase(text, true)).toBeUndefined();
  });

  it('name the figures', () => {
    for (const guard of textGuards(evidence(spoken('hold at hold at hold at hold at', 0.1, 0.3, 0.2), audioWith(0.5, [0.1, 0.3]), { tokens: 40, hitTokenLimit: true }))) expect(guard.detail).toMatch(/\d/u);
  });

  it('never trip less on less confidence', () => {
    fc.assert(
      fc.property(fc.float({ min: 0, max: 1, noNaN: true }), fc.float({ min: 0, max: 1, noNaN: true }), (a, b) => {
        const audio = audioWith(4, [0.3, 3.7]);
        const of = (confidence: number): string[] => reasons(evidence(good.map((word) => ({ ...word, confidence })), audio));
        const [low, high] = [of(Math.min(a, b)), of(Math.max(a, b))];
        for (const reason of high) expect(low).toContain(reason);
      }),
    );
  });
});

describe('coverage', () => {
  const words = spoken('heading two seven zero', 0.2, 1.6);
  const later = spoken('heading two seven zero', 8, 9.4);

  it('finds speech without words before the first, between two and after the last', () => {
    const audio = audioWith(10, [0.2, 9.8]);
    expect(coverage(later, audio).wordless?.from).toBe(0);
    expect(coverage([...words, ...later], audio).wordless?.to).toBe(8);
    expect(coverage(words, audio).wordless?.to).toBe(10);
  });

  it('takes neither a pause for speech, nor noise as loud as the words', () => {
    const audio = audioWith(10, [0.2, 1.6], [8, 9.4]);
    expect(coverage([...words, ...later], audio).wordless).toBeUndefined();
    audio.set(noise(5.5, 0.1), 2 * 16_000);
    expect(coverage([...words, ...later], audio).wordless).toBeUndefined();
  });

  it('has no wordless stretch when there are no words to compare with', () => {
    expect(coverage([], audioWith(5, [0, 5])).wordless).toBeUndefined();
  });
});

describe('mean confidence', () => {
  it('is 0 for no words and for words without one', () => {
    expect(meanConfidence([])).toBe(0);
    expect(meanConfidence([{ text: 'a' }, { text: 'b', confidence: 1 }])).toBe(0.5);
  });
});

describe('guards on the edges', () => {
  it('say nothing when there is a pause at both ends', () => {
    for (const { samples } of clips()) expect(edgeGuards(highPass(samples))).toEqual([]);
  });

  it('say nothing on noise, silence and very short audio', () => {
    for (const samples of [noise(3, 0.1), new Float32Array(48_000), new Float32Array(0), noise(0.1, 0.1)]) expect(edgeGuards(samples)).toEqual([]);
  });

  /** Start of the loudest voiced 40 ms in the given part of the recording: inside a word, by measurement of the audio alone. */
  function insideWord(samples: Float32Array, from: number, to: number): number {
    let best = 0;
    let at = 0;
    for (let i = Math.floor(from * samples.length); i < to * samples.length; i += 320) {
      const piece = samples.subarray(i, i + 640);
      const power = piece.reduce((total, x) => total + x * x, 0);
      if (power > best && voicing(piece) > 0.6) {
        best = power;
        at = i;
      }
    }
    return at;
  }

  it('notice a start and an end in the middle of a vowel, with noise below it', () => {
    for (const { samples } of clips()) {
      const noisy = highPass(sum(samples, noise(samples.length / 16_000, 0.02)));
      const start = insideWord(noisy, 0.2, 0.5);
      const end = insideWord(noisy, 0.5, 0.8) + 640;
      expect(edgeGuards(noisy.subarray(start)).map((guard) => guard.reason)).toEqual(['clipped-start']);
      expect(edgeGuards(noisy.subarray(0, end)).map((guard) => guard.reason)).toEqual(['clipped-end']);
    }
  });

  it('find a voice periodic and noise not', () => {
    expect(voicing(noise(0.04, 0.3))).toBeLessThan(0.45);
    const { samples } = clip('climb.wav');
    const at = insideWord(samples, 0.2, 0.8);
    expect(voicing(samples.subarray(at, at + 640))).toBeGreaterThan(0.6);
  });
});
