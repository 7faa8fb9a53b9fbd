/** `bench` as a user calls it: runs, kills, shards, a language-model server that fails and is mended, scores, comparison, report, exit codes. */
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hearback, jsonLines, root, scratch, start } from './command.js';
import { hangs, languageServer, says, type Behaviour, type LanguageServer } from './support/language-server.js';

const { dir, remove } = scratch('bench');
afterAll(remove);

const ITEMS = 400;
const FILE = join('text', 'rules', 'task2.jsonl');
const answersOf = (run: string, file = FILE): unknown[] => jsonLines(readFileSync(join(run, file), 'utf8')).map(({ id, answer }) => ({ id, answer }));
const args = (out: string, ...more: readonly string[]): string[] => ['bench', 'run', '--out', out, '--task', 'task2', '--limit', String(ITEMS), ...more];
const whole = join(dir, 'whole');

/** Kills the run as soon as it has written that share of its answers. */
async function killAt(command: readonly string[], file: string, size: number): Promise<void> {
  const child = start(command);
  const closed = once(child, 'close');
  while (child.exitCode === null && !(existsSync(file) && statSync(file).size > size)) await wait(2);
  child.kill('SIGKILL');
  await closed;
}

beforeAll(async () => {
  expect((await hearback(args(whole))).code).toBe(0);
}, 120_000);

test('two shards, killed five times at random between them, gone on with and merged, are the undisturbed run', { timeout: 240_000 }, async () => {
  const seed = Math.floor(Math.random() * 1e6);
  let state = seed;
  const random = (): number => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return state / 0x7fffffff;
  };
  const full = statSync(join(whole, FILE)).size / 2;
  const places = Array.from({ length: 5 }, random).sort((a, b) => a - b);
  const parts = [join(dir, 'part1'), join(dir, 'part2')];
  for (const [i, place] of places.entries()) {
    const shard = i % 2;
    await killAt(args(parts[shard] ?? '', '--shard', `${String(shard + 1)}/2`), join(parts[shard] ?? '', FILE), place * full);
  }
  for (const [i, part] of parts.entries()) expect((await hearback(args(part, '--shard', `${String(i + 1)}/2`))).code, `seed ${String(seed)}`).toBe(0);
  const merged = join(dir, 'merged');
  expect((await hearback(['bench', 'merge', ...parts, '--out', merged])).code).toBe(0);
  expect(answersOf(merged), `seed ${String(seed)}`).toEqual(answersOf(whole));
  const scores = async (run: string): Promise<unknown> => {
    const { stdout } = await hearback(['bench', 'score', run, '--rounds', '50']);
    const [line] = jsonLines(stdout);
    return { ...line, ms: undefined };
  };
  expect(await scores(merged)).toEqual(await scores(whole));
});

