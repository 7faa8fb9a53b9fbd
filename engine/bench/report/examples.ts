/**
 * What failures look like: a few items of each kind, with their words, and their sound where there is some.
 */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import wavefile from 'wavefile';
import { z } from 'zod';
import { resample } from '../../audio/index.js';
import { toInt16 } from '../../domain/pcm.js';
import { SAMPLE_RATE } from '../../domain/stages.js';
import { riskRank } from '../../domain/taxonomy.js';
import { ANSWERS, GroundGold, PARTS, Task1Gold, Task2Gold, TASKS, type AnswerLine, type Gold, type HeardLine, type Part, type Task, type Voices } from '../run/items.js';
import { hashOfFile } from '../run/manifest.js';
import { soundOf, writtenPart, type Sound } from '../run/inputs.js';
import { answerFile, goldFile, itemsOf, type Cell } from '../run/run.js';
import { answersOf, heardOf } from '../run/answers.js';
import type { ConditionScores, RunScores } from '../run/score.js';
import { asWritten } from '../scores/task1.js';
import { openVoices } from '../voice/clips.js';

/** Folders of the items and of their speech, where they are known. */
export interface Places {
  readonly data?: string | undefined;
  readonly voice?: string | undefined;
}

export interface ExamplePart {
  readonly part: Part;
  readonly said: string;
  /** What was made of it, where it was heard. */
  readonly heard?: string;
  /** WAV, as a data address. */
  sound?: string;
}

export interface Example {
  readonly id: string;
  readonly parts: readonly ExamplePart[];
  readonly gold: string;
  readonly answer: string;
  readonly why?: string;
}

export interface ExampleGroup {
  readonly condition: string;
  readonly task: Task;
  readonly kind: string;
  /** How many there are in all. */
  readonly count: number;
  readonly examples: readonly Example[];
}

/** Of each kind and condition. */
const EACH = { text: 4, heard: 2 } as const;

/** Characters of sound in a page: what is more is left out, and the page stays small enough to be kept and sent. */
const SOUND = 1_800_000;

/** The worst first; of each kind the first items of the set. */
const KINDS: Readonly<Record<Exclude<Task, 'speech'>, readonly string[]>> = {
  task2: ['No answer', 'Wrong readbacks called right', 'Wrong readbacks called less grave than they are', 'Right readbacks called wrong', 'Wrong readbacks called graver than they are', 'Right level, another type'],
  task1: ['No answer', 'Other actions', 'A slot of an action is not as it was said', 'All actions and their slots right, other chunks not'],
  ground: ['No answer', 'Another action', 'A slot is not as it was said'],
};

/** Examples of every condition, in the order of the run. */
export async function collectExamples(run: string, scores: RunScores, places: Places): Promise<ExampleGroup[]> {
  const { config } = scores.manifest;
  const voices = await speech(scores, places);
  const out: ExampleGroup[] = [];
  const wanted: Wanted[] = [];
  for (const condition of scores.conditions) {
    for (const task of TASKS) {
      if (task === 'speech' || condition.tasks[task] === undefined) continue;
      const cell: Cell = { input: condition.input, system: condition.system, task };
      const answers = new Map((await answersOf(answerFile(run, cell))).map((line) => [line.id, line]));
      const heard = condition.kind === 'text' ? undefined : await heardOf(run, condition.input, task);
      // sounds are of the items only where the items are those of the run
      const data = places.data !== undefined && existsSync(resolve(places.data, `${task}.jsonl`)) && (await hashOfFile(resolve(places.data, `${task}.jsonl`))) === (await hashOfFile(goldFile(run, task))) ? places.data : undefined;
      const groups = new Map<string, { count: number; found: { gold: Gold; line: AnswerLine | undefined }[] }>();
      for await (const gold of itemsOf(run, task, config.limit, config.shard)) {
        if (heard !== undefined && !PARTS[task].every((part) => heard.has(`${part} ${gold.id}`))) continue;
        const line = answers.get(gold.id);
        const kind = kindOf(task, gold, line);
        if (kind === undefined) continue;
        const group = groups.get(kind) ?? { count: 0, found: [] };
        group.count++;
        if (group.found.length < (heard === undefined ? EACH.text : EACH.heard)) group.found.push({ gold, line });
        groups.set(kind, group);
      }
      for (const kind of KINDS[task]) {
        const group = groups.get(kind);
        if (group === undefined) continue;
        const examples = group.found.map(({ gold, line }): Example => ({ id: gold.id, ...told(task, gold, line), parts: PARTS[task].map((part) => partOf(task, gold, part, heard)) }));
        out.push({ condition: condition.condition, task, kind, count: group.count, examples });
        const [first] = group.found;
        const parts = first === undefined || heard === undefined ? [] : PARTS[task].flatMap((part, i) => { const [shown, sound] = [examples[0]?.parts[i], soundIn(condition, task, first.gold, part, data, voices, config.seed)]; return shown === undefined || sound === undefined ? [] : [{ shown, sound }]; });
        if (parts.length > 0 && first !== undefined) wanted.push({ kind: `${task} ${kind}`, key: `${condition.input} ${task} ${first.gold.id}`, input: condition.input, parts });
      }
    }
  }
  await giveSounds(wanted);
  return out;
}

