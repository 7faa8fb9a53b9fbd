/**
 * Sessions that people went over: `hearback export SESSION --format jsonl` as a benchmark. Gold is what a reviewer decided and wrote, the
 * recorded hypothesis what the recogniser had made of it.
 */
import { existsSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import { z } from 'zod';
import { ErrorType } from '../../domain/taxonomy.js';
import type { Part } from '../run/items.js';
import type { BenchItem, OnBad } from './item.js';
import { itemOf, whatIsWrong } from './record.js';
import { jsonLines } from './text.js';

const Half = z.array(z.object({ id: z.string(), text: z.string().nullable(), text_machine: z.string().nullable() }));
const Exchange = z.object({ id: z.string(), instruction: Half, readback: Half, verdict: z.string().nullable(), error_type: z.string().nullable(), risk_level: z.string().nullable().optional(), affected_slot: z.string().nullable(), review: z.unknown() });
const Transmission = z.object({ id: z.string(), audio: z.string().nullable() });
const Record_ = z.looseObject({ record: z.string() });

const said = (half: z.infer<typeof Half>, of: 'text' | 'text_machine'): string => half.flatMap((line) => line[of] ?? []).join(' ').trim();

/** Reviewed exchanges with a readback, a decided type and both texts. Sound: of halves that are one transmission, where it lies beside the export. */
export async function* loadSession(path: string, onBad: OnBad): AsyncGenerator<BenchItem> {
  const where = basename(path);
  const audio = new Map<string, string>();
  let unreviewed = 0;
  let recording: string | undefined;
  for await (const { line, value, why } of jsonLines(path)) {
    const bad = (reason: string): void => { onBad({ where, line, why: reason }); }; // prettier-ignore
    const record = Record_.safeParse(value);
    if (!record.success) {
      bad(why ?? 'it is no line of an exported session: "record" is missing');
      continue;
    }
    if (record.data.record === 'session') recording = z.object({ recording: z.string() }).safeParse(value).data?.recording;
    if (record.data.record === 'transmission') {
      const transmission = Transmission.safeParse(value);
      if (transmission.success && transmission.data.audio !== null) audio.set(transmission.data.id, transmission.data.audio);
    }
    if (record.data.record !== 'exchange') continue;
    const exchange = Exchange.safeParse(value);
    if (!exchange.success) {
      bad(whatIsWrong(exchange.error));
      continue;
    }
    const { id, instruction, readback, verdict, error_type: type, risk_level: risk, affected_slot: slot, review } = exchange.data;
    if (review === null || review === undefined) {
      unreviewed++;
      continue;
    }
    const [told, back] = [said(instruction, 'text'), said(readback, 'text')];
    if (back === '' || told === '') bad(`exchange ${id} has no ${told === '' ? 'instruction' : 'readback'}`);
    else if (verdict !== 'correct' && verdict !== 'error') bad(`exchange ${id} was left ${verdict ?? 'undecided'}`);
    else if (!ErrorType.safeParse(type).success) bad(`exchange ${id}: the reviewer told no error type of the taxonomy`);
    else {
      const sounds: Partial<Record<Part, { file: string }>> = {};
      for (const [part, half] of [['instruction', instruction], ['readback', readback]] as const) {
        const file = half.length === 1 ? audio.get(half[0]?.id ?? '') : undefined;
        const found = file === undefined ? undefined : resolve(dirname(path), file);
        if (found !== undefined && existsSync(found)) sounds[part] = { file: found };
      }
      const heard = { instruction: said(instruction, 'text_machine'), readback: said(readback, 'text_machine') };
      const item = itemOf({ id, instruction: told, readback: back, error_type: type, risk_level: risk ?? undefined, affected_slot: slot, hypotheses: heard, ...(recording === undefined ? {} : { recording }), ...(Object.keys(sounds).length === 0 ? {} : { audio: sounds }) }, path, id, 'task2');
      if (typeof item === 'string') bad(item);
      else yield item;
    }
  }
  if (unreviewed > 0) onBad({ where, why: `${String(unreviewed)} exchanges that nobody reviewed` });
}
