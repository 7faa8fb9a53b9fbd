import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { clip, clips, joined, MODEL_DIR, noise, sum, tone, wordErrorRate } from '../../test/support/asr-audio.js';
import { activityOf, frameLevels, highPass } from './levels.js';
import { openModelFolder } from './model-folder.js';
import { noSpeechOf, transcribe, type SpeechEvidence, type Transcript, type WindowReader } from './transcriber.js';
import { createWhisperReader } from './whisper-reader.js';
import { openWhisper } from './whisper.js';

let reader: WindowReader;
beforeAll(async () => {
  reader = createWhisperReader(await openWhisper(openModelFolder(MODEL_DIR), { provider: 'cpu', threads: 2 }));
});
afterAll(() => reader.close());

const read = (samples: Float32Array): Promise<Transcript> => transcribe(reader, samples);
const reasons = (transcript: Transcript): string[] => transcript.guards.map((guard) => guard.reason);

/** All fixtures and one again: about 22 seconds with short pauses. */
function longSpeech(): { samples: Float32Array; text: string } {
  const said = [...clips(), clip('tower.wav')];
  return { samples: joined(said.map(({ samples }) => samples)), text: said.map(({ text }) => text).join(' ') };
}

describe('transcribing', () => {
  it('writes what is said in the fixtures', async () => {
    const all: { text: string; got: Transcript }[] = [];
    for (const { text, samples } of clips()) all.push({ text, got: await read(samples) });
    const errors = all.map(({ text, got }) => wordErrorRate(text, got.text));
    expect(errors.reduce((total, rate) => total + rate, 0) / errors.length).toBeLessThan(0.1);
    for (const { got } of all) {
      expect(got.guards).toEqual([]);
      expect(got.noSpeechProbability).toBeLessThan(0.1);
      expect(got.confidence).toBeGreaterThan(0.8);
      expect(got.text).toBe(got.words.map((word) => word.text).join(' '));
      expect(got.milliseconds.total).toBeGreaterThanOrEqual(got.milliseconds.encode + got.milliseconds.decode);
    }
  });

  it('gives words times in order, inside the audio, that follow the speech', async () => {
    const first = clip('heading.wav');
    const second = clip('tower.wav');
    // 1.5 s of silence between two transmissions: their words must lie on their own sides
    const audio = joined([first.samples, second.samples], 1.5);
    const got = await read(audio);
    const boundary = first.samples.length / 16_000 + 0.75;
    expect(got.guards).toEqual([]);
    const words = got.words.map((word) => ({ ...word, start: word.start ?? -1, end: word.end ?? -1 }));
    for (let i = 1; i < words.length; i++) expect(words[i]?.start ?? 0).toBeGreaterThanOrEqual(words[i - 1]?.start ?? 0);
    for (const word of words) expect(word.end).toBeGreaterThan(word.start);
    expect(words.filter((word) => word.start < boundary).map((word) => word.text)).toEqual(first.text.split(' '));
    expect(words.filter((word) => word.start >= boundary).map((word) => word.text)).toEqual(second.text.split(' '));
    // a quarter of a second lies before each
    expect(words[0]?.start).toBeGreaterThan(0.1);
    expect(Math.abs((words[first.text.split(' ').length]?.start ?? 0) - (boundary + 0.75 + 0.25))).toBeLessThan(0.3);
  });

  it('is only as sure of the last word as of the end of the text', async () => {
    const whisper = await openWhisper(openModelFolder(MODEL_DIR), { provider: 'cpu', threads: 2 });
    for (const { samples } of clips()) {
      // the last word's second half is drowned: the end of the text becomes doubtful
      const audio = highPass(sum(samples, joined([new Float32Array(samples.length - 8_000), noise(0.5, 0.3)])));
      const levels = frameLevels(audio);
      const ended = (await whisper.decode(audio)).probabilities.at(-1) ?? 1;
      const { words } = await createWhisperReader(whisper).read(audio, { levels, activity: activityOf(levels) });
      expect(words.at(-1)?.confidence).toBeLessThanOrEqual(ended);
    }
    await whisper.close();
  });

  it('does not mind an offset, constant or decaying, nor the level', async () => {
    const { samples, text } = clip('climb.wav');
    const plain = await read(samples);
    expect((await read(samples.map((x) => x * 0.3 + 0.25))).text).toBe(plain.text);
    expect((await read(samples.map((x) => x * 0.005))).text).toBe(plain.text);
    const drifting = await read(samples.map((x, i) => x * 0.2 + 0.8 * Math.max(0, 1 - i / 8_000)));
    expect(drifting.words[0]?.text).toBe(text.split(' ')[0]);
    expect(wordErrorRate(text, drifting.text)).toBeLessThan(0.15);
  });

  it.each([
    ['silence', () => new Float32Array(32_000)],
    ['nothing at all', () => new Float32Array(0)],
    ['a single sample', () => Float32Array.of(0.5)],
    ['noise', () => noise(3, 0.05)],
    ['faint noise', () => noise(2, 0.001)],
    ['ten seconds of noise', () => noise(10, 0.1)],
    ['noise that swells', () => noise(4, 0.1).map((x, i) => x * (0.1 + Math.abs(Math.sin(i / 9_000))))],
    ['a squelch that opens', () => joined([noise(1, 0.0005), noise(1.5, 0.1)])],
    ['a tone', () => tone(2, 1_000, 0.4)],
    ['a tone in noise that starts and stops', () => sum(joined([new Float32Array(8_000), tone(0.8, 900, 0.3), new Float32Array(8_000)]), noise(1.8, 0.01))],
    ['hum', () => sum(tone(3, 100, 0.3), tone(3, 300, 0.1))],
    ['values that are no numbers', () => new Float32Array(16_000).fill(NaN)],
  ])('writes nothing for %s, or doubts it', async (_, make) => {
    const got = await read(make());
    expect(got.guards).not.toEqual([]);
    expect(got.text === '' || reasons(got).some((reason) => reason === 'no-speech' || reason === 'overlap')).toBe(true);
  });

  it.each([1e-9, 0.003, 0.01])('writes nothing for two key clicks of 80 ms (noise at %f)', async (level) => {
    const samples = noise(2, level);
    for (const at of [0.4, 1.1]) samples.set(noise(0.08, 0.3, 9), at * 16_000);
    const got = await read(samples);
    expect(got.text).toBe('');
    expect(reasons(got)).toEqual(['no-speech']);
  });

  it('gives the same text however long the carrier stays on behind 22 s of speech', async () => {
    const speech = longSpeech();
    const seconds = 22;
    const start = speech.samples.subarray(0, seconds * 16_000);
    for (const level of [0.004, 0.02]) {
      const carrier = sum(joined([start, new Float32Array(11 * 16_000)]), noise(33, level));
      const texts: string[] = [];
      for (const length of [28, 29.9, 30, 30.1, 32]) {
        const got = await read(carrier.subarray(0, length * 16_000));
        texts.push(got.text);
        expect(got.words.at(-1)?.end ?? 0).toBeLessThan(seconds + 0.5);
      }
      expect(new Set(texts).size).toBe(1);
      expect(wordErrorRate(speech.text, texts[0] ?? '')).toBeLessThan(0.15);
    }
  });

  it('loses nothing of 44 s of speech', async () => {
    const { samples, text } = longSpeech();
    const got = await read(joined([samples, samples]));
    expect(wordErrorRate(`${text} ${text}`, got.text)).toBeLessThan(0.15);
    expect(got.words.at(-1)?.end ?? 0).toBeGreaterThan((2 * samples.length) / 16_000 - 1);
  });

  it('keeps speech on both sides of a long stretch of noise', async () => {
    const first = clip('descend.wav');
    const second = clip('landing.wav');
    const audio = sum(joined([first.samples, new Float32Array(25 * 16_000), second.samples]), noise(25 + (first.samples.length + second.samples.length) / 16_000, 0.01));
    const got = await read(audio);
    expect(wordErrorRate(`${first.text} ${second.text}`, got.text)).toBeLessThan(0.15);
  });

  it('stops when it is told to', async () => {
    const { samples } = longSpeech();
    const stop = new AbortController();
    const running = transcribe(reader, samples, stop.signal);
    stop.abort(new Error('enough'));
    await expect(running).rejects.toThrow('enough');
  });
});

