import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { clip, clips, MODEL_DIR, noise, sum } from '../../test/support/asr-audio.js';
import { pullToList, pullToName, withPulled, type Question } from './context-bias.js';
import { openModelFolder } from './model-folder.js';
import { transcribe, type Transcript, type WindowReader } from './transcriber.js';
import { createWhisperReader } from './whisper-reader.js';
import { openWhisper, type Branch, type Decoded } from './whisper.js';

const VOCABULARY = [null, ...[' luft', ' answer', ' lufthansa', ' three', ' two', ' five', ' eight', ' l', 'ufthansa', ' descend']].map((text) => (text === null ? null : new TextEncoder().encode(text)));
const row = (text: string): number => VOCABULARY.findIndex((bytes) => bytes !== null && new TextDecoder().decode(bytes) === text);

/** A text whose tokens are as likely as `probabilities`; other tokens are as likely as `elsewhere` says, 1e-6 if it does not. */
function decodedOf(tokens: string[], probabilities: number[], elsewhere: Record<string, number>): Decoded {
  const rows = tokens.map(row);
  const branchAt = (length: number): Branch => ({
    next: Float32Array.from(VOCABULARY, (bytes, token) => {
      if (token === rows[length] || (bytes === null && length >= rows.length)) return Math.log(probabilities[length] ?? 1);
      return Math.log(elsewhere[bytes === null ? '' : new TextDecoder().decode(bytes)] ?? 1e-6);
    }),
    // what stands behind the replaced words is as likely as before
    extend: () => Promise.resolve(branchAt(rows.findIndex((token, at) => at >= length && VOCABULARY[token] !== null && [' three', ' descend'].includes(tokens[at] ?? '')))),
  });
  return { tokens: rows, probabilities: [...probabilities, 1], candidates: [], steps: [], branch: (length) => Promise.resolve(branchAt(length)), hitTokenLimit: false, greedy: [], noSpeech: undefined, nothing: 0, encode: 0, decode: 0 };
}
const questionOf = (tokens: string[], probabilities: number[], elsewhere: Record<string, number>): Question => ({ decoded: decodedOf(tokens, probabilities, elsewhere), words: tokens.map((text, at) => ({ text, from: at, to: at + 1 })), vocabulary: VOCABULARY, eos: 0 });

describe('a traffic list over decoded text', () => {
  const luft = [' luft', ' answer', ' three', ' two', ' eight', ' descend'];
  const ask = (tokens: string[], probabilities: number[], elsewhere: Record<string, number>, callsigns: string[], strength = 1): ReturnType<typeof pullToList> =>
    pullToList(questionOf(tokens, probabilities, elsewhere), { callsigns, strength });

  it('takes a misspelled name back when the audio does not rule it out', async () => {
    const pulled = await ask(luft, [0.5, 0.5, 1, 1, 1, 1], { ' lufthansa': 0.1 }, ['DLH328']);
    expect(pulled).toMatchObject({ callsign: 'DLH328', from: 0, to: 2, words: ['lufthansa'], contradicts: false });
    // log .1 − log .25 = −.92, with a margin of 6
    expect(pulled?.confidence).toBeCloseTo(1 / (1 + Math.exp(0.92 - 6)), 3);
  });

  it('leaves the text alone when the audio rules it out, and at strength 0', async () => {
    expect(await ask(luft, [0.5, 0.5, 1, 1, 1, 1], { ' lufthansa': 1e-5, ' l': 1e-6 }, ['DLH328'])).toBeUndefined();
    expect(await ask(luft, [0.5, 0.5, 1, 1, 1, 1], { ' lufthansa': 0.1 }, ['DLH328'], 0)).toBeUndefined();
    // twice the strength, twice the margin
    expect(await ask(luft, [0.5, 0.5, 1, 1, 1, 1], { ' lufthansa': 1e-5, ' l': 1e-6 }, ['DLH328'], 2)).toBeDefined();
  });

  it('never changes a digit that is likelier as it was heard', async () => {
    const said = [' lufthansa', ' three', ' two', ' five', ' descend'];
    for (const rival of [0.05, 0.3, 0.49]) {
      for (const strength of [0.5, 1, 2, 3]) expect(await ask(said, [1, 1, 1, 0.5, 1], { ' eight': rival }, ['DLH328'], strength)).toBeUndefined();
    }
  });

  it('puts the listed words in the place and time of the others and says what they were', () => {
    const old = ['descend', 'luft', 'answer', 'three'].map((text, at) => ({ text, start: at, end: at + 1, confidence: 0.4 }));
    const replaced = withPulled(old, { from: 1, to: 3, words: ['sky', 'travel'], likeness: 0, confidence: 0.8 }, true);
    expect(replaced.map(({ text }) => text)).toEqual(['descend', 'sky', 'travel', 'three']);
    expect(replaced[1]).toMatchObject({ start: 1, end: 1 + 2 / 3, confidence: 0.8, listed: true, alternatives: [{ text: 'luft answer' }] });
    expect(replaced[2]).toMatchObject({ end: 3, listed: true });
    expect([replaced[0], replaced[3]]).toEqual([old[0], old[3]]);
  });
});

