import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ACTION_WEIGHT, ACTIONS, SLOT_LABELS, SLOT_WEIGHT, type SlotLabel } from '../../domain/taxonomy.js';
import { ACTION_SLOTS, geometric, LAMBDA, linear, penalty, scoreTask1, scoreUtterance, type Labelled } from './task1.js';

const slots = (...of: readonly (readonly [weight: number, hit: boolean])[]) => of.map(([weight, hit]) => ({ weight, hit }));
const labelled = (utterance_action: readonly string[], ...tokens: readonly (readonly [text: string, label: string])[]): Labelled => ({ utterance_action, tokens: tokens.map(([text, label]) => ({ text, label })) });

describe('published worked examples', () => {
  // Table 19 pools the slots of both actions. The formula gives .1468 and .0215 where the paper prints .148 and .021
  test('frequency missed', () => {
    const missed = slots([1, true], [0.8, true], [0.2, true], [0.4, false]);
    expect(linear(missed)).toBeCloseTo(0.833, 3);
    expect(geometric(missed)).toBeCloseTo(10 ** (-5 / 6), 4);
    expect(Math.abs(geometric(missed) - 0.148)).toBeLessThan(0.0015);
  });
  test('heading missed', () => {
    const missed = slots([1, true], [0.8, false], [0.2, true], [0.4, true]);
    expect(linear(missed)).toBeCloseTo(0.667, 3);
    expect(geometric(missed)).toBeCloseTo(10 ** (-5 / 3), 4);
    expect(Math.abs(geometric(missed) - 0.021)).toBeLessThan(0.0006);
  });
  // Table 22
  const handOver = labelled(['clearance', 'contact'], ['csa four nine three', 'callsign'], ['continue approach', 'clearance'], ['runway one three', 'runway'], ['call', 'contact'], ['tower', 'controller'], ['one one eight one', 'frequency']);
  test('controller missed: AR-Lin .971, AR-Geo .824, NER-F1 .909', () => {
    const scores = scoreUtterance(handOver, { ...handOver, tokens: handOver.tokens.filter(({ label }) => label !== 'controller') });
    expect(scores.ar_lin).toBeCloseTo(0.971, 3);
    expect(scores.ar_geo).toBeCloseTo(0.824, 3);
    expect(scores.ner_f1).toBeCloseTo(0.909, 3);
    expect([scores.act_ex, scores.strict]).toEqual([1, 0]);
  });
  test('callsign cut: AR-Lin .375, AR-Geo .0007', () => {
    const gold = labelled(['contact'], ['speedbird one two nine', 'callsign'], ['contact', 'contact'], ['rhein', 'controller'], ['on', 'relation'], ['one three two decimal four', 'frequency']);
    const cut = labelled(['contact'], ['speedbird', 'callsign'], ['one two nine', 'attribute'], ['contact', 'contact'], ['rhein', 'controller'], ['on', 'relation'], ['one three two decimal four', 'frequency']);
    const scores = scoreUtterance(gold, cut);
    expect(scores.ar_lin).toBeCloseTo(0.375, 6);
    expect(Math.floor(scores.ar_geo * 1e4) / 1e4).toBe(0.0007);
    expect(scores.ner_span_f1).toBeCloseTo(0.727, 3);
  });
  test('callsign missing: AR-Lin .600, AR-Geo .0100, NER-F1 .889', () => {
    const gold = labelled(['altitude_control'], ['climb', 'altitude_control'], ['flight level three four zero', 'altitude'], ['to be level by', 'condition'], ['kilnu', 'waypoint'], ['norshuttle four five zero two', 'callsign']);
    const run = labelled(['altitude_control'], ['climb', 'altitude_control'], ['flight level three four zero', 'altitude'], ['to be level by', 'condition'], ['kilnu norshuttle four five zero two', 'waypoint']);
    const scores = scoreUtterance(gold, run);
    expect(scores.ar_lin).toBeCloseTo(0.6, 6);
    expect(scores.ar_geo).toBeCloseTo(0.01, 4);
    expect(scores.ner_f1).toBeCloseTo(0.889, 3);
  });
});

