import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, describe, expect, it, onTestFinished } from 'vitest';
import { clip, clips, joined, MODEL_DIR, wordErrorRate } from '../../test/support/asr-audio.js';
import type { DeviceChoice } from './device-choice.js';
import { createRecogniser, type WorkerRecogniser } from './recogniser.js';

const open: WorkerRecogniser[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((recogniser) => recogniser.close()));
});
const scratch = mkdtempSync(join(tmpdir(), 'hearback-asr-'));
afterAll(() => {
  rmSync(scratch, { recursive: true });
});

async function start(options: { device?: DeviceChoice; modelDir?: string } = {}): Promise<WorkerRecogniser> {
  const recogniser = await createRecogniser({ modelDir: MODEL_DIR, modelId: 'whisper-base-radio', device: 'cpu', threads: 2, ...options });
  open.push(recogniser);
  return recogniser;
}

const alive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};
const pidOf = (recogniser: WorkerRecogniser): number => recogniser.workerPid ?? 0;

/** Node processes started by `pid` that run the worker (Linux). */
function childrenOf(pid: number): number[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
    .split(' ')
    .map(Number)
    .filter((child) => child !== 0 && readFileSync(`/proc/${child}/cmdline`, 'utf8').includes('asr/worker.js'));
}

async function until(condition: () => boolean, what: string): Promise<void> {
  for (let i = 0; i < 600; i++) {
    if (condition()) return;
    await sleep(25);
  }
  throw new Error(`waited 15 s in vain until ${what}`);
}

/** About 40 s of speech: recognising it takes long enough to be interrupted. */
const long = (): Float32Array => joined([...clips(), ...clips()].map(({ samples }) => samples));

/** Kills the worker while it is at work, as often as said. */
async function killAtWork(recogniser: WorkerRecogniser, times: number): Promise<void> {
  let last = 0;
  for (let i = 0; i < times; i++) {
    await until(() => pidOf(recogniser) !== 0 && pidOf(recogniser) !== last, 'there is a new worker');
    last = pidOf(recogniser);
    process.kill(last, 'SIGKILL');
  }
}

