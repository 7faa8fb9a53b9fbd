/** The truth files of fixtures/ hold together: names of the domain, times in order, every kind of exchange that the demonstration promises. */
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { EXCHANGE_STATUSES } from '../engine/domain/exchange.js';
import { ERROR_TYPES, ErrorType, RISK_OF, RiskLevel, Role } from '../engine/domain/taxonomy.js';
import { Context } from '../engine/domain/understanding.js';

const root = join(import.meta.dirname, '..', 'fixtures');
const Finding = z.object({
  is_correct: z.boolean(),
  error_type: ErrorType,
  risk_level: RiskLevel,
  affected_slot: z.string().nullable(),
  why: z.string().min(1),
});
const NoFinding = z.object({ is_correct: z.null(), error_type: z.null(), risk_level: z.null(), affected_slot: z.null(), why: z.string().min(1) });
const Exchange = z
  .object({
    id: z.string(),
    callsign: z.string(),
    instruction: z.string(),
    readbacks: z.array(z.string()),
    status: z.enum(EXCHANGE_STATUSES),
    follows: z.string().optional(),
    note: z.string().optional(),
    paper: Finding.optional(),
  })
  .and(z.union([Finding, NoFinding]));
const Transmission = z.object({
  id: z.string(),
  start: z.number().nonnegative(),
  end: z.number(),
  speaker: z.string(),
  role: Role,
  text: z.string().regex(/^[a-z' ]+$/u),
  voice: z.string(),
});
const Recording = z.object({ recording: z.string(), duration: z.number().positive(), transmissions: z.array(Transmission) });
const Demo = Recording.extend({ exchanges: z.array(Exchange), not_readbacks: z.array(z.string()) });
const Collection = z.object({ recordings: z.array(Recording), exchanges: z.array(Exchange).default([]) });

const read = (path: string): unknown => JSON.parse(readFileSync(join(root, path), 'utf8'));
const demo = Demo.parse(read('demo/tower-and-approach.truth.json'));
const traffic = Context.parse(read('demo/traffic.json'));

describe('truth of the demonstration', () => {
  it('has transmissions in order that do not overlap and end before the recording does', () => {
    let before = 0;
    for (const t of demo.transmissions) {
      expect(t.start, t.id).toBeGreaterThanOrEqual(before + 0.3);
      expect(t.end, t.id).toBeGreaterThan(t.start + 0.8);
      before = t.end;
    }
    expect(before).toBeLessThan(demo.duration);
  });

  it('names transmissions of the right role in every exchange, and each pilot transmission once', () => {
    const role = new Map(demo.transmissions.map((t) => [t.id, t.role]));
    for (const e of demo.exchanges) {
      expect(role.get(e.instruction), e.id).toBe('controller');
      for (const id of e.readbacks) expect(role.get(id), e.id).toBe('pilot');
    }
    const answers = demo.exchanges.flatMap((e) => e.readbacks);
    const pilots = demo.transmissions.filter((t) => t.role === 'pilot').map((t) => t.id);
    expect([...answers, ...demo.not_readbacks].sort()).toEqual(pilots.sort());
  });

  it('gives each error type its level', () => {
    for (const e of demo.exchanges) {
      if (e.error_type !== null) expect(e.risk_level, e.id).toBe(RISK_OF[e.error_type]);
      if (e.paper) expect(e.paper.risk_level, e.id).toBe(RISK_OF[e.paper.error_type]);
    }
  });

  it('holds every error type, an unanswered, a superseded and a corrected exchange', () => {
    expect(new Set(demo.exchanges.flatMap((e) => e.error_type ?? []))).toEqual(new Set(ERROR_TYPES));
    for (const status of ['answered', 'unanswered', 'superseded', 'corrected'] as const) {
      expect(demo.exchanges.some((e) => e.status === status), status).toBe(true);
    }
    expect(demo.exchanges.length).toBeGreaterThanOrEqual(15);
  });

  it('has a finding exactly where there is a readback', () => {
    for (const e of demo.exchanges) expect(e.error_type !== null, e.id).toBe(e.readbacks.length > 0);
  });

  it('lists all aircraft as traffic', () => {
    const known = new Set(traffic.callsigns);
    for (const e of demo.exchanges) expect(known.has(e.callsign), e.callsign).toBe(true);
    for (const t of demo.transmissions) if (t.role === 'pilot') expect(known.has(t.speaker), t.speaker).toBe(true);
  });
});

describe.each(['clips', 'blocks'])('truth of %s', (folder) => {
  const set = Collection.parse(read(join(folder, 'truth.json')));
  it('has a file for every recording and times inside it', () => {
    expect(set.recordings.length).toBeGreaterThan(8);
    for (const r of set.recordings) {
      expect(statSync(join(root, folder, r.recording)).size).toBeGreaterThan(1000);
      for (const t of r.transmissions) expect(t.end, t.id).toBeLessThanOrEqual(r.duration + 0.001);
    }
  });
  it('names existing transmissions in its exchanges', () => {
    const ids = new Set(set.recordings.flatMap((r) => r.transmissions.map((t) => t.id)));
    for (const e of set.exchanges) for (const id of [e.instruction, ...e.readbacks]) expect(ids.has(id), id).toBe(true);
  });
});
