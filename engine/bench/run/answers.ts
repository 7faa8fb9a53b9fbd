/**
 * Reading the results of a run: gold with what was answered, and what was heard.
 */
import { asWritten, type Form } from '../scores/task1.js';
import { AnswerLine, HeardLine, PARTS, type Gold, type Task } from './items.js';
import { heardFile } from './run.js';
import { readLines } from './store.js';

type Items<G, A> = { readonly gold: G; readonly answer: A | null }[];

/** Gold with what was answered; null where nothing was that can be read, which is counted. */
export function pairs<G extends { readonly id: string }, A>(gold: readonly Gold[], answers: ReadonlyMap<string, AnswerLine>, goldSchema: { parse: (value: unknown) => G }, answerSchema: { safeParse: (value: unknown) => { success: true; data: A } | { success: false } }, counts = { missing: 0, failed: 0, unreadable: 0 }): Items<G, A> {
  const take = (id: string): A | null => {
    const line = answers.get(id);
    if (line === undefined) counts.missing++;
    else if (line.error !== undefined) counts.failed++;
    else {
      const read = answerSchema.safeParse('answer' in line ? line.answer : line);
      if (read.success) return read.data;
      counts.unreadable++;
    }
    return null;
  };
  return gold.map((item) => ({ gold: goldSchema.parse(item), answer: take(item.id) }));
}

/** Texts of entities in the form in which they are compared. */
export function inForm<G extends { readonly entities: readonly { type: string; text: string }[] }, A extends { readonly entities: readonly { type: string; text: string }[] }>(items: Items<G, A>, form: Form): Items<G, A> {
  if (form === asWritten) return items;
  const changed = <T extends { readonly entities: readonly { type: string; text: string }[] }>(reading: T): T => ({ ...reading, entities: reading.entities.map(({ type, text }) => ({ type, text: form(text) })) });
  return items.map(({ gold, answer }) => ({ gold: changed(gold), answer: answer === null ? null : changed(answer) }));
}

/** What was heard of the items, by part and id; the last line of a key counts. */
export async function heardOf(folder: string, input: string, task: Task): Promise<Map<string, HeardLine>> {
  const lines = new Map<string, HeardLine>();
  for await (const value of readLines(heardFile(folder, input, task))) {
    const line = HeardLine.parse(value);
    const part = line.part ?? PARTS[task][0];
    // times of words and alternatives are for the judge
    lines.set(`${part} ${line.id}`, { id: line.id, part, text: line.text, error: line.error, reference: line.reference, guards: line.guards, ms: line.ms, seconds: line.seconds });
  }
  return lines;
}

/** Answers of a file, the last of each id. */
export async function answersOf(path: string): Promise<AnswerLine[]> {
  const lines = new Map<string, AnswerLine>();
  for await (const value of readLines(path)) {
    const line = AnswerLine.parse(value);
    lines.set(line.id, line);
  }
  return [...lines.values()];
}
