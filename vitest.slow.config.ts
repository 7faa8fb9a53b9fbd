import { defineConfig } from 'vitest/config';

/** `npm run test:long`: what takes minutes to hours and prints figures; not part of `npm test`. */
export default defineConfig({ test: { include: ['test/**/*.slow.ts'], maxWorkers: 1, hookTimeout: 300_000 } });
