/**
 * Figures as Markdown, beside the published ones.
 */
import { ERROR_TYPES, RISK_LEVELS, riskRank } from '../../domain/taxonomy.js';
import type { Estimate } from '../scores/interval.js';
import type { Scored } from './score.js';

const NAMES: Readonly<Record<string, string>> = {
  ner_f1: 'NER-F1 (labels)', ner_span_f1: 'NER-F1 (exact spans)', ner_lin: 'NER-Lin', ner_geo: 'NER-Geo', ner_erp: 'NER-ERP', act_ex: 'ActEx', ar_lin: 'AR-Lin', ar_geo: 'AR-Geo', ar_erp: 'AR-ERP', strict: 'Strict',
  ar_geo_uniform: 'AR-Geo, uniform weights', 'ar_geo_high_0.8': 'AR-Geo, high slots × 0.8', 'ar_geo_high_1.2': 'AR-Geo, high slots × 1.2', ar_lin_no_cond: 'AR-Lin, NoCond', ar_geo_no_cond: 'AR-Geo, NoCond', ar_lin_core_only: 'AR-Lin, CoreOnly', ar_geo_core_only: 'AR-Geo, CoreOnly',
  is_correct: 'isCorr', et_f1: 'ET F1', rl_acc: 'RL Acc', ddr: 'DDR ↓', wds: 'WDS ↓', upgrade_rate: 'upgrades ↓', false_alarms: 'false alarms ↓', missed: 'errors missed ↓',
  speaker_f1: 'Speaker-F1', intention_f1: 'Intention-F1', action_f1: 'Action F1', entity_f1: 'Entity F1', rw_er: 'RW-ER', action_macro: 'Action-Macro', action_weighted: 'Action, weighted', risk_score: 'Risk Score', risk_strict: 'Risk Strict',
  wer_raw: 'WER as written ↓', wer: 'WER normalised ↓', cer_raw: 'CER as written ↓', cer: 'CER normalised ↓',
};
/** Rows of Tables 4 and 6 of arXiv 2608.24621 and Table V of arXiv 2605.11769. */
const PUBLISHED: Readonly<Record<Scored['task'], readonly { readonly name: string; readonly values: Readonly<Record<string, number>> }[]>> = {
  task1: [
    { name: 'DeepSeek-V4-Flash, Full-Aligned', values: { ner_f1: 0.773, ner_lin: 0.798, ner_geo: 0.555, act_ex: 0.612, ar_lin: 0.836, ar_geo: 0.707, strict: 0.614 } },
    { name: 'Llama-3.1-8B, Risk-LoRA', values: { ner_f1: 0.767, ner_lin: 0.788, ner_geo: 0.559, act_ex: 0.62, ar_lin: 0.813, ar_geo: 0.697, strict: 0.6 } },
  ],
  task2: [
    { name: 'Llama-3.1-8B, Risk-LoRA', values: { is_correct: 0.944, et_f1: 0.931, rl_acc: 0.936, ddr: 0.08, wds: 0.027 } },
    { name: 'qwen3-4b, Risk-LoRA', values: { is_correct: 0.946, et_f1: 0.914, rl_acc: 0.93, ddr: 0.06, wds: 0.02 } },
    { name: 'qwen-plus, Full-Aligned', values: { is_correct: 0.812, et_f1: 0.565, rl_acc: 0.64, ddr: 0.023, wds: 0.009 } },
  ],
  ground: [
    { name: 'gemini-3-flash-preview', values: { speaker_f1: 0.9221, intention_f1: 0.7865, action_f1: 0.6583, entity_f1: 0.8236, action_macro: 0.7292, action_weighted: 0.7818, risk_score: 0.6922, risk_strict: 0.2528 } },
    { name: 'gpt-5.1', values: { speaker_f1: 0.7298, intention_f1: 0.4852, action_f1: 0.5478, entity_f1: 0.7734, action_macro: 0.7512, action_weighted: 0.8759, risk_score: 0.6775, risk_strict: 0.424 } },
  ],
  speech: [],
};

const figure = (value: number | null | undefined): string => (value === null || value === undefined ? '–' : value.toFixed(3));
const interval = ({ low, high, by }: Estimate): string => (low === null || high === null ? '–' : `${figure(low)}–${figure(high)}${by === 'bootstrap' ? '' : ` (${by})`}`);

/** Figures of one task as Markdown tables. `title`: what was measured, in a few words. */
export function scoreReport(scored: Scored, title: string): string {
  const published = PUBLISHED[scored.task];
  const out = [
    `## ${title}`,
    '',
    `${String(scored.items)} items; without an answer ${String(scored.missing)}, failed ${String(scored.failed)}, unreadable ${String(scored.unreadable)} (all three score 0 and, for DDR and WDS, count as "correct"); answers to unknown items ${String(scored.unknown)}.${scored.ms === undefined ? '' : ` Milliseconds an answer: p50 ${scored.ms.p50.toFixed(2)}, p95 ${scored.ms.p95.toFixed(2)}.`}${scored.normaliser === undefined ? '' : ` Normaliser version ${String(scored.normaliser)}.`}`,
    '',
    `| score | here | 95 % interval | of |${published.map(({ name }) => ` ${name} † |`).join('')}`,
    `|---|---|---|---|${published.map(() => '---|').join('')}`,
    ...Object.entries(scored.scores).map(([key, estimate]) => `| ${NAMES[key] ?? key} | ${figure(estimate.value)} | ${interval(estimate)} | ${String(estimate.of)} |${published.map(({ values }) => ` ${figure(values[key])} |`).join('')}`),
    '',
    ...(published.length === 0 ? [] : ['† As published, on the authors\' own items: other data than here, so no comparison of systems.', '']),
  ];
  if (scored.byType !== undefined) {
    const types = scored.byType;
    out.push('| type | items | answered | right | F1 |', '|---|---|---|---|---|', ...ERROR_TYPES.map((type) => `| ${type} | ${String(types[type].gold)} | ${String(types[type].predicted)} | ${String(types[type].hits)} | ${figure(types[type].f1)} |`), '');
  }
  if (scored.risk !== undefined) {
    const risk = scored.risk;
    out.push('| gold level \\ answered | CORRECT | HIGH | CRITICAL | EXTREME | unreadable |', '|---|---|---|---|---|---|', ...RISK_LEVELS.map((level) => `| ${level} | ${RISK_LEVELS.map((said) => (riskRank(said) < riskRank(level) && risk[level][said] > 0 ? `**${String(risk[level][said])}**` : String(risk[level][said]))).join(' | ')} | ${String(risk[level].UNREADABLE)} |`), '', 'Bold: dangerous downgrades.', '');
  }
  if (scored.byLabel !== undefined) out.push('| label | spans | answered | exact |', '|---|---|---|---|', ...Object.entries(scored.byLabel).sort(([, a], [, b]) => b.gold - a.gold).map(([label, { gold, predicted, hits }]) => `| ${label} | ${String(gold)} | ${String(predicted)} | ${String(hits)} |`), '');
  return out.join('\n');
}
