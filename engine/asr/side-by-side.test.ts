import { afterEach, describe, expect, it } from 'vitest';
import { clips, MODEL_DIR } from '../../test/support/asr-audio.js';
import { HearbackError } from '../domain/result.js';
import type { Recogniser, Recognition } from '../domain/stages.js';
import { createRecogniser, type WorkerRecogniser } from './recogniser.js';
import { createRecognisers, SideBySide } from './side-by-side.js';

const open: Recogniser[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((each) => each.close()));
});
const kept = <R extends Recogniser>(recogniser: R): R => {
  open.push(recogniser);
  return recogniser;
};
const one = (): Promise<WorkerRecogniser> => createRecogniser({ modelDir: MODEL_DIR, modelId: 'whisper-base-radio', device: 'cpu', threads: 1 });
const heard = ({ text, words, confidence, guards }: Recognition): unknown => ({ text, words, confidence, guards });

describe('recognisers side by side', () => {
  it('hear what a single one with as many threads as one of them hears, to the last digit of every confidence', async () => {
    const single = kept(await createRecogniser({ modelDir: MODEL_DIR, modelId: 'whisper-base-radio', device: 'cpu', threads: 1 }));
    const both = kept(await createRecognisers({ modelDir: MODEL_DIR, modelId: 'whisper-base-radio', device: 'cpu', threads: 1, workers: 2 }));
    expect([both.model, both.device, both.atOnce]).toEqual(['whisper-base-radio', 'cpu', 2]);
    const together = await Promise.all(clips().map(({ samples }) => both.recognise(samples)));
    for (const [at, { samples }] of clips().entries()) expect(heard(together[at] as Recognition)).toEqual(heard(await single.recognise(samples)));
  });

  it('opens another only when there is more to do than the open ones can take', async () => {
    let opened = 0;
    const all = kept(
      new SideBySide(3, () => {
        opened++;
        return one();
      }),
    );
    await all.first();
    const [first, second] = clips();
    if (first === undefined || second === undefined) throw new Error('clips are missing');
    await all.recognise(first.samples);
    await all.recognise(second.samples);
    expect(opened).toBe(1);
    await Promise.all([all.recognise(first.samples), all.recognise(second.samples)]);
    expect(opened).toBe(2);
  });

  it('says so and goes on with the others when one could not be started, and when one is gone', async () => {
    let opened = 0;
    const all = kept(
      new SideBySide(2, () => {
        opened++;
        return opened === 1 ? one() : Promise.reject(new HearbackError('device', 'There is no room for another.'));
      }),
    );
    await all.first();
    const texts = await Promise.all(clips().map(async ({ samples }) => (await all.recognise(samples)).text));
    expect(texts.every((text) => text !== '')).toBe(true);
    expect(opened).toBe(2);
    expect(all.notices.map(({ text }) => text)).toEqual(['One of 2 recognisers beside each other could not be started; the others go on. There is no room for another.']);

    const members: WorkerRecogniser[] = [];
    const pair = kept(
      new SideBySide(2, async () => {
        const member = await one();
        // the first of them is lost for good at its next piece
        const lost = members.length === 0 ? { ...member, model: member.model, device: member.device, notices: [], workerPid: undefined, close: () => member.close(), recognise: () => Promise.reject(new HearbackError('worker-died', 'It ended six times in a row.')) } : member;
        members.push(lost);
        return lost;
      }),
    );
    await pair.first();
    const again = await Promise.all(clips().map(async ({ samples }) => (await pair.recognise(samples)).text));
    expect(again).toEqual(texts);
    expect(pair.notices.map(({ text }) => text)).toEqual(['One of 2 recognisers beside each other is gone; the others go on. It ended six times in a row.']);
  });

  it('fails as a single one does when all are gone, when it is stopped, and when the first cannot be opened', async () => {
    const gone = new SideBySide(1, async () => {
      const member = kept(await one());
      return { ...member, model: 'm', device: 'cpu', notices: [], close: () => member.close(), recognise: () => Promise.reject(new HearbackError('worker-died', 'Gone.')) };
    });
    await gone.first();
    const [first] = clips();
    if (first === undefined) throw new Error('clips are missing');
    await expect(gone.recognise(first.samples)).rejects.toMatchObject({ code: 'worker-died' });
    const both = kept(await createRecognisers({ modelDir: MODEL_DIR, modelId: 'm', device: 'cpu', workers: 2 }));
    await expect(both.recognise(first.samples, { signal: AbortSignal.abort() })).rejects.toMatchObject({ code: 'cancelled' });
    await both.close();
    await expect(both.recognise(first.samples)).rejects.toThrow('closed');
    await expect(createRecognisers({ modelDir: '/nowhere', modelId: 'm', workers: 2 })).rejects.toMatchObject({ code: 'model-missing' });
  });
});
