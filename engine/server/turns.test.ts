import { describe, expect, it } from 'vitest';
import { HearbackError } from '../domain/result.js';
import type { Recogniser, Recognition } from '../domain/stages.js';
import { nextTurn, Turns } from './turns.js';

const RANK = { asked: 0, live: 1, file: 2 } as const;
const at = (rank: keyof typeof RANK, since: number): { rank: number; since: number } => ({ rank: RANK[rank], since });

describe('whose turn it is', () => {
  it('a person first, then live audio, then files', () => {
    expect(nextTurn([at('file', 0), at('live', 2), at('asked', 3)], 4)).toBe(2);
    expect(nextTurn([at('file', 0), at('live', 2)], 4)).toBe(1);
    expect(nextTurn([], 4)).toBe(-1);
  });
  it('of live ones the newest, of files the oldest', () => {
    expect(nextTurn([at('live', 10), at('live', 30), at('live', 20)], 40)).toBe(1);
    expect(nextTurn([at('file', 20), at('file', 10), at('file', 30)], 40)).toBe(1);
  });
  it('nobody waits for ever: who has waited longest goes before everybody else after five seconds', () => {
    expect(nextTurn([at('file', 0), at('live', 5999), at('asked', 5000)], 6000)).toBe(0);
    expect(nextTurn([at('file', 500), at('live', 100), at('asked', 5900)], 6000)).toBe(1);
  });
});

const empty: Recognition = { text: '', words: [], confidence: 0, noSpeechProbability: 0, guards: [], model: 'm', device: 'cpu', milliseconds: { encode: 0, decode: 0, total: 0 } };

describe('Turns', () => {
  it('gives the recogniser one at a time, in that order, and goes on after a failure', async () => {
    const order: number[] = [];
    let atWork = 0;
    const shared: Recogniser = {
      model: 'm',
      device: 'cpu',
      notices: [],
      recognise: async (samples) => {
        expect(++atWork).toBe(1);
        await new Promise((resolve) => setTimeout(resolve, 2));
        atWork--;
        order.push(samples.length);
        if (samples.length === 3) throw new HearbackError('cancelled', 'not this one');
        return empty;
      },
      close: () => Promise.resolve(),
    };
    const turns = new Turns(shared);
    const [file, live, asked] = [turns.seat('file'), turns.seat('live'), turns.seat('asked')];
    const done = await Promise.allSettled([file.recognise(new Float32Array(1)), file.recognise(new Float32Array(2)), live.recognise(new Float32Array(3)), asked.recognise(new Float32Array(4)), live.recognise(new Float32Array(5))]);
    // the first found it free; of the rest: the person, the newer of the live ones, the other, the file
    expect(order).toEqual([1, 4, 5, 3, 2]);
    expect(done.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled', 'fulfilled']);
    expect(turns.lost).toBeUndefined();
  });
  it('tells once that the recogniser is gone for good', async () => {
    const told: string[] = [];
    const gone: Recogniser = { model: 'm', device: 'cpu', notices: [], recognise: () => Promise.reject(new HearbackError('worker-died', 'It died.')), close: () => Promise.resolve() };
    const turns = new Turns(gone, (error) => told.push(error.message));
    const seat = turns.seat('live');
    await Promise.allSettled([seat.recognise(new Float32Array(1)), seat.recognise(new Float32Array(1))]);
    expect(told).toEqual(['It died.']);
    expect(turns.lost?.code).toBe('worker-died');
  });
});
