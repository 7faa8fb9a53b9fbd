// The import rule between rooms (docs/architecture.md). test/rooms.test.ts shows that it bites.
const stages = ['audio', 'asr', 'understanding', 'dialogue', 'judge', 'llm', 'session', 'models'];
const joiners = '^engine/(pipeline|assembly|cli/|bench/|server/)';
module.exports = {
  forbidden: [
    { name: 'no-circular', severity: 'error', from: {}, to: { circular: true } },
    { name: 'no-orphan-package', severity: 'error', from: {}, to: { dependencyTypes: ['npm-no-pkg', 'npm-unknown', 'unknown'] } },
    { name: 'not-to-unresolvable', severity: 'error', from: {}, to: { couldNotResolve: true } },
    {
      name: 'domain-imports-nothing',
      comment: 'domain/ is the language of the field: it may use zod and itself, nothing else.',
      severity: 'error',
      from: { path: '^engine/domain/', pathNot: '[.]test[.]ts$' },
      to: { pathNot: ['^engine/domain/', 'node_modules/zod/'] },
    },
    {
      name: 'phraseology-is-pure',
      comment: 'phraseology/ sees domain/ only and touches neither files nor network.',
      severity: 'error',
      from: { path: '^engine/phraseology/', pathNot: '[.]test[.]ts$' },
      to: { pathNot: ['^engine/phraseology/', '^engine/domain/'] },
    },
    ...stages.map((room) => ({
      name: `stage-${room}-knows-no-other-stage`,
      comment: 'A stage sees domain/ and phraseology/ and itself; pipeline.ts, bench/, server/ and cli/ join stages.',
      severity: 'error',
      from: { path: `^engine/${room}/`, pathNot: '[.]test[.]ts$' },
      to: { path: '^engine/', pathNot: [`^engine/${room}/`, '^engine/domain/', '^engine/phraseology/'] },
    })),
    {
      name: 'only-joiners-import-the-pipeline',
      severity: 'error',
      from: { path: '^engine/', pathNot: [joiners, '[.]test[.]ts$'] },
      to: { path: '^engine/pipeline' },
    },
    {
      name: 'nothing-imports-cli',
      severity: 'error',
      from: { pathNot: ['^engine/cli/', '[.]test[.]ts$', '^test/'] },
      to: { path: '^engine/cli/' },
    },
    {
      name: 'shells-see-the-protocol-only',
      severity: 'error',
      from: { path: '^(renderer|electron)/' },
      to: { path: '^engine/', pathNot: '^engine/server/protocol' },
    },
    { name: 'product-does-not-import-tests', severity: 'error', from: { pathNot: ['[.]test[.]ts$', '^test/'] }, to: { path: ['[.]test[.]ts$', '^test/'] } },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'default', 'types'], extensions: ['.ts', '.tsx', '.cts', '.js', '.mjs', '.json'] },
  },
};