describe("an operator's name that nobody has, over decoded text", () => {
  const vocabulary = [null, ...[' lufthanser', ' lufthansa', ' three', ' two', ' eight', ' descend', ' heading', ' l', 'ufthansa'].map((text) => new TextEncoder().encode(text))];
  const tokens = [' lufthanser', ' three', ' two', ' eight', ' descend'];
  const ask = (said: string[], elsewhere: Record<string, number>): ReturnType<typeof pullToName> => {
    const rows = (text: string): number => vocabulary.findIndex((bytes) => bytes !== null && new TextDecoder().decode(bytes) === text);
    const decoded = decodedOf(said, said.map(() => 0.9), {});
    const branch: Branch = {
      next: Float32Array.from(vocabulary, (bytes) => Math.log(elsewhere[bytes === null ? '' : new TextDecoder().decode(bytes)] ?? 1e-6)),
      extend: () => Promise.resolve({ ...branch, next: Float32Array.from(vocabulary, () => Math.log(0.9)) }),
    };
    return pullToName({ decoded: { ...decoded, tokens: said.map(rows), branch: () => Promise.resolve(branch) }, words: said.map((text, at) => ({ text, from: at, to: at + 1 })), vocabulary, eos: 0 });
  };

  it('becomes the known name that the audio bears out', async () => {
    expect(await ask(tokens, { ' lufthansa': 0.05 })).toMatchObject({ from: 0, to: 1, words: ['lufthansa'] });
  });

  it('stays when the audio bears none out, when a known name stands there, or when what it heads is a value', async () => {
    expect(await ask(tokens, {})).toBeUndefined();
    expect(await ask(tokens, { ' lufthansa': 0.001 })).toBeUndefined();
    expect(await ask([' lufthansa', ...tokens.slice(1)], { ' lufthansa': 0.05 })).toBeUndefined();
    expect(await ask([' descend', ' heading', ' three', ' two', ' eight'], { ' lufthansa': 0.05 })).toBeUndefined();
  });

  it('does not say that it came from a list, and keeps what was written', () => {
    const [word] = withPulled([{ text: 'lufthanser', start: 0, end: 1, confidence: 0.9 }], { from: 0, to: 1, words: ['lufthansa'], likeness: 0.8, confidence: 0.7 }, false);
    expect(word).toMatchObject({ text: 'lufthansa', alternatives: [{ text: 'lufthanser' }] });
    expect(word?.listed).toBeUndefined();
  });
});

describe('a traffic list with real audio', () => {
  let reader: WindowReader;
  beforeAll(async () => {
    reader = createWhisperReader(await openWhisper(openModelFolder(MODEL_DIR), { provider: 'cpu', threads: 2 }));
  });
  afterAll(() => reader.close());
  const read = (samples: Float32Array, callsigns: string[], strength = 1): Promise<Transcript> => transcribe(reader, samples, undefined, { callsigns, strength });

  it('changes nothing where the callsign is heard as listed, or where the list has nobody like it', async () => {
    const { samples } = clip('landing.wav');
    const plain = await transcribe(reader, samples);
    for (const callsigns of [['AUA391'], ['QFA12', 'OKPMB'], []]) {
      const got = await read(samples, callsigns);
      expect(got.text).toBe(plain.text);
      expect(got.unbiasedText).toBeUndefined();
      expect(got.words.every((word) => word.listed === undefined)).toBe(true);
    }
  });

  it('does not pull a clear callsign to a look-alike, clear or in noise', async () => {
    // listed: one digit another, places changed, another operator
    const alike: Record<string, string[]> = { 'landing.wav': ['AUA392', 'AUA319', 'SWR391'], 'heading.wav': ['BAW72', 'DLH71', 'BAW17'], 'descend.wav': ['DAL6113', 'DAL6122', 'BAW612'] };
    for (const [file, callsigns] of Object.entries(alike)) {
      for (const level of [0, 0.02, 0.05]) {
        const { samples } = clip(file);
        const noisy = sum(samples, noise(samples.length / 16_000 + 1, level));
        const plain = await transcribe(reader, noisy);
        const got = await read(noisy, callsigns);
        expect(got.text).toBe(plain.text);
      }
    }
  });

  it('touches no value, however strongly the list counts', async () => {
    for (const { samples } of clips()) {
      const plain = await transcribe(reader, samples);
      const digits = plain.words.filter(({ text }) => /^(zero|one|two|three|four|five|six|seven|eight|nine)$/u.test(text)).map(({ text }) => text);
      const got = await read(samples, ['DLH210', 'BAW120', 'AFR4000', 'SWR1187', 'KLM24'], 3);
      expect(got.words.filter(({ text }) => /^(zero|one|two|three|four|five|six|seven|eight|nine)$/u.test(text)).map(({ text }) => text)).toEqual(digits);
      expect(got.unbiasedText ?? got.text).toBe(plain.text);
    }
  });
});