test('scores with thresholds, comparison, list, report; a changed setting is refused with its field', { timeout: 180_000 }, async () => {
  const scored = await hearback(['bench', 'score', whole, '--rounds', '50', '--max', 'ddr=0.06', '--min', 'text/rules:task2.is_correct=0.9']);
  expect(scored.code).toBe(0);
  expect(jsonLines(scored.stdout)[0]).toMatchObject({ condition: 'text/rules', task: 'task2', items: ITEMS, missing: 0, unknown: 0 });
  expect((await hearback(['bench', 'score', whole, '--rounds', '50', '--max', 'is_correct=0.5'])).code).toBe(3);

  const changed = await hearback(args(whole, '--judge', 'string-difference'));
  expect(changed.code).toBe(2);
  expect(changed.stderr).toContain('"systems[0].');
  const other = join(dir, 'difference');
  expect((await hearback(['bench', 'run', '--out', other, '--task', 'task2', '--limit', '100', '--judge', 'string-difference'])).code).toBe(0);
  const compared = await hearback(['bench', 'compare', whole, other, '--rounds', '50', '--json']);
  expect(compared.code).toBe(0);
  const [line] = jsonLines(compared.stdout);
  expect(line).toMatchObject({ task: 'task2', items: 100, remarks: [expect.stringContaining(`not on the same items: ${String(ITEMS - 100)} are in the first alone`)] });
  expect((await hearback(['bench', 'list', dir])).stdout).toContain(`text/rules                   task2   ${String(ITEMS)} items: ${String(ITEMS)} at the first time`);

  const out = join(dir, 'report');
  const report = await hearback(['bench', 'report', whole, '--rounds', '50', '--out', out, '--max', 'task2.ddr=0.06', '--max', 'task2.is_correct=0.5']);
  expect(report.code).toBe(3);
  expect(readdirSync(out).sort()).toEqual(['junit.xml', 'report.html', 'report.md', 'scores.csv', 'scores.json']);
  const page = readFileSync(join(out, 'report.html'), 'utf8');
  expect(page).toContain('published, on other data');
  expect(page).toContain('Synthetic');
  // nothing is fetched: no address but of sounds and pictures inside the page
  expect([...page.matchAll(/(?:src|href)="([^"#][^"]*)"/gu)].map((match) => match[1]).filter((address) => !(address ?? '').startsWith('data:'))).toEqual([]);
  expect(page).not.toMatch(/undefined|NaN|\[object/u);
  expect(readFileSync(join(out, 'junit.xml'), 'utf8')).toContain('tests="2" failures="1"');
});

test('answers of others from files; what is missing is said; usage errors end with 2, failures with 1', { timeout: 120_000 }, async () => {
  mkdirSync(dir, { recursive: true });
  const gold = join(dir, 'gold.jsonl');
  const answers = join(dir, 'answers.jsonl');
  writeFileSync(gold, '{"id":"a","instruction":"x","readback":"y","is_correct":false,"error_type":"VALUE_HIGH","risk_level":"HIGH"}\n{"id":"b","instruction":"x","readback":"y","is_correct":true,"error_type":"CORRECT","risk_level":"CORRECT"}\n');
  writeFileSync(answers, '{"id":"a","is_correct":false,"error_type":"VALUE_HIGH","risk_level":"HIGH","affected_slot":"speed","explanation":""}\n');
  const scored = await hearback(['bench', 'score', '--task', 'task2', '--gold', gold, '--answers', answers, '--rounds', '20']);
  expect(scored.code).toBe(0);
  expect(jsonLines(scored.stdout)[0]).toMatchObject({ items: 2, missing: 1, scores: { is_correct: { value: 0.5, of: 2 }, ddr: { value: 0 } } });
  writeFileSync(answers, 'no json\n');
  const broken = await hearback(['bench', 'score', '--task', 'task2', '--gold', gold, '--answers', answers, '--rounds', '20']);
  expect([broken.code, broken.stderr.includes('line 1 is not JSON')]).toEqual([1, true]);
  const settings = join(dir, 'run.yaml');
  writeFileSync(settings, 'systems:\n  - judge: oracle\n');
  const refused = await hearback(['bench', 'run', '--config', settings, '--out', join(dir, 'none')]);
  expect([refused.code, refused.stderr.includes('line 2: "systems[0].judge"')]).toEqual([2, true]);
  for (const wrong of [['score'], ['score', '--task', 'task9'], ['score', '--task', 'task2', '--gold', gold, '--answers', gold, '--min', 'ddr'], ['score', '--task', 'task2', '--gold', gold, '--answers', gold, '--min', 'nothing=1'], ['run', '--out', 'x', '--shard', '3/2'], ['run', '--out', 'x', '--config', settings, '--judge', 'rules']]) {
    expect((await hearback(['bench', ...wrong])).code, wrong.join(' ')).toBe(2);
  }
  expect((await hearback(['bench', 'report', join(root, 'docs')])).code).toBe(1);
});

test('memory does not grow with the items: ten times as many take hardly more', { timeout: 120_000 }, async () => {
  const peak = async (items: number): Promise<number> => {
    const data = join(dir, `many${String(items)}`);
    mkdirSync(data, { recursive: true });
    const lines = readFileSync(join(root, 'fixtures', 'bench', 'task2.jsonl'), 'utf8').trimEnd().split('\n').map((line) => JSON.parse(line) as object);
    writeFileSync(join(data, 'task2.jsonl'), Array.from({ length: items }, (_, i) => `${JSON.stringify({ ...lines[i % lines.length], id: String(i) })}\n`).join(''));
    const { stdout } = await hearback(['bench', 'run', '--data', data, '--judge', 'string-difference', '--out', join(data, 'run')]);
    return (jsonLines(stdout)[0] as { peak_memory_mb: { program: number } }).peak_memory_mb.program;
  };
  const [few, many] = [await peak(800), await peak(8000)];
  expect(many).toBeLessThan(350);
  expect(many - few).toBeLessThan(80);
});

test('speech over the radio, by the recogniser that ships: heard lines, what recognition costs, and sounds in the page', { timeout: 120_000 }, async () => {
  const run = join(dir, 'voice');
  const command = ['bench', 'run', '--out', run, '--task', 'task1', '--limit', '1', '--input', 'text', '--snr', 'clean,0', '--seed', '3'];
  const ran = await hearback(command);
  expect(ran.code).toBe(0);
  expect(jsonLines(ran.stdout)[0]).toMatchObject({ counts: { 'text/rules': { task1: { first_time: 1 } }, 'clean/rules': { task1: { first_time: 1 } }, '0dB/rules': { task1: { first_time: 1 } } } });
  const [heard] = jsonLines(readFileSync(join(run, 'clean', 'heard-task1.jsonl'), 'utf8')) as { reference: string; text: string; ms: number; seconds: number; words: unknown[] }[];
  const shared = (heard?.text ?? '').split(' ').filter((word) => heard?.reference.split(' ').includes(word)).length;
  expect(shared).toBeGreaterThan((heard?.reference.split(' ').length ?? Infinity) / 3);
  expect([(heard?.ms ?? 0) > 0, (heard?.seconds ?? 0) > 1, (heard?.words.length ?? 0) > 0]).toEqual([true, true, true]);

  // other rules: what was heard stays, byte by byte, and every answer is made anew
  const files = ['clean', '0dB'].map((input) => join(run, input, 'heard-task1.jsonl'));
  const before = files.map((file) => readFileSync(file, 'utf8'));
  const manifest = JSON.parse(readFileSync(join(run, 'manifest.json'), 'utf8')) as { config: { code: string } };
  writeFileSync(join(run, 'manifest.json'), JSON.stringify({ ...manifest, config: { ...manifest.config, code: 'of other rules' } }));
  const refused = await hearback(command);
  expect([refused.code, refused.stderr.includes('--answer-again')]).toEqual([2, true]);
  expect((await hearback([...command, '--answer-again'])).code).toBe(0);
  expect(files.map((file) => readFileSync(file, 'utf8'))).toEqual(before);
  expect(JSON.parse(readFileSync(join(run, 'manifest.json'), 'utf8'))).toMatchObject({ config: manifest.config, counts: { '0dB/rules': { task1: { first_time: 1 } } } });

  expect((await hearback(['bench', 'report', run, '--rounds', '20'])).code).toBe(0);
  const page = readFileSync(join(run, 'report', 'report.html'), 'utf8');
  expect(page).toContain('What recognition costs');
  // at 0 dB something goes wrong, and can be listened to
  expect(page).toContain('<audio controls preload="none" src="data:audio/wav;base64,');
  expect(readFileSync(join(run, 'report', 'sclite', '0dB', 'ref.trn'), 'utf8')).toBe(`${heard?.reference ?? ''} (task1-t1-0001-utterance)\n`);
});

describe('a server that answers rubbish, is late, and is mended', () => {
  let server: LanguageServer;
  beforeAll(async () => {
    server = await languageServer();
  });
  afterAll(() => server.close());

  /** Whatever is asked, the same right judgement, but for some of the pairs. */
  const answer = says(JSON.stringify({ is_correct: true, error_type: 'CORRECT', risk_level: 'CORRECT', affected_slot: null, explanation: 'The same.' }));
  const pairs = Array.from({ length: 100 }, (_, i) => ({ id: `p${String(i)}`, instruction: `germania one climb flight level ${String(100 + i)}`, readback: `climb flight level ${String(100 + i)} germania one`, ...(i % 4 === 0 ? { is_correct: false, error_type: 'VALUE_CRITICAL', risk_level: 'CRITICAL' } : { is_correct: true, error_type: 'CORRECT', risk_level: 'CORRECT' }) }));
  const numberOf = (body: Record<string, unknown>): number => {
    // the pair stands last in the prompt, behind any examples
    const found = [...JSON.stringify(body['messages']).matchAll(/flight level (1\d\d)/gu)].at(-1)?.[1];
    return Number(found) - 100;
  };
  // 15 are broken, 5 never come
  const failing: Behaviour = (response, request) => {
    const i = numberOf(request.body);
    (i >= 10 && i < 25 ? says('{"is_correct": tru') : i >= 40 && i < 45 ? hangs : answer)(response, request);
  };

  test('the failures are asked again, a kill between loses nothing, and the figures are those of one clean run', { timeout: 300_000 }, async () => {
    const data = join(dir, 'pairs');
    mkdirSync(data, { recursive: true });
    writeFileSync(join(data, 'task2.jsonl'), pairs.map((pair) => `${JSON.stringify(pair)}\n`).join(''));
    const settings = join(dir, 'llm.yaml');
    writeFileSync(settings, `data: ${JSON.stringify(data)}\nsystems:\n  - {name: model, judge: llm, provider: openai, url: "${server.url}", model: a-model, prompt: zero-shot, time_limit: 1}\n`);
    const command = (out: string, ...more: string[]): string[] => ['bench', 'run', '--config', settings, '--out', out, ...more];
    const counts = (stdout: string): unknown => (jsonLines(stdout)[0] as { counts: Record<string, unknown> }).counts['text/model'];

    const run = join(dir, 'mended');
    server.behave(failing);
    const first = await hearback(command(run));
    expect(first.code).toBe(1);
    expect(counts(first.stdout)).toEqual({ task2: { items: 100, first_time: 80, retried: 0, unreadable: 15, error: 5, skipped: 0 } });
    // unreadable and failed answers are the dangerous reading: those of wrong readbacks among 10…24 (12, 16, 20, 24) and 40…44 (40, 44) are downgrades, as all others here
    const worst = jsonLines((await hearback(['bench', 'score', run, '--rounds', '20'])).stdout)[0] as { scores: Record<string, { value: number }> };
    expect([worst.scores['ddr']?.value, worst.scores['is_correct']?.value]).toEqual([0.25, (80 - (25 - 6)) / 100]);

    // mended; the failures are really asked again, and the rest is not
    server.behave(answer);
    await killAt(command(run, '--retry-errors'), join(run, 'text', 'model', 'task2.jsonl'), statSync(join(run, 'text', 'model', 'task2.jsonl')).size + 1500);
    const again = await hearback(command(run, '--retry-errors'));
    expect(again.code).toBe(0);
    expect(counts(again.stdout)).toEqual({ task2: { items: 100, first_time: 80, retried: 20, unreadable: 0, error: 0, skipped: 0 } });
    const asked = server.received.map(({ body }) => numberOf(body));
    expect(new Set(asked)).toEqual(new Set([...Array.from({ length: 15 }, (_, i) => 10 + i), ...Array.from({ length: 5 }, (_, i) => 40 + i)]));

    const clean = join(dir, 'clean');
    expect((await hearback(command(clean))).code).toBe(0);
    const figures = async (folder: string): Promise<unknown> => {
      const [line] = jsonLines((await hearback(['bench', 'score', folder, '--rounds', '50'])).stdout);
      return { ...line, ms: undefined, counts: undefined };
    };
    expect(await figures(run)).toEqual(await figures(clean));
  });
});
