/**
 * How scores, inputs and systems are called where people read them.
 */
import type { Snr } from '../run/config.js';
import type { Estimate } from '../scores/interval.js';

interface Name {
  readonly text: string;
  /** Less is better. */
  readonly less?: true;
}

const NAMES: Readonly<Record<string, Name>> = {
  ner_f1: { text: 'NER-F1 (labels)' }, ner_span_f1: { text: 'NER-F1 (exact spans)' }, ner_lin: { text: 'NER-Lin' }, ner_geo: { text: 'NER-Geo' }, ner_erp: { text: 'NER-ERP' }, act_ex: { text: 'ActEx' },
  ar_lin: { text: 'AR-Lin' }, ar_geo: { text: 'AR-Geo' }, ar_erp: { text: 'AR-ERP' }, strict: { text: 'Strict' },
  ar_geo_uniform: { text: 'AR-Geo, uniform weights' }, 'ar_geo_high_0.8': { text: 'AR-Geo, high slots × 0.8' }, 'ar_geo_high_1.2': { text: 'AR-Geo, high slots × 1.2' },
  ar_lin_no_cond: { text: 'AR-Lin, NoCond' }, ar_geo_no_cond: { text: 'AR-Geo, NoCond' }, ar_lin_core_only: { text: 'AR-Lin, CoreOnly' }, ar_geo_core_only: { text: 'AR-Geo, CoreOnly' },
  is_correct: { text: 'isCorr' }, et_f1: { text: 'ET F1' }, rl_acc: { text: 'RL Acc' }, ddr: { text: 'DDR', less: true }, wds: { text: 'WDS', less: true }, upgrade_rate: { text: 'upgrades', less: true }, false_alarms: { text: 'false alarms', less: true }, missed: { text: 'errors missed', less: true },
  speaker_f1: { text: 'Speaker-F1' }, intention_f1: { text: 'Intention-F1' }, action_f1: { text: 'Action F1' }, entity_f1: { text: 'Entity F1' }, rw_er: { text: 'RW-ER' }, action_macro: { text: 'Action-Macro' }, action_weighted: { text: 'Action, weighted' }, risk_score: { text: 'Risk Score' }, risk_strict: { text: 'Risk Strict' },
  wer_raw: { text: 'WER as written', less: true }, wer: { text: 'WER normalised', less: true }, cer_raw: { text: 'CER as written', less: true }, cer: { text: 'CER normalised', less: true },
};

export const TASK_TITLES = { task1: 'Task 1: what a transmission says', task2: 'Task 2: is the readback right', ground: 'Ground movement', speech: 'Speech recognition' } as const;

const scoreName = (key: string): string => NAMES[key]?.text ?? key;
export const isLess = (key: string): boolean => NAMES[key]?.less === true;
/** With an arrow where less is better. */
export const scoreTitle = (key: string): string => `${scoreName(key)}${isLess(key) ? '\u00a0↓' : ''}`;

/** Variants of a score that show how far it hangs on its weights (B.2 and B.3 of arXiv 2608.24621). */
export const isVariant = (key: string): boolean => /_(?:uniform|high_[\d.]+|no_cond|core_only)$/u.test(key) || key.endsWith('_erp');

export const inputTitle = (input: string, snr?: Snr): string => (snr === 'clean' ? 'voice, clean' : snr === undefined ? input : `voice, ${String(snr)} dB`);

/** .973, 1.000, −.012; – where there is none. */
export function figure(value: number | null | undefined, digits = 3): string {
  if (value === null || value === undefined || !Number.isFinite(value)) return '–';
  return value.toFixed(digits).replace(/^(-?)0\./u, '$1.').replace('-', '−');
}

/** ".936–.970", with how it was made where that is not the bootstrap. */
export const intervalText = ({ low, high, by }: Estimate): string => (low === null || high === null ? '–' : `${figure(low)}–${figure(high)}${by === 'wilson' ? ' W' : by === '3/n' ? ' 3/n' : ''}`);

/** "4.2 ms", "1.3 s". */
export const duration = (ms: number): string => (ms >= 1000 ? `${(ms / 1000).toFixed(ms >= 10_000 ? 0 : 1)} s` : `${ms.toFixed(ms >= 100 ? 0 : ms >= 10 ? 1 : 2)} ms`);
