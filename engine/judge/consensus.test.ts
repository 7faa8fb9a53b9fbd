import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Finding, Verdict } from '../domain/finding.js';
import { ERROR_TYPES, RISK_OF, riskRank, type ErrorType } from '../domain/taxonomy.js';
import { combine, ConsensusPolicy, createConsensusJudge, createRulesJudge, DEFAULT_POLICY } from './index.js';
import type { Judge } from '../domain/stages.js';
import { understand } from '../understanding/index.js';

const finding = (error_type: ErrorType, verdict: Verdict, more: Partial<Finding> = {}): Finding => ({
  is_correct: RISK_OF[error_type] === 'CORRECT',
  error_type,
  risk_level: RISK_OF[error_type],
  affected_slot: null,
  explanation: `${error_type} it is.`,
  verdict,
  confidence: 0.9,
  evidence: { instruction_words: [], readback_words: [], comparisons: [] },
  advisories: [],
  doubts: verdict === 'uncertain' ? ['Some doubt.'] : [],
  profile: 'paper',
  judge: 'rules',
  ...more,
});
const right = finding('CORRECT', 'correct');
const critical = finding('VALUE_CRITICAL', 'error', { affected_slot: 'altitude' });
const high = finding('VALUE_HIGH', 'error');
const model = (of: Finding, more: Partial<Finding> = {}): Finding => ({
  ...of,
  judge: 'a-model',
  model_answers: [{ provider: 'openai', model: 'a-model', destination: 'here', prompt: 'p', prompt_sha256: 's', outcome: 'read', raw: ['{}'], milliseconds: 1 }],
  ...more,
});
const silent = model(finding('MULTI_ERROR', 'uncertain', { doubts: ['unreadable: nonsense'], confidence: 0 }), {
  model_answers: [{ provider: 'openai', model: 'a-model', destination: 'here', prompt: 'p', prompt_sha256: 's', outcome: 'unreadable', raw: ['nonsense'], milliseconds: 1 }],
});

describe('the default policy', () => {
  test('agreement stands', () => {
    expect(combine(right, model(right))).toMatchObject({ verdict: 'correct', error_type: 'CORRECT', judge: 'consensus', policy: 'default@1', doubts: [] });
    expect(combine(critical, model(critical))).toMatchObject({ verdict: 'error', error_type: 'VALUE_CRITICAL', affected_slot: 'altitude' });
  });

  test.each([
    ['rules right, model wrong', right, model(critical)],
    ['rules wrong, model right', critical, model(right)],
  ])('%s: uncertain, at the more severe level, with both reasons', (_, one, other) => {
    const both = combine(one, other);
    expect(both).toMatchObject({ verdict: 'uncertain', risk_level: 'CRITICAL', error_type: 'VALUE_CRITICAL', is_correct: false });
    expect(both.doubts).toHaveLength(2);
    expect(both.doubts[0]).toMatch(/^rules /);
    expect(both.doubts[1]).toMatch(/^a-model /);
    expect(both.confidence).toBeLessThanOrEqual(0.5);
  });

  test('says which judge found what', () => {
    expect(combine(high, model(critical)).opinions).toMatchObject([
      { judge: 'rules', error_type: 'VALUE_HIGH', verdict: 'error' },
      { judge: 'a-model', error_type: 'VALUE_CRITICAL', verdict: 'error' },
    ]);
  });

  test('both sure that it is wrong, not how grave: an error at the more severe level, with both reasons', () => {
    for (const both of [combine(high, model(critical)), combine(critical, model(high))]) {
      expect(both).toMatchObject({ verdict: 'error', risk_level: 'CRITICAL' });
      expect(both.explanation).toMatch(/rules .*a-model /);
    }
  });

  test('the same level by another type: the rules name it', () => {
    expect(combine(critical, model(finding('OMISSION_CRITICAL', 'error')))).toMatchObject({ verdict: 'error', error_type: 'VALUE_CRITICAL', advisories: [{ kind: 'judges-differ-in-type' }] });
  });

  test('a silent model: the rules alone, marked, whatever they say', () => {
    for (const alone of [right, critical, finding('VALUE_HIGH', 'uncertain')]) {
      const both = combine(alone, silent);
      expect(both).toMatchObject({ verdict: alone.verdict, error_type: alone.error_type, risk_level: alone.risk_level, model_answers: [{ outcome: 'unreadable', raw: ['nonsense'] }] });
      expect(both.advisories).toMatchObject([{ kind: 'one-judge', text: expect.stringContaining('unreadable: nonsense') as string }]);
    }
  });

  test('doubts of the rules about the words are not outvoted', () => {
    expect(combine(finding('VALUE_CRITICAL', 'uncertain'), model(right))).toMatchObject({ verdict: 'uncertain', risk_level: 'CRITICAL' });
    expect(combine(finding('CORRECT', 'uncertain'), model(right))).toMatchObject({ verdict: 'uncertain' });
    expect(combine(finding('CORRECT', 'uncertain'), model(critical))).toMatchObject({ verdict: 'uncertain', risk_level: 'CRITICAL' });
  });

  test('an error that the rules are sure of stands against a model that is merely unsure', () => {
    expect(combine(critical, model(finding('CORRECT', 'uncertain')))).toMatchObject({ verdict: 'error', risk_level: 'CRITICAL' });
  });
});

