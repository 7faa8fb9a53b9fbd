/**
 * The import rule between rooms must bite: a violation that is written into a copy of the tree is found.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const root = new URL('..', import.meta.url).pathname;
let copy: string;

beforeAll(() => {
  copy = mkdtempSync(join(tmpdir(), 'hearback-rooms-'));
  for (const name of ['.dependency-cruiser.cjs', 'tsconfig.json', 'package.json']) cpSync(join(root, name), join(copy, name));
  cpSync(join(root, 'engine'), join(copy, 'engine'), { recursive: true, filter: (path) => !path.endsWith('.test.ts') });
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'), 'dir');
});
afterAll(() => {
  rmSync(copy, { recursive: true, force: true });
});

function violations(file: string, text: string): string {
  mkdirSync(join(copy, file, '..'), { recursive: true });
  writeFileSync(join(copy, file), text);
  const ran = spawnSync(process.execPath, [join(root, 'node_modules/dependency-cruiser/bin/dependency-cruise.mjs'), '--config', '.dependency-cruiser.cjs', 'engine', 'renderer'], {
    cwd: copy,
    encoding: 'utf8',
  });
  rmSync(join(copy, file));
  return `${ran.stdout}${ran.stderr}\nexit ${ran.status}`;
}

describe('R1 the import rule between rooms', () => {
  beforeAll(() => {
    mkdirSync(join(copy, 'renderer'), { recursive: true });
    writeFileSync(join(copy, 'renderer', 'empty.ts'), 'export {};\n');
  });
  it.each([
    ['domain importing a stage', 'engine/domain/bad.ts', "export { createSegmenter } from '../audio/segmenter.js';\n", 'domain-imports-nothing'],
    ['phraseology touching files', 'engine/phraseology/bad.ts', "export { readFileSync } from 'node:fs';\n", 'phraseology-is-pure'],
    ['a stage importing another', 'engine/judge/bad.ts', "export { understand } from '../understanding/index.js';\n", 'stage-judge-knows-no-other-stage'],
    ['a stage importing the pipeline', 'engine/dialogue/bad.ts', "export { runPipeline } from '../pipeline.js';\n", 'only-joiners-import-the-pipeline'],
    ['the server importing the command line', 'engine/server/bad.ts', "export { EXIT } from '../cli/io.js';\n", 'nothing-imports-cli'],
    ['the page importing the judge', 'renderer/bad.ts', "export { createRulesJudge } from '../engine/judge/index.js';\n", 'shells-see-the-protocol-only'],
  ])('finds %s', (_name, file, text, rule) => {
    const output = violations(file, text);
    expect(output).toContain(rule);
    expect(output).not.toContain('exit 0');
  });
  it('is content with a file that keeps to it', () => {
    expect(violations('engine/judge/good.ts', "export type { Finding } from '../domain/finding.js';\n")).toContain('exit 0');
  });
});
