/**
 * Benchmarks. Each measures with the product's own stages; scripts/ runs them and writes docs/results/.
 */
export { hearDialogue, measureDialogues, measurePairs, measureReal, measureTimes, type DialogueFigures, type PairFigures, type RealFigures, type RealOptions, WrittenDialogue, type WrittenPair } from './language/measure.js';
export { RealGold, RealTransmission } from './language/gold.js';
export { aimsOf, languageReport, type Aim, type LanguageResults } from './language/report.js';
export { benchAsr } from './asr/command.js';
export { benchmarkFiles, FROZEN_SEED } from './reconstruction/freeze.js';
export { AnswerLine, TASKS, type Task } from './run/items.js';
export { BENCH_JUDGES, type BenchJudge } from './run/judges.js';
export { aboutData, readManifest, RUN_TASKS, runBenchmark, type RunTask } from './run/run.js';
export { GOLD, scoreAnswers, type Scored } from './run/score.js';
export { scoreReport } from './run/report.js';
