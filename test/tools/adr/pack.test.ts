import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { adrReport } from '../../../protocol/adr-report.ts';
import {
  RECORD_PATH,
  type Repository,
  makeRepository,
  recordWithRule,
  ruleOf,
} from '../../support/decision-repository.ts';

const SLOW_MS = 120_000;

describe('the package of its own', () => {
  const top = mkdtempSync(join(tmpdir(), 'pilothouse-adr-pack-'));
  const installed = join(top, 'package');
  let repository: Repository;

  beforeAll(() => {
    const node = resolve('node_modules/.bin/node');
    const tarball = execFileSync(node, ['tools/adr/pack.ts', top], { encoding: 'utf8' }).trim();
    execFileSync('tar', ['-xzf', tarball, '-C', top]);
    mkdirSync(join(installed, 'node_modules'));
    // Only what it declares is there for it, in the versions of this repository.
    const manifest = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'));
    for (const name of Object.keys(manifest.dependencies)) {
      const link = join(installed, 'node_modules', name);
      mkdirSync(join(link, '..'), { recursive: true });
      symlinkSync(resolve('node_modules', name), link);
    }
    const files = Object.fromEntries(
      Array.from({ length: 900 }, (_, index) => [`src/f${index}.ts`, 'export const x = 1;\n']),
    );
    repository = makeRepository({
      [RECORD_PATH]: recordWithRule('imports', 'modules: [src/f0.ts]'),
      ...files,
      'src/bad.ts': "export * from './f0.ts';\n",
      'src/a.py': 'import os\n',
    });
  }, SLOW_MS);
  afterAll(() => {
    repository.dispose();
    rmSync(top, { recursive: true, force: true });
  });

  const run = (...args: string[]) =>
    spawnSync(process.execPath, [join(installed, 'adr.mjs'), ...args], {
      cwd: repository.root,
      encoding: 'utf8',
    });

  it('holds the tool, its licence and how to begin, and nothing else', () => {
    expect(readdirSync(installed).sort()).toEqual([
      'LICENSE',
      'README.md',
      'adr.mjs',
      'node_modules',
      'package.json',
      'worker.mjs',
    ]);
  });

  it('checks a repository, on threads of its own, as the product does', () => {
    const { status, stdout, stderr } = run('check', '--json');
    expect(stderr).toBe('');
    const rule = ruleOf(adrReport.parse(JSON.parse(stdout)));
    expect(rule.examined.count).toBe(901);
    expect(rule.findings.map((finding) => finding.place?.path)).toEqual(['src/bad.ts']);
    expect(status).toBe(1);
  });

  it('calls itself by its own name', () => {
    expect(run('--help').stdout).toMatch(/^Usage: pilothouse-adr /);
    expect(run('nonsense').status).toBe(2);
  });
});
