/** `npm run bench:asr -- [options]`: the recogniser on the held-out set; `--help` tells the options. Results go to docs/results/asr.{json,md}. */
import { benchAsr } from '../dist/engine/bench/index.js';

process.exitCode = await benchAsr(process.argv.slice(2));
