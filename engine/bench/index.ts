/**
 * Benchmarks. Each measures with the product's own stages; scripts/ runs them and writes docs/results/.
 */
export { hearDialogue, measureDialogues, measurePairs, measureReal, measureTimes, type DialogueFigures, type PairFigures, type RealFigures, type RealOptions, WrittenDialogue, type WrittenPair } from './language/measure.js';
export { RealGold, RealTransmission } from './language/gold.js';
export { aimsOf, languageReport, type Aim, type LanguageResults } from './language/report.js';
export { benchAsr } from './asr/command.js';