describe('a loop that the decoder could not leave', () => {
  const looped = async (hitTokenLimit: boolean): Promise<Transcript> => {
    const lost: WindowReader = {
      ...reader,
      read: async (...given) => {
        const window = await reader.read(...given);
        const last = window.words.slice(-1);
        return { ...window, hitTokenLimit, words: [...window.words, ...Array.from({ length: 12 }, () => last).flat()] };
      },
    };
    return transcribe(lost, clip('climb.wav').samples);
  };

  it('is written once and told; one that ended by itself stays as it was decoded', async () => {
    const { text } = await read(clip('climb.wav').samples);
    const once = await looped(true);
    expect(once.text).toBe(text);
    expect(reasons(once)).toEqual(expect.arrayContaining(['repetition', 'token-limit']));
    const whole = await looped(false);
    expect(whole.text.length).toBeGreaterThan(text.length);
    expect(reasons(whole)).toContain('repetition');
  });
});

describe('words that the model was about to leave out', () => {
  const heard = async (nothing: number, confidence: number): Promise<Transcript> => {
    const doubting: WindowReader = {
      ...reader,
      read: async (...given) => {
        const window = await reader.read(...given);
        return { ...window, nothing, words: window.words.map((word) => ({ ...word, confidence })) };
      },
    };
    return transcribe(doubting, clip('climb.wav').samples);
  };

  it('are left out and told when they are unsure as well, and stay otherwise', async () => {
    const { text } = await read(clip('climb.wav').samples);
    const unsure = await heard(0.2, 0.4);
    expect(unsure.text).toBe('');
    expect(unsure.guards[0]).toMatchObject({ reason: 'no-speech' });
    expect(unsure.guards[0]?.detail).toContain(`"${text}"`);
    expect((await heard(0.2, 0.9)).text).toBe(text);
    expect((await heard(0.05, 0.4)).text).toBe(text);
  });

  it('speech for which a trained model wrote nothing is still told as speech without text', async () => {
    const silent: WindowReader = { ...reader, read: async (...given) => ({ ...(await reader.read(...given)), words: [], tokens: 0, probabilities: [], trained: 0, nothing: 0.9 }) };
    expect(reasons(await transcribe(silent, clip('climb.wav').samples))).toContain('speech-without-text');
  });

  it('the model tells speech from noise by it', async () => {
    const whisper = await openWhisper(openModelFolder(MODEL_DIR), { provider: 'cpu', threads: 2 });
    for (const { samples } of clips()) expect((await whisper.decode(highPass(samples))).nothing).toBeLessThan(0.02);
    for (const level of [0.01, 0.1, 0.3]) expect((await whisper.decode(highPass(noise(2, level)))).nothing).toBeGreaterThan(0.3);
    await whisper.close();
  });
});