describe('policy is data', () => {
  const policy = (more: Partial<ConsensusPolicy>): ConsensusPolicy => ConsensusPolicy.parse({ ...DEFAULT_POLICY, name: 'test', ...more });
  test('a disagreement may be told as an error', () => {
    expect(combine(right, model(critical), policy({ right_or_wrong: 'error' }))).toMatchObject({ verdict: 'error', risk_level: 'CRITICAL', policy: 'test' });
  });
  test('a disagreement about the level may be uncertain', () => {
    expect(combine(high, model(critical), policy({ level: 'uncertain' }))).toMatchObject({ verdict: 'uncertain', risk_level: 'CRITICAL' });
  });
  test('a judge that is sure of the error and not of how grave it is does not raise the level; one that gives no probability does', () => {
    const sure = policy({ graver_from: 0.9 });
    const graver = (CRITICAL: number): Finding => model(finding('MULTI_ERROR', 'error'), { level_above: { CORRECT: 1, HIGH: 0.99, CRITICAL } });
    expect(combine(critical, graver(0.6), sure)).toMatchObject({ verdict: 'error', risk_level: 'CRITICAL', error_type: 'VALUE_CRITICAL', advisories: [{ kind: 'second-not-sure-of-level', text: expect.stringContaining('MULTI_ERROR') as string }] });
    expect(combine(critical, graver(0.95), sure)).toMatchObject({ verdict: 'error', risk_level: 'EXTREME' });
    // sure that it is graver than HIGH, whatever it is exactly
    expect(combine(high, graver(0.6), sure)).toMatchObject({ risk_level: 'EXTREME' });
    expect(combine(critical, model(finding('MULTI_ERROR', 'error')), sure)).toMatchObject({ risk_level: 'EXTREME' });
    // never against "right"
    expect(combine(right, graver(0.6), sure)).toMatchObject({ verdict: 'uncertain', risk_level: 'EXTREME' });
  });
  test('silence may make it uncertain', () => {
    expect(combine(right, silent, policy({ silent: 'uncertain' }))).toMatchObject({ verdict: 'uncertain', risk_level: 'CORRECT' });
  });
  test('a model below the wanted confidence is unsure', () => {
    expect(combine(right, model(critical, { confidence: 0.5 }), policy({ confident_from: { first: 0.5, second: 0.8 } }))).toMatchObject({ verdict: 'uncertain', risk_level: 'CRITICAL' });
  });
  test('an unsure model may have no say, but it is told', () => {
    const both = combine(right, model(finding('VALUE_CRITICAL', 'uncertain')), policy({ unsure: 'first-alone' }));
    expect(both).toMatchObject({ verdict: 'correct', risk_level: 'CORRECT', advisories: [{ kind: 'second-not-sure', text: expect.stringContaining('VALUE_CRITICAL') as string }] });
    expect(combine(right, model(critical), policy({ unsure: 'first-alone' }))).toMatchObject({ verdict: 'uncertain', risk_level: 'CRITICAL' });
  });
  test('another word is refused', () => {
    expect(ConsensusPolicy.safeParse({ ...DEFAULT_POLICY, silent: 'correct' }).success).toBe(false);
  });
});