describe('by hand', () => {
  const gold = labelled(['heading_control', 'altitude_control'], ['germania two one', 'callsign'], ['turn left', 'heading_control'], ['heading two one zero', 'heading'], ['and', 'O'], ['descend', 'altitude_control'], ['four thousand feet', 'altitude'], ['when ready', 'condition']);
  // the condition is missing, the heading too long; both actions are there
  const answer = labelled(['heading_control', 'altitude_control'], ['Germania  two one', 'callsign'], ['turn left', 'heading_control'], ['heading two one zero and', 'heading'], ['descend', 'altitude_control'], ['four thousand feet', 'altitude'], ['when ready', 'O']);
  const scores = scoreUtterance(gold, answer);
  test('entities', () => {
    // weights: callsign 1, heading .8, altitude 1, condition .5; recovered callsign and altitude
    expect(scores.ner_lin).toBeCloseTo((2 * 2) / (3.3 + 2.8), 10);
    expect(scores.ner_geo).toBeCloseTo(Math.exp((1.3 * Math.log(1e-5)) / 3.3), 4);
    expect(scores.ner_erp).toBeCloseTo(Math.exp(-2 * 1.3), 10);
    // labels without O: gold six, answer five, all five among them; spans: four of them exact
    expect(scores.ner_f1).toBeCloseTo(10 / 11, 10);
    expect(scores.ner_span_f1).toBeCloseTo(8 / 11, 10);
  });
  test('actions', () => {
    // heading_control: callsign 1, condition .5 of 2.3 → 1/2.3; altitude_control: 2 of 2.5; weights .6 and 1
    expect(scores.ar_lin).toBeCloseTo((0.6 * (1 / 2.3) + 2 / 2.5) / 1.6, 10);
    expect(scores.ar_geo).toBeCloseTo((0.6 * 10 ** ((-5 * 1.3) / 2.3) + 10 ** ((-5 * 0.5) / 2.5)) / 1.6, 4);
    expect(scores.ar_erp).toBeCloseTo((0.6 * Math.exp(-3 * 1.3) + Math.exp(-3 * 0.5)) / 1.6, 10);
    expect([scores.act_ex, scores.strict]).toEqual([1, 0]);
  });
  test('sensitivity', () => {
    expect(scores.ar_lin_no_cond).toBeCloseTo((0.6 * (1 / 1.8) + 1) / 1.6, 10);
    expect(scores.ar_lin_core_only).toBeCloseTo(1 / 1.6, 10);
    expect(scores.ar_geo_core_only).toBeCloseTo((0.6 * 1e-5 + 1) / 1.6, 8);
    expect(scores.ar_geo_uniform).toBeCloseTo((0.6 * 10 ** ((-5 * 2) / 3) + 10 ** (-5 / 3)) / 1.6, 4);
    // all slots of these actions are of high consequence: their common factor cancels
    expect(scores['ar_geo_high_0.8']).toBeCloseTo(scores.ar_geo, 10);
    const contact = labelled(['contact'], ['a', 'callsign'], ['b', 'frequency']);
    const noFrequency = labelled(['contact'], ['a', 'callsign']);
    expect(scoreUtterance(contact, noFrequency)['ar_geo_high_1.2']).toBeCloseTo(10 ** ((-5 * 0.4) / 1.6), 4);
    expect(scoreUtterance(contact, noFrequency)['ar_geo_high_0.8']).toBeCloseTo(10 ** ((-5 * 0.4) / 1.2), 4);
  });
  test('a slot is credited once, an action that is not named scores 0, an action too many is not exact', () => {
    const twice = labelled(['runway_instruction'], ['runway one one', 'runway'], ['cross', 'runway_instruction'], ['runway one one', 'runway']);
    const once = labelled(['runway_instruction'], ['cross', 'runway_instruction'], ['runway one one', 'runway']);
    expect(scoreUtterance(twice, once).ar_lin).toBeCloseTo(0.5, 10);
    expect(scoreUtterance(twice, { ...twice, utterance_action: ['clearance'] }).ar_lin).toBe(0);
    const more = scoreUtterance(twice, { ...twice, utterance_action: ['runway_instruction', 'contact'] });
    expect([more.act_ex, more.strict, more.ar_geo]).toEqual([0, 0, 1]);
  });
  test('empty sides, unreadable answers', () => {
    const empty = labelled([], ['hello', 'O']);
    expect(Object.values(scoreUtterance(empty, empty)).every((value) => value === 1)).toBe(true);
    expect(scoreUtterance(empty, gold)).toMatchObject({ ner_lin: 0, ner_geo: 0, act_ex: 0, ar_geo: 0 });
    expect(Object.values(scoreUtterance(gold, null)).every((value) => value === 0)).toBe(true);
    const figures = scoreTask1([{ gold, answer: gold }, { gold, answer: null }]);
    expect([figures.scores.ar_geo.value, figures.scores.ar_geo.of, figures.unreadable]).toEqual([0.5, 2, 1]);
    expect(figures.byLabel['condition']).toEqual({ gold: 2, predicted: 1, hits: 1 });
  });
});