/** An example that could be listened to: the first of its kind in its condition. */
interface Wanted {
  readonly kind: string;
  readonly key: string;
  readonly input: string;
  readonly parts: readonly { readonly shown: ExamplePart; readonly sound: Sound }[];
}

/** Sounds as far as there is room: of every kind in turn one, from the middle of the noise first; what several systems failed at sounds once. */
async function giveSounds(wanted: readonly Wanted[]): Promise<void> {
  const inputs = [...new Set(wanted.map(({ input }) => input))];
  const spread = [...new Set([Math.floor(inputs.length / 2), inputs.length - 1, ...inputs.keys()])].map((i) => inputs[i] ?? '');
  const rounds = new Map<string, number>();
  const heard = new Set<string>();
  const inTurn = [...wanted]
    .sort((a, b) => spread.indexOf(a.input) - spread.indexOf(b.input))
    .filter(({ key }) => !heard.has(key) && heard.add(key))
    .map((each) => {
      const round = rounds.get(each.kind) ?? 0;
      rounds.set(each.kind, round + 1);
      return { each, round };
    })
    .sort((a, b) => a.round - b.round);
  let room = SOUND;
  for (const { each } of inTurn) {
    const sounds = await Promise.all(each.parts.map(async ({ sound }) => address(await sound.samples())));
    const size = sounds.reduce((sum, { length }) => sum + length, 0);
    if (size > room) continue;
    room -= size;
    for (const [i, { shown }] of each.parts.entries()) shown.sound = sounds[i] ?? '';
  }
}

async function speech({ manifest }: RunScores, { voice }: Places): Promise<Voices | undefined> {
  if (manifest.config.voice === null || voice === undefined || !existsSync(voice)) return undefined;
  const voices = await openVoices(voice);
  return voices.sha256 === manifest.config.voice ? voices : undefined;
}

function partOf(task: Task, gold: Gold, part: Part, heard: ReadonlyMap<string, HeardLine> | undefined): ExamplePart {
  const line = heard?.get(`${part} ${gold.id}`);
  const said = line?.reference ?? writtenPart(task, gold, part) ?? '';
  return line === undefined ? { part, said } : { part, said, heard: line.error === undefined ? (line.text ?? '') : `(${line.error})` };
}

function soundIn({ kind, input, snr }: ConditionScores, task: Task, gold: Gold, part: Part, data: string | undefined, voices: Voices | undefined, seed: number): Sound | undefined {
  const source = kind === 'voice' && snr !== undefined ? ({ kind, name: input, snr } as const) : kind === 'recordings' ? ({ kind, name: 'recordings' } as const) : undefined;
  return source === undefined || (data === undefined && voices === undefined) ? undefined : soundOf(source, task, gold, part, data ?? '', voices, seed);
}

/** 8 kHz, µ-law: radio has nothing above 4 kHz, and a page with sounds should stay small. */
function address(samples: Float32Array): string {
  const wav = new wavefile.WaveFile();
  wav.fromScratch(1, SAMPLE_RATE / 2, '16', toInt16(resample(samples, SAMPLE_RATE, SAMPLE_RATE / 2)));
  wav.toMuLaw();
  return `data:audio/wav;base64,${Buffer.from(wav.toBuffer()).toString('base64')}`;
}

const spans = (labelled: { readonly tokens: readonly { text: string; label: string }[] }): string[] => labelled.tokens.filter(({ label }) => label !== 'O').map(({ text, label }) => `${label}: ${asWritten(text)}`);

