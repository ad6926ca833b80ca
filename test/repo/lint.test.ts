import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

type Case = { path: string; text: string; rule: string; says: string };

const BOUNDARY = 'eslint(no-restricted-imports)';
const broken: Case[] = [
  [BOUNDARY, 'protocol/package.ts', "import x from 'ws';\nexport const y = x;"],
  [BOUNDARY, 'protocol/builtin.ts', "import { join } from 'node:path';\nexport const y = join;"],
  [BOUNDARY, 'protocol/room.ts', "export { x } from '../runner/x.ts';"],
  [BOUNDARY, 'runner/static.ts', "import { x } from '../workers/x.ts';\nexport const y = x;"],
  [BOUNDARY, 'runner/reexport.ts', "export { x } from '../console/x.ts';"],
  [BOUNDARY, 'runner/dynamic.ts', "export const y = () => import('../workers/x.ts');"],
  [BOUNDARY, 'console/static.ts', "import { x } from '../runner/x.ts';\nexport const y = x;"],
  [BOUNDARY, 'console/reexport.ts', "export { x } from '../workers/x.ts';"],
  [BOUNDARY, 'console/dynamic.ts', "export const y = () => import('../runner/x.ts');"],
  [BOUNDARY, 'workers/builtin.ts', "import { join } from 'node:path';\nexport const y = join;"],
  [BOUNDARY, 'workers/reexport.ts', "export { x } from '../runner/x.ts';"],
  [BOUNDARY, 'workers/dynamic.ts', "export const y = () => import('../console/x.ts');"],
  ['import(no-cycle)', 'runner/one.ts', "import { two } from './two.ts';\nexport const one = two;"],
  ['import(no-cycle)', 'runner/two.ts', "import { one } from './one.ts';\nexport const two = one;"],
  ['import(no-default-export)', 'runner/default.ts', 'export default 1;'],
  ['typescript(no-explicit-any)', 'runner/any.ts', 'export const y = (x: any): unknown => x;'],
  [
    'typescript(no-floating-promises)',
    'runner/floating.ts',
    'const work = async (): Promise<void> => {};\nexport const go = (): void => { work(); };',
  ],
].map(([rule = '', path = '', text = '']) => ({ rule, path, text, says: `${path} by ${rule}` }));

const kept: Record<string, string> = {
  'protocol/x.ts': "import { z } from 'zod';\nexport const x = z.string();",
  'runner/x.ts':
    "import { join } from 'node:path';\nexport { x } from '../protocol/x.ts';\nexport const y = join;",
  'workers/x.ts': "export { x } from '../protocol/x.ts';",
  'console/x.ts': "export const y = () => import('../protocol/x.ts');",
};

describe('the linter', () => {
  const top = mkdtempSync(join(tmpdir(), 'pilothouse-lint-'));
  let found: { filename: string; code: string }[] = [];
  let examined = 0;

  beforeAll(() => {
    for (const name of ['.oxlintrc.json', 'tsconfig.base.json']) cpSync(name, join(top, name));
    symlinkSync(resolve('node_modules'), join(top, 'node_modules'));
    const all = { ...kept, ...Object.fromEntries(broken.map((one) => [one.path, one.text])) };
    for (const [path, text] of Object.entries(all)) {
      mkdirSync(dirname(join(top, path)), { recursive: true });
      writeFileSync(join(top, path), `${text}\n`);
    }
    for (const room of ['protocol', 'runner', 'workers', 'console']) {
      cpSync(`${room}/tsconfig.json`, join(top, room, 'tsconfig.json'));
    }
    const oxlint = resolve('node_modules/.bin/oxlint');
    const run = spawnSync(oxlint, ['--type-aware', '-f', 'json'], { cwd: top, encoding: 'utf8' });
    const report = JSON.parse(run.stdout);
    found = report.diagnostics;
    examined = report.number_of_files;
  });
  afterAll(() => rmSync(top, { recursive: true, force: true }));

  const rulesOf = (path: string) =>
    found.filter((one) => one.filename === path).map((one) => one.code);

  it('looks at every file of the sample', () => {
    console.log(`lint: examined ${examined} files, found ${found.length} faults`);
    expect(examined).toBe(broken.length + Object.keys(kept).length);
  });

  it.each(broken)('refuses $says', ({ path, rule }) => {
    expect(rulesOf(path)).toContain(rule);
  });

  it.each(Object.keys(kept))('accepts what %s imports', (path) => {
    expect(rulesOf(path)).toEqual([]);
  });
});
