/**
 * Benchmarks. Each measures with the product's own stages; scripts/ runs them and writes docs/results/.
 */
export { hearDialogue, measureDialogues, measurePairs, measureReal, measureTimes, type DialogueFigures, type PairFigures, type RealFigures, type RealOptions, WrittenDialogue, type WrittenPair } from './language/measure.js';
export { RealGold, RealTransmission } from './language/gold.js';
export { aimsOf, languageReport, type Aim, type LanguageResults } from './language/report.js';
export { benchAsr } from './asr/command.js';
export { importBenchmark } from './loaders/import.js';
export { FORMATS, type Format } from './loaders/index.js';
export { benchmarkFiles, FROZEN_SEED } from './reconstruction/freeze.js';
export { compareRuns, comparisonText, readSide } from './compare/compare.js';
export { checkLimits, limitSentence, readLimit, type Limit } from './report/limits.js';
export { placesOf, REPORT_FORMATS, writeReport, type ReportFormat } from './report/write.js';
export { BENCH_JUDGES, BENCH_PARSERS, readRequest, readRunFile, voiceFolder, type RunRequest } from './run/config.js';
export { AnswerLine, GOLD, TASKS, type Task } from './run/items.js';
export { readManifest, type Counts, type RunManifest } from './run/manifest.js';
export { mergeRuns } from './run/merge.js';
export { cellsOf, conditionName, countsOf, runBenchmark, type Shard } from './run/run.js';
export { NORMALISERS, scoreAnswers, scoreRun, type Normaliser, type Scored, type Scoring } from './run/score.js';
