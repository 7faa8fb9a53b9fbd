/**
 * A language model that answers late, in the whole pipeline: the rules' finding first, marked, and the whole one before the session ends. Audio and
 * recogniser are written by the test; parser, dialogue and judges are the product's.
 */
import { expect, test } from 'vitest';
import { createDialogue } from '../engine/dialogue/index.js';
import type { HearbackEvent } from '../engine/domain/events.js';
import type { Finding } from '../engine/domain/finding.js';
import { SAMPLE_RATE, type Judge, type PcmChunk, type Segment, type Segmenter } from '../engine/domain/stages.js';
import { createConsensusJudge, createRulesJudge, DEFAULT_POLICY } from '../engine/judge/index.js';
import { passingSink, runPipeline } from '../engine/pipeline.js';
import { understand } from '../engine/understanding/index.js';

const TEXTS = ['swiss one two climb flight level nine zero', 'climb flight level nine zero swiss one two', 'condor four five turn left heading one eight zero', 'left heading one eight zero condor four five'];

/** Transmissions of two seconds, a second between them. */
async function listen(judge: Judge, onEvent: (event: HearbackEvent) => void = () => undefined): Promise<HearbackEvent[]> {
  const length = 3 * SAMPLE_RATE;
  const spoken = 2 * SAMPLE_RATE;
  const chunk = (at: number): PcmChunk => ({ channel: 'mono', startSample: at * length, samples: new Float32Array(length) });
  const segmenter: Segmenter = {
    push: ({ startSample, samples }) => Promise.resolve([{ channel: 'mono', startSample, endSample: startSample + spoken, samples: samples.slice(0, spoken), speechStart: startSample, speechEnd: startSample + spoken, end: 'silence', speechProbability: 1 } satisfies Segment]),
    flush: () => Promise.resolve([]),
    state: { phase: 'quiet', since: 0 },
  };
  const texts = [...TEXTS];
  const events: HearbackEvent[] = [];
  await runPipeline(
    {
      name: 'written',
      channels: ['mono'],
      duration: undefined,
      notices: [],
      async *chunks() {
        for (let at = 0; at < TEXTS.length; at++) {
          await Promise.resolve();
          yield chunk(at);
        }
      },
    },
    {
      createSegmenter: () => Promise.resolve(segmenter),
      recogniser: {
        model: 'written',
        device: 'cpu',
        notices: [],
        recognise: () => {
          const text = texts.shift() ?? '';
          return Promise.resolve({ text, words: text.split(' ').map((word) => ({ text: word, confidence: 1 })), confidence: 1, noSpeechProbability: 0, guards: [], model: 'written', device: 'cpu', milliseconds: { encode: 0, decode: 0, total: 0 } });
        },
        close: () => Promise.resolve(),
      },
      understand,
      createDialogue: () => createDialogue({ understand }),
      judge,
      profile: 'icao',
      sink: passingSink(),
      version: 'test',
    },
    {
      onEvent: ({ event }) => {
        events.push(event);
        onEvent(event);
      },
    },
  );
  return events;
}

/** Finds everything wrong, once it may. */
const wrongAfter = (may: Promise<void>): Judge => ({
  name: 'a-model',
  judge: async ({ profile }) => {
    await may;
    return { is_correct: false, error_type: 'VALUE_HIGH', risk_level: 'HIGH', affected_slot: 'speed', explanation: 'Another speed.', verdict: 'error', confidence: 0.9, evidence: { instruction_words: [], readback_words: [], comparisons: [] }, advisories: [], doubts: [], profile, judge: 'a-model' } satisfies Finding;
  },
});
const findings = (events: readonly HearbackEvent[]) => events.flatMap((event) => (event.type === 'finding.made' ? [event] : []));

test('the rules at once, marked, and amended before the session ends; nobody waits for the model in between', async () => {
  let release: () => void = () => undefined;
  const may = new Promise<void>((resolve) => {
    release = resolve;
  });
  let count = 0;
  // the model is held back until both exchanges have a finding
  const events = await listen(createConsensusJudge(createRulesJudge(), wrongAfter(may), { ...DEFAULT_POLICY, patience: 5 }), (event) => {
    if (event.type === 'finding.made' && ++count === 2) release();
  });
  const made = findings(events);
  const exchanges = [...new Set(made.map(({ exchange }) => exchange))];
  expect(exchanges).toHaveLength(2);
  for (const exchange of exchanges) {
    expect(made.filter((one) => one.exchange === exchange).map(({ finding }) => finding)).toMatchObject([
      { verdict: 'correct', opinions: [{ judge: 'rules' }], advisories: [{ kind: 'judge-pending' }] },
      { verdict: 'uncertain', risk_level: 'HIGH', opinions: [{ judge: 'rules' }, { judge: 'a-model' }] },
    ]);
  }
  expect(events.at(-1)?.type).toBe('session.ended');
});

test('a model in time makes one finding of the two', async () => {
  const made = findings(await listen(createConsensusJudge(createRulesJudge(), wrongAfter(Promise.resolve()), { ...DEFAULT_POLICY, patience: 5000 })));
  expect(made.map(({ finding }) => finding.verdict)).toEqual(['uncertain', 'uncertain']);
});
