/**
 * Judges beside each other on the same readbacks (`npm run bench:judge`).
 */
export { balanced, JudgedPair, readJudged, runJudge } from './run.js';
export { figuresOf, judgesReport, policiesOf, wordComparison } from './report.js';
export { hashesOfCode } from '../run/manifest.js';