describe('no-speech probability', () => {
  const speech: SpeechEvidence = {
    probabilities: [0.9, 0.95, 0.9, 0.92, 0.9, 0.95],
    seconds: 2,
    activity: { kind: 'varying', seconds: 1.6, quietDb: -50, loudDb: -20, detail: '' },
    spectrum: { variation: 4, tonality: 0.3 },
    trained: undefined,
  };

  it('is low for confident words on a changing spectrum, high for a filler on noise', () => {
    expect(noSpeechOf(speech)).toBeLessThan(0.01);
    expect(noSpeechOf({ ...speech, probabilities: [0.05], spectrum: { variation: 0.9, tonality: 0.1 } })).toBeGreaterThan(0.95);
    expect(noSpeechOf({ ...speech, probabilities: [] })).toBe(1);
  });

  it('rises with every sign that there is no speech', () => {
    const signs: Partial<SpeechEvidence>[] = [
      { probabilities: speech.probabilities.map((p) => p / 2) },
      { probabilities: speech.probabilities.slice(0, 2) },
      { spectrum: { variation: 2, tonality: 0.3 } },
      { spectrum: { variation: 4, tonality: 0.9 } },
      { activity: { ...speech.activity, kind: 'clicks' } },
    ];
    for (const sign of signs) expect(noSpeechOf({ ...speech, ...sign })).toBeGreaterThan(noSpeechOf(speech));
  });

  it('is at least what a trained model says', () => {
    for (const trained of [0, 0.3, 0.9]) expect(noSpeechOf({ ...speech, trained })).toBeGreaterThanOrEqual(trained);
    expect(noSpeechOf({ ...speech, trained: 0.05, spectrum: { variation: 0.9, tonality: 0.1 } })).toBeGreaterThan(0.5);
  });
});