describe('the recogniser in its own process', () => {
  it('recognises segments in the order in which they were given and says who did it', async () => {
    const recogniser = await start();
    expect(recogniser.device).toBe('cpu');
    expect(recogniser.notices).toEqual([]);
    expect(pidOf(recogniser)).not.toBe(process.pid);
    const done: string[] = [];
    const results = await Promise.all(
      clips().map(async ({ file, text, samples }) => {
        const recognition = await recogniser.recognise(samples);
        done.push(file);
        return { text, recognition };
      }),
    );
    expect(done).toEqual(clips().map(({ file }) => file));
    for (const { text, recognition } of results) {
      expect(wordErrorRate(text, recognition.text)).toBeLessThan(0.25);
      expect(recognition).toMatchObject({ model: 'whisper-base-radio', device: 'cpu' });
    }
  });

  it('starts again when the worker dies at work, and the segment is not lost', async () => {
    const recogniser = await start();
    const before = pidOf(recogniser);
    const { samples, text } = clip('climb.wav');
    const recognition = recogniser.recognise(samples);
    process.kill(before, 'SIGKILL');
    expect(wordErrorRate(text, (await recognition).text)).toBeLessThan(0.25);
    expect(pidOf(recogniser)).not.toBe(before);
    expect(recogniser.notices).toHaveLength(1);
    expect(recogniser.notices[0]).toMatchObject({ kind: 'recogniser', severity: 'warning' });
    expect(recogniser.notices[0]?.text).toContain('SIGKILL');
  });

  it('keeps a segment without text that ends the worker twice, and goes on with the next', async () => {
    const recogniser = await start();
    const poison = recogniser.recognise(long());
    const next = recogniser.recognise(clip('tower.wav').samples);
    await killAtWork(recogniser, 2);
    const failed = await poison;
    expect(failed).toMatchObject({ text: '', words: [], confidence: 0 });
    expect(failed.guards.map((guard) => guard.reason)).toEqual(['recogniser-failed']);
    expect(wordErrorRate(clip('tower.wav').text, (await next).text)).toBeLessThan(0.25);
    expect(recogniser.notices.some((notice) => notice.severity === 'error')).toBe(true);
  });

  it('gives up when the worker keeps dying, and says so to everybody', async () => {
    const recogniser = await start();
    const all = Promise.allSettled([1, 2, 3, 4, 5].map(() => recogniser.recognise(long())));
    await killAtWork(recogniser, 6);
    const results = await all;
    expect(results.filter((result) => result.status === 'fulfilled').every((result) => result.value.guards[0]?.reason === 'recogniser-failed')).toBe(true);
    const rejected = results.filter((result) => result.status === 'rejected');
    expect(rejected.length).toBeGreaterThanOrEqual(2);
    for (const result of rejected) expect(result.reason).toMatchObject({ code: 'worker-died' });
    await expect(recogniser.recognise(clip('tower.wav').samples)).rejects.toMatchObject({ code: 'worker-died' });
  });

  it('starts again when the worker died while it had nothing to do', async () => {
    const recogniser = await start();
    const before = pidOf(recogniser);
    process.kill(before, 'SIGKILL');
    await until(() => recogniser.workerPid !== before, 'the death is noticed');
    expect((await recogniser.recognise(clip('tower.wav').samples)).text).not.toBe('');
  });

  it.runIf(process.platform === 'linux')('survives a worker that dies while it starts again', async () => {
    const recogniser = await start();
    const recognition = recogniser.recognise(clip('climb.wav').samples);
    process.kill(pidOf(recogniser), 'SIGKILL');
    await until(() => recogniser.workerPid === undefined, 'the death is noticed');
    // the new worker is a child of this process that is not yet known as the worker
    await until(() => childrenOf(process.pid).length > 0, 'a new worker starts');
    for (const pid of childrenOf(process.pid)) process.kill(pid, 'SIGKILL');
    expect((await recognition).text).not.toBe('');
  });

  it('stops a segment at work, drops one that waits, and goes on', async () => {
    const recogniser = await start();
    const stopFirst = new AbortController();
    const stopSecond = new AbortController();
    const first = recogniser.recognise(long(), { signal: stopFirst.signal });
    const second = recogniser.recognise(long(), { signal: stopSecond.signal });
    const third = recogniser.recognise(clip('tower.wav').samples);
    stopSecond.abort();
    await expect(second).rejects.toMatchObject({ code: 'cancelled' });
    await sleep(100);
    stopFirst.abort();
    await expect(first).rejects.toMatchObject({ code: 'cancelled' });
    expect((await third).text).not.toBe('');
    await expect(recogniser.recognise(long(), { signal: AbortSignal.abort() })).rejects.toMatchObject({ code: 'cancelled' });
    expect(recogniser.notices).toEqual([]);
  });

  it('leaves no process behind when it is closed, at rest or at work', async () => {
    for (const busy of [false, true]) {
      const recogniser = await start();
      const pid = pidOf(recogniser);
      const work = busy ? recogniser.recognise(long()) : undefined;
      const outcome = work?.then(
        () => 'done',
        (error: unknown) => (error as { code?: string }).code,
      );
      await recogniser.close();
      expect(alive(pid)).toBe(false);
      if (outcome !== undefined) expect(await outcome).toBe('cancelled');
      await expect(recogniser.recognise(new Float32Array(10))).rejects.toThrow('closed');
      await recogniser.close();
    }
  });

  it('ends with its parent, also when that is killed', async () => {
    const script = `import { createRecogniser } from ${JSON.stringify(new URL('../../dist/engine/asr/index.js', import.meta.url).href)};
      const recogniser = await createRecogniser({ modelDir: ${JSON.stringify(MODEL_DIR)}, modelId: 'm', device: 'cpu', threads: 1 });
      console.log(recogniser.workerPid);
      setInterval(() => {}, 1000);`;
    const parent = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: ['ignore', 'pipe', 'inherit'] });
    onTestFinished(() => void parent.kill('SIGKILL'));
    const [line] = (await once(parent.stdout, 'data')) as [Buffer];
    const worker = Number(line.toString());
    expect(alive(worker)).toBe(true);
    parent.kill('SIGKILL');
    await until(() => !alive(worker), 'the worker has ended');
  });

  it('does not keep a program alive that forgets to close it', async () => {
    const script = `import { createRecogniser } from ${JSON.stringify(new URL('../../dist/engine/asr/index.js', import.meta.url).href)};
      const recogniser = await createRecogniser({ modelDir: ${JSON.stringify(MODEL_DIR)}, modelId: 'm', device: 'cpu', threads: 1 });
      console.log((await recogniser.recognise(new Float32Array(16000).map((_, i) => Math.sin(i * i)))).guards.length);`;
    const parent = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: ['ignore', 'ignore', 'inherit'] });
    onTestFinished(() => void parent.kill('SIGKILL'));
    const [code] = (await once(parent, 'exit')) as [number];
    expect(code).toBe(0);
  });

  it('refuses a model that is not there or broken, and leaves no process', async () => {
    await expect(createRecogniser({ modelDir: join(scratch, 'nowhere'), modelId: 'x' })).rejects.toMatchObject({ code: 'model-missing' });
    const broken = join(scratch, 'broken');
    cpSync(MODEL_DIR, broken, { recursive: true });
    writeFileSync(join(broken, 'decoder.onnx'), 'this is no graph');
    await expect(createRecogniser({ modelDir: broken, modelId: 'x', device: 'cpu' })).rejects.toMatchObject({ code: 'model-broken' });
  });

  it('says so when another device than the one asked for is used', async () => {
    // the provider of another platform: never there
    const device = process.platform === 'win32' ? 'coreml' : 'dml';
    const recogniser = await start({ device });
    expect(recogniser.device).toBe('cpu');
    expect(recogniser.notices).toHaveLength(1);
    expect(recogniser.notices[0]?.text).toContain(`"${device}"`);
    expect((await recogniser.recognise(clip('tower.wav').samples)).device).toBe('cpu');
  });

  it('runs on "auto" with a device that exists and with a model folder whose name has other letters', async () => {
    const folder = join(scratch, 'Flüge Антон 東京 塔');
    cpSync(MODEL_DIR, folder, { recursive: true });
    const recogniser = await start({ device: 'auto', modelDir: folder });
    expect(['cpu', 'cuda', 'dml', 'coreml', 'webgpu']).toContain(recogniser.device);
    expect(wordErrorRate(clip('climb.wav').text, (await recogniser.recognise(clip('climb.wav').samples)).text)).toBeLessThan(0.25);
  });
});

