/**
 * Faults of recognition that were reported of neighbouring programs, each made anew from building blocks: words added behind
 * the end of speech where audio runs over the edge of a model's window, and words invented for key clicks.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Recognition } from '../engine/domain/stages.js';
import { place, tone } from './support/audio.js';
import { wordErrorRate } from './support/asr-audio.js';
import { blocks, hiss, inShort, listen, live, mixed, peakAt, startEngine, type Engine, type Heard } from './support/listening.js';

let engine: Engine;
beforeAll(async () => {
  engine = await startEngine();
}, 120_000);
afterAll(() => engine.recogniser.close());

const RATE = 16_000;

describe('a clearance of 22 seconds with carrier noise behind it', () => {
  const LENGTHS = [28, 29.9, 30, 30.1, 32];
  const spaceless = (text: string): string => text.toLowerCase().replaceAll(' ', '');
  const recording = async (noise: number): Promise<{ samples: Float32Array; text: string; seconds: number }> => {
    const [route] = await blocks('route-clearance');
    return { samples: mixed(place(33, RATE, [{ at: 0, samples: peakAt(route.samples, -6) }]), hiss(33, noise)), text: route.text, seconds: route.seconds };
  };

  describe.each([-50, -40, -30])('with noise at %d dB', (noise) => {
    let found: Recognition[] = [];
    let said = { text: '', seconds: 0 };
    beforeAll(async () => {
      const { samples, ...rest } = await recording(noise);
      said = rest;
      found = [];
      for (const length of LENGTHS) found.push(await engine.recogniser.recognise(samples.slice(0, length * RATE)));
    }, 120_000);
    it('has nothing behind its last word at any length', () => {
      for (const { text, words } of found) {
        expect(text).toMatch(/one zero one eight$/);
        expect(words.at(-1)?.end ?? 99).toBeLessThan(said.seconds + 0.5);
        expect(wordErrorRate(said.text, text), text).toBeLessThan(0.2);
      }
    });
    it('is the same text at 28.0, 29.9, 30.0, 30.1 and 32.0 seconds', () => {
      const texts = found.map(({ text }) => spaceless(text));
      expect(texts).toEqual(texts.map(() => texts[0]));
    });
    // pauses of a tenth of a second make it several transmissions
    it('is not taken for its own readback', { timeout: 60_000 }, async () => {
      const { samples } = await recording(noise);
      const heard = await listen(engine, live(samples));
      expect(heard.transmissions.length, inShort(heard)).toBeGreaterThan(0);
      expect(heard.exchanges.map((exchange) => exchange.readbacks), inShort(heard)).toEqual(heard.exchanges.map(() => []));
    });
  });
});

describe('key clicks', () => {
  /** 80 ms each. */
  const clicks: Record<string, () => Float32Array> = {
    'a carrier without modulation': () => hiss(0.08, -30, 7),
    'a louder carrier': () => hiss(0.08, -15, 9),
    'a thump of the key': () => Float32Array.from({ length: 1280 }, (_, n) => 0.4 * Math.exp(-n / 160) * Math.cos((2 * Math.PI * 90 * n) / RATE)),
    'a step of direct current': () => new Float32Array(1280).fill(0.25),
    'a heterodyne': () => tone(1000, 0.08, RATE, 0.2),
  };
  /** The instruction, two clicks, the instruction again, and only the callsign. */
  const recording = async (click: Float32Array, floor: number, times: { clicks: number; callsign: number }): Promise<Heard> => {
    const [i, r] = await blocks('west-1-instruction', 'west-1-readback');
    const callsign = r.samples.slice(1.5 * RATE);
    const said = place(20, RATE, [
      { at: 1, samples: i.samples },
      { at: 1 + i.seconds + times.clicks, samples: click },
      { at: 1 + i.seconds + times.clicks + 0.25, samples: click },
      { at: 8, samples: i.samples },
      { at: 8 + i.seconds + times.callsign, samples: callsign },
    ]);
    return listen(engine, live(mixed(said, hiss(20, floor, 11))));
  };
  const wordsBetween = (heard: Heard): string[] => heard.transmissions.filter((t) => t.start > 3 && t.end < 7.7 && t.text !== '').map((t) => t.text);

  describe.each(Object.keys(clicks))('as %s', (kind) => {
    it('are no words and no readback, and a bare callsign is none either', { timeout: 60_000 }, async () => {
      const heard = await recording(clicks[kind]?.() ?? new Float32Array(0), -60, { clicks: 1, callsign: 1.8 });
      expect(wordsBetween(heard)).toEqual([]);
      // the instruction itself is not longer by a word
      for (const t of heard.transmissions.filter((each) => each.start < 3)) expect(t.text, inShort(heard)).toBe('lufthansa three two eight descend flight level eight zero');
      const [first, second] = heard.exchanges;
      expect(heard.exchanges, inShort(heard)).toHaveLength(2);
      expect(first?.readbacks, inShort(heard)).toEqual([]);
      expect(first?.status).toBe('superseded');
      expect(second?.answered, inShort(heard)).toBe('lufthansa three two eight');
      expect(second?.judged, inShort(heard)).toMatchObject({ verdict: 'error', error_type: 'OMISSION_CRITICAL', risk_level: 'CRITICAL', affected_slot: 'altitude' });
    });
  });
  it('right behind the instruction are no words', { timeout: 60_000 }, async () => {
    for (const gap of [0.1, 0.3]) {
      const heard = await recording(clicks['a louder carrier']?.() ?? new Float32Array(0), -60, { clicks: gap, callsign: 1.8 });
      expect(wordsBetween(heard)).toEqual([]);
      expect(heard.transmissions[0]?.text, inShort(heard)).toBe('lufthansa three two eight descend flight level eight zero');
      expect(heard.exchanges[1]?.judged?.error_type, inShort(heard)).toBe('OMISSION_CRITICAL');
    }
  });
  it('do not make a bare callsign right that comes at once', { timeout: 60_000 }, async () => {
    const heard = await recording(clicks['a carrier without modulation']?.() ?? new Float32Array(0), -60, { clicks: 1, callsign: 0.8 });
    expect(heard.exchanges.map((exchange) => exchange.judged?.verdict), inShort(heard)).not.toContain('correct');
  });
});
