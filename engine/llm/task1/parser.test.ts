import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { languageServer, says, type LanguageServer } from '../../../test/support/language-server.js';
import { ACTIONS, ChunkLabel } from '../../domain/taxonomy.js';
import { openAiModel } from '../index.js';
import { labelledCheck, parseByModel, parserPrompt } from './parser.js';
import { PARSER_CONDITIONS, PARSER_EXAMPLES } from './prompts-v1.js';

const SAID = 'loganair seven two climb flight level nine zero';
const GOOD = { utterance: SAID, utterance_action: ['altitude_control'], tokens: [{ text: 'loganair seven two', label: 'callsign' }, { text: 'climb', label: 'altitude_control' }, { text: 'flight level nine zero', label: 'altitude' }] };
const check = labelledCheck(SAID);

describe('a labelling', () => {
  test('that covers the transmission is one', () => {
    expect(check(GOOD)).toMatchObject({ ok: true, value: GOOD });
  });
  test.each([
    ['with a word too few', { ...GOOD, tokens: GOOD.tokens.slice(1) }, /word for word/],
    ['with other words', { ...GOOD, tokens: [...GOOD.tokens.slice(0, 2), { text: 'flight level eight zero', label: 'altitude' }] }, /word for word/],
    ['in another order', { ...GOOD, tokens: [...GOOD.tokens].reverse() }, /word for word/],
    ['with a label of its own', { ...GOOD, tokens: [{ text: SAID, label: 'words' }] }, /does not fit/],
    ['with an action that nothing commands', { ...GOOD, utterance_action: ['altitude_control', 'contact'] }, /contact has no chunk/],
  ])('%s is none', (_, value, why) => {
    const checked = check(value);
    expect(checked.ok).toBe(false);
    if (!checked.ok) expect(checked.why).toMatch(why);
  });
});

describe('prompts', () => {
  test('the examples keep the rules that they teach', () => {
    for (const { utterance, utterance_action, tokens } of PARSER_EXAMPLES) {
      expect(labelledCheck(utterance)({ utterance, utterance_action, tokens: tokens.map(([text, label]) => ({ text, label })) })).toMatchObject({ ok: true });
      tokens.forEach(([, label], i) => {
        expect(ChunkLabel.safeParse(label).success).toBe(true);
        expect(label).not.toBe(tokens[i - 1]?.[1]);
      });
    }
  });
  test('every condition names all actions and labels', () => {
    for (const condition of PARSER_CONDITIONS) for (const word of [...ACTIONS, 'callsign', 'traffic', 'polarity', 'relation']) expect(parserPrompt(condition).instructions).toContain(word);
  });
  // a hash that changes is a new version of the prompts, not a new value here
  test.each([
    ['zero-shot', '9b780ace5ad74ea4'],
    ['knowledge', '933f931c2e3dc8c7'],
    ['few-shot', '7a486f7c38e5900c'],
    ['full', '6b05e645be187b0b'],
  ] as const)('%s is what results were made with', (condition, hash) => {
    expect(parserPrompt(condition)).toMatchObject({ id: `task1/${condition}@1`, sha256: expect.stringMatching(new RegExp(`^${hash}`)) as string });
  });
});

describe('asked of a server', () => {
  let server: LanguageServer;
  beforeAll(async () => {
    server = await languageServer();
  });
  afterAll(() => server.close());
  const model = () => openAiModel({ baseUrl: server.url, model: 'a-model', backOff: 5 });

  test('the answer with its prompt, after one that cannot be read', async () => {
    server.behave(says('{"tokens": []}'), says(JSON.stringify(GOOD)));
    const parsed = await parseByModel(model(), SAID, { condition: 'knowledge' });
    expect(parsed).toMatchObject({ labelled: GOOD, prompt: 'task1/knowledge@1', raw: ['{"tokens": []}', JSON.stringify(GOOD)] });
  });
  test('unreadable twice is no labelling, and says why', async () => {
    server.behave(says(JSON.stringify({ ...GOOD, tokens: GOOD.tokens.slice(1) })));
    expect(await parseByModel(model(), SAID)).toMatchObject({ labelled: undefined, why: expect.stringContaining('word for word') as string, prompt: 'task1/full@1' });
  });
});