function kindOf(task: Exclude<Task, 'speech'>, gold: Gold, line: AnswerLine | undefined): string | undefined {
  const answer = line?.error === undefined ? ANSWERS[task].safeParse(line?.answer) : undefined;
  if (answer?.success !== true) return 'No answer';
  switch (task) {
    case 'task2': {
      const [want, got] = [Task2Gold.parse(gold), ANSWERS.task2.parse(answer.data)];
      if (!want.is_correct && got.is_correct) return KINDS.task2[1];
      if (riskRank(got.risk_level) < riskRank(want.risk_level)) return KINDS.task2[2];
      if (want.is_correct && !got.is_correct) return KINDS.task2[3];
      if (riskRank(got.risk_level) > riskRank(want.risk_level)) return KINDS.task2[4];
      return got.error_type === want.error_type ? undefined : KINDS.task2[5];
    }
    case 'task1': {
      const [want, got] = [Task1Gold.parse(gold), ANSWERS.task1.parse(answer.data)];
      if ([...want.utterance_action].sort().join() !== [...got.utterance_action].sort().join()) return KINDS.task1[1];
      const [wanted, given] = [spans(want), spans(got)];
      const lost = wanted.filter((span) => !given.includes(span));
      if (lost.some((span) => !/^(?:[a-z]+_[a-z]+|clearance|contact|controller|relation|attribute|gate|polarity): /u.test(span))) return KINDS.task1[2];
      return lost.length > 0 || wanted.length !== given.length ? KINDS.task1[3] : undefined;
    }
    case 'ground': {
      const [want, got] = [GroundGold.parse(gold), ANSWERS.ground.parse(answer.data)];
      if (want.action !== got.action) return KINDS.ground[1];
      const list = (reading: typeof got): string => reading.entities.map(({ type, text }) => `${type}: ${asWritten(text)}`).sort().join('\n');
      return list(want) === list(got) ? undefined : KINDS.ground[2];
    }
  }
}

const Said = z.looseObject({ affected_slot: z.string().nullable().optional(), verdict: z.string().optional(), explanation: z.string().optional(), doubts: z.array(z.string()).optional(), unreadable: z.string().optional() });

/** Gold and answer as a person reads them; what both have in common is left out. */
function told(task: Exclude<Task, 'speech'>, gold: Gold, line: AnswerLine | undefined): Pick<Example, 'gold' | 'answer' | 'why'> {
  const raw = Said.safeParse(line?.answer).data;
  const answer = ANSWERS[task].safeParse(line?.answer);
  const nothing = line === undefined ? 'no answer yet' : (line.error ?? raw?.unreadable ?? 'an answer that cannot be read');
  const differing = (wanted: readonly string[], given: readonly string[]): Pick<Example, 'gold' | 'answer'> => ({ gold: wanted.filter((span) => !given.includes(span)).join('; ') || '(all of it is in the answer)', answer: given.filter((span) => !wanted.includes(span)).join('; ') || '(nothing besides)' });
  switch (task) {
    case 'task2': {
      const want = Task2Gold.parse(gold);
      if (!answer.success) return { gold: `${want.error_type}, ${want.risk_level}`, answer: nothing };
      const got = ANSWERS.task2.parse(answer.data);
      const why = [raw?.explanation, ...(raw?.doubts ?? [])].filter((text) => text !== undefined && text !== '').join(' ');
      return { gold: `${want.error_type}, ${want.risk_level}`, answer: `${got.error_type}, ${got.risk_level}${raw?.affected_slot === null || raw?.affected_slot === undefined ? '' : `, ${raw.affected_slot}`}${got.verdict === undefined ? '' : ` (${got.verdict})`}`, ...(why === '' ? {} : { why }) };
    }
    case 'task1': {
      const want = Task1Gold.parse(gold);
      return answer.success ? differing(spans(want), spans(ANSWERS.task1.parse(answer.data))) : { gold: spans(want).join('; '), answer: nothing };
    }
    case 'ground': {
      const list = (reading: { action: string; entities: readonly { type: string; text: string }[] }): string[] => [`action: ${reading.action}`, ...reading.entities.map(({ type, text }) => `${type}: ${asWritten(text)}`)];
      const want = list(GroundGold.parse(gold));
      return answer.success ? differing(want, list(ANSWERS.ground.parse(answer.data))) : { gold: want.join('; '), answer: nothing };
    }
  }
}
