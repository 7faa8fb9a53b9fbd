import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['engine/**/*.test.ts', 'renderer/**/*.test.ts', 'test/**/*.test.ts'],
    // two cores, real models in many of the tests: more workers would only fight
    maxWorkers: 2,
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // one second, the usual, is not enough for a page on a busy machine
    expect: { poll: { timeout: 20_000 } },
  },
});