const anyLabelled = fc.record({
  utterance_action: fc.uniqueArray(fc.constantFrom(...ACTIONS), { maxLength: 3 }),
  tokens: fc.array(fc.record({ text: fc.constantFrom('one', 'two', 'three'), label: fc.constantFrom(...SLOT_LABELS, ...ACTIONS) }), { maxLength: 8 }),
});
test('all scores are 0…1; the gold answered is 1; the geometric is never above the linear mean by more than ε; strict implies exact', () => {
  fc.assert(
    fc.property(anyLabelled, anyLabelled, (gold, answer) => {
      const scores = scoreUtterance(gold, answer);
      for (const value of Object.values(scores)) expect(value >= 0 && value <= 1).toBe(true);
      for (const value of Object.values(scoreUtterance(gold, gold))) expect(value).toBeCloseTo(1, 10);
      expect(scores.ar_geo).toBeLessThanOrEqual(scores.ar_lin + 2e-5);
      expect(scores.strict).toBeLessThanOrEqual(scores.act_ex);
      // an action that has no slots in the gold loses by a slot that is invented for it, of which Strict does not speak
      const bare = ACTIONS.some((action) => gold.utterance_action.includes(action) && !gold.tokens.some(({ label }) => ACTION_SLOTS[action].includes(label as SlotLabel)));
      if (scores.strict === 1 && !bare) expect(scores.ar_geo).toBeCloseTo(1, 10);
    }),
  );
});
test('losing a slot never raises a score of the slots', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.constantFrom(0.2, 0.4, 0.5, 0.8, 1), fc.boolean()), { minLength: 1 }), fc.nat(), (list, which) => {
      const all = slots(...list);
      const less = all.map((slot, i) => (i === which % all.length ? { ...slot, hit: false } : slot));
      expect(linear(less)).toBeLessThanOrEqual(linear(all));
      expect(geometric(less)).toBeLessThanOrEqual(geometric(all));
      expect(penalty(less, LAMBDA.action)).toBeLessThanOrEqual(penalty(all, LAMBDA.action));
    }),
  );
});

/** The scores once more, by another way: spans crossed off one by one, a product of powers in place of the mean of logarithms. */
function byBruteForce(gold: Labelled, answer: Labelled): { ar_lin: number; ar_geo: number; ner_geo: number; ner_span_f1: number } {
  const rest = answer.tokens.filter(({ label }) => label !== 'O').map(({ text, label }) => `${text}/${label}`);
  const spans = gold.tokens.filter(({ label }) => label !== 'O').map(({ text, label }) => {
    const at = rest.indexOf(`${text}/${label}`);
    if (at >= 0) rest.splice(at, 1);
    return { label, m: at >= 0 ? 1 : 0, w: (SLOT_WEIGHT as Record<string, number>)[label] ?? 0 };
  });
  const product = (of: typeof spans): number => of.reduce((value, { m, w }) => value * (1e-5 + m) ** (w / of.reduce((sum, one) => sum + one.w, 0)), 1);
  let [lin, geo, weights] = [0, 0, 0];
  for (const action of ACTIONS) {
    if (!gold.utterance_action.includes(action)) continue;
    weights += ACTION_WEIGHT[action];
    if (!answer.utterance_action.includes(action)) continue;
    const of = spans.filter(({ label }) => ACTION_SLOTS[action].includes(label as SlotLabel));
    const weight = of.reduce((sum, { w }) => sum + w, 0);
    const empty = answer.tokens.some(({ label }) => ACTION_SLOTS[action].includes(label as SlotLabel)) ? 0 : 1;
    lin += ACTION_WEIGHT[action] * (weight === 0 ? empty : of.reduce((sum, { m, w }) => sum + m * w, 0) / weight);
    geo += ACTION_WEIGHT[action] * (weight === 0 ? empty : product(of));
  }
  const slots = spans.filter(({ w }) => w > 0);
  const hits = spans.reduce((sum, { m }) => sum + m, 0);
  return { ar_lin: lin / weights, ar_geo: geo / weights, ner_geo: product(slots), ner_span_f1: (2 * hits) / (spans.length + rest.length + hits) };
}
test('equal to a computation by brute force', () => {
  const some = anyLabelled.filter(({ utterance_action, tokens }) => utterance_action.length > 0 && tokens.some(({ label }) => label in SLOT_WEIGHT && SLOT_WEIGHT[label as SlotLabel] > 0));
  fc.assert(
    fc.property(some, some, (gold, answer) => {
      const scores = scoreUtterance(gold, answer);
      for (const [name, value] of Object.entries(byBruteForce(gold, answer))) expect(scores[name as keyof ReturnType<typeof byBruteForce>], name).toBeCloseTo(value, 4);
    }),
  );
});