describe('whatever the policy', () => {
  const share = fc.double({ min: 0, max: 1, noNaN: true });
  const any = fc
    .record({ type: fc.constantFrom(...ERROR_TYPES), sure: fc.boolean(), confidence: share, above: fc.option(fc.tuple(share, share, share), { nil: undefined }) })
    .map(({ type, sure, confidence, above }) => finding(type, sure ? (RISK_OF[type] === 'CORRECT' ? 'correct' : 'error') : 'uncertain', { confidence, ...(above === undefined ? {} : { level_above: { CORRECT: above[0], HIGH: above[1], CRITICAL: above[2] } }) }));
  const policies = fc.record({
    name: fc.constant('any'),
    confident_from: fc.record({ first: fc.double({ min: 0, max: 1, noNaN: true }), second: fc.double({ min: 0, max: 1, noNaN: true }) }),
    right_or_wrong: fc.constantFrom('uncertain' as const, 'error' as const),
    level: fc.constantFrom('uncertain' as const, 'error' as const),
    graver_from: share,
    silent: fc.constantFrom('first-alone' as const, 'uncertain' as const),
    unsure: fc.constantFrom('first-alone' as const, 'uncertain' as const),
    patience: fc.constant(1000),
  });
  const confident = (of: Finding, from: number): boolean => of.verdict !== 'uncertain' && of.confidence >= from;

  test('the level is never below the more severe of two confident judges, nor below the first one; an unsure second one counts unless the policy says otherwise', () => {
    fc.assert(
      fc.property(any, any, policies, (one, other, policy) => {
        const both = combine(one, model(other), policy);
        const both_wrong = confident(one, policy.confident_from.first) && confident(other, policy.confident_from.second) && one.verdict === 'error' && other.verdict === 'error';
        const sure_of_level = !both_wrong || other.level_above === undefined || riskRank(other.risk_level) <= riskRank(one.risk_level) || other.level_above[one.risk_level as 'HIGH' | 'CRITICAL'] >= policy.graver_from;
        const counts = sure_of_level && (policy.unsure === 'uncertain' || confident(other, policy.confident_from.second));
        expect(riskRank(both.risk_level)).toBe(Math.max(riskRank(one.risk_level), counts ? riskRank(other.risk_level) : 0));
        expect(both.is_correct).toBe(both.risk_level === 'CORRECT');
      }),
    );
  });

  test('correct only where the first says so and no confident second one speaks against it', () => {
    fc.assert(
      fc.property(any, any, policies, (one, other, policy) => {
        if (combine(one, model(other), policy).verdict !== 'correct') return;
        expect(one.verdict).toBe('correct');
        if (policy.unsure === 'uncertain' || confident(other, policy.confident_from.second)) expect(other.verdict).toBe('correct');
      }),
    );
  });

  test('an uncertain one has a reason, and a certain one none', () => {
    fc.assert(
      fc.property(any, any, policies, (one, other, policy) => {
        const both = combine(one, model(other), policy);
        expect(both.doubts.length > 0).toBe(both.verdict === 'uncertain');
      }),
    );
  });
});

test('asks both judges and tells the notices of both', async () => {
  const rules = createRulesJudge();
  const twice = createConsensusJudge(rules, rules);
  const instruction = understand({ id: 'i', text: 'swiss one two climb flight level nine zero' });
  const readback = understand({ id: 'r', text: 'climb flight level eight zero swiss one two', heard: ['SWR12'] });
  const both = await twice.judge({ instruction, readback, profile: 'paper' });
  expect(both).toMatchObject({ verdict: 'error', error_type: 'VALUE_CRITICAL', judge: 'consensus' });
  expect(both.opinions).toHaveLength(2);
});

describe('a second judge that is late', () => {
  const instruction = understand({ id: 'i', text: 'swiss one two climb flight level nine zero' });
  const readback = understand({ id: 'r', text: 'climb flight level nine zero swiss one two', heard: ['SWR12'] });
  const pair = { instruction, readback, profile: 'paper' as const };
  const policy = { ...DEFAULT_POLICY, patience: 20 };
  /** Answers when it is told to. */
  const slow = (): { judge: Judge; answer: (finding: Finding) => void } => {
    let answer: (finding: Finding) => void = () => undefined;
    const asked = new Promise<Finding>((resolve) => {
      answer = resolve;
    });
    return { judge: { name: 'a-model', judge: () => asked }, answer: (given) => { answer(given); } };
  };

  test('the first one at once, marked, and the whole answer when it is there', async () => {
    const { judge, answer } = slow();
    const consensus = createConsensusJudge(createRulesJudge(), judge, policy);
    const amended: Finding[] = [];
    const first = await consensus.judge({ ...pair, later: (given) => void amended.push(given) });
    expect(first).toMatchObject({ verdict: 'correct', judge: 'consensus', opinions: [{ judge: 'rules' }], advisories: [{ kind: 'judge-pending' }] });
    expect(amended).toEqual([]);
    answer(model(critical));
    await consensus.settled?.();
    expect(amended).toMatchObject([{ verdict: 'uncertain', risk_level: 'CRITICAL', opinions: [{ judge: 'rules' }, { judge: 'a-model' }] }]);
  });
  test('who cannot take a later answer waits for it', async () => {
    const { judge, answer } = slow();
    const asked = createConsensusJudge(createRulesJudge(), judge, policy).judge(pair);
    setTimeout(() => { answer(model(critical)); }, 60);
    expect(await asked).toMatchObject({ verdict: 'uncertain', risk_level: 'CRITICAL' });
  });
  test('one that is in time is not amended', async () => {
    const { judge, answer } = slow();
    answer(model(right));
    const amended: Finding[] = [];
    const consensus = createConsensusJudge(createRulesJudge(), judge, policy);
    expect(await consensus.judge({ ...pair, later: (given) => void amended.push(given) })).toMatchObject({ verdict: 'correct', opinions: [{}, {}] });
    await consensus.settled?.();
    expect(amended).toEqual([]);
  });
});
