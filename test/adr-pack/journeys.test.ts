/**
 * `npm run test:adr-pack`: the tool's own package, installed from its tarball by npm where nothing
 * else of the product is, and every command of it in five kinds of repository. `ADR_PACK_NODES`
 * names more programs to run it by than the one that runs this (`/usr/bin/node:/opt/node20/bin/node`).
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { adrReport } from '../../protocol/adr-report.ts';
import { makeRepository, type Repository } from '../support/decision-repository.ts';
import { matchesSarif } from '../support/sarif-schema.ts';

const LAYOUTS = {
  typescript: 'src/db/driver.ts',
  commonjs: 'lib/ink.js',
  python: 'src/harbour/hook.py',
  go: 'internal/water/water.go',
  monorepo: 'packages/archive/src/cellar.ts',
} as const;
const NODES = [
  process.execPath,
  ...(process.env['ADR_PACK_NODES'] ?? '').split(delimiter).filter(Boolean),
];
const BARS = ['constrains', 'violable', 'unchecked'].flatMap((bar) => [
  `--${bar}`,
  'Whoever edits this next would do it the other way',
]);

const top = mkdtempSync(join(tmpdir(), 'adr-pack-journey-'));
const main = join(top, 'node_modules', 'pilothouse-adr', 'adr.mjs');

beforeAll(() => {
  const packed = execFileSync(process.execPath, ['tools/adr/pack.ts', top], { encoding: 'utf8' });
  writeFileSync(join(top, 'package.json'), '{ "private": true }\n');
  const args = ['install', '--no-audit', '--no-fund', '--silent', packed.trim()];
  execFileSync('npm', args, { cwd: top, stdio: 'pipe' });
});
afterAll(() => rmSync(top, { recursive: true, force: true }));

describe.each(NODES)('the package, run by %s', (node) => {
  const runIn = (cwd: string, ...args: string[]) => {
    const { status, stdout, stderr } = spawnSync(node, [main, ...args], { cwd, encoding: 'utf8' });
    return { status, stdout, stderr };
  };

  it('begins in a directory that has nothing but git', () => {
    const repository = makeRepository({});
    try {
      const run = (...args: string[]) => runIn(repository.root, ...args);
      expect(run('check').status).toBe(2);
      expect(run('init')).toMatchObject({ status: 0, stderr: '' });
      expect(run('check')).toMatchObject({ status: 0, stderr: '' });
    } finally {
      repository.dispose();
    }
  });

  describe.each(Object.entries(LAYOUTS))('in the layout %s', (layout, guarded) => {
    const at = (...path: string[]) => resolve('test/fixtures/adr/layouts', layout, ...path);
    let repository: Repository;
    const run = (...args: string[]) => runIn(repository.root, ...args);
    const lay = (...path: string[]) => cpSync(at(...path), repository.root, { recursive: true });
    beforeAll(() => {
      repository = makeRepository();
      lay('tree');
      repository.commit('Begin');
    });
    afterAll(() => repository.dispose());

    it('is clean, and its rules are proven as far as they can be', () => {
      const proven = run('check', '--prove');
      expect(proven).toMatchObject({ status: 0, stderr: '' });
      expect(proven.stdout).toMatch(/^Clean: /m);
    });

    it('tells a violation, in the change and in the whole tree, in every format', () => {
      lay('violations', 'imports');
      const changed = run('check', '--base', 'HEAD');
      expect([changed.status, changed.stderr]).toEqual([1, '']);
      const file = (format: string) => join(repository.root, '.git', `adr.${format}`);
      const formats = ['json', 'sarif', 'github', 'junit'];
      const writes = formats.flatMap((format) => ['--write', `${format}=${file(format)}`]);
      expect(run('check', ...writes).status).toBe(1);
      const read = (format: string) => readFileSync(file(format), 'utf8');
      expect(adrReport.parse(JSON.parse(read('json'))).exitCode).toBe(1);
      expect(matchesSarif(JSON.parse(read('sarif')))).toEqual([]);
      expect(read('github')).toContain('::error ');
      expect(read('junit')).toContain('<failure');
      repository.git('clean', '-fdq');
      repository.git('checkout', '-q', '.');
    });

    it('could not check a record that is broken', () => {
      const { path } = JSON.parse(run('show', '1', '--json').stdout) as { path: string };
      const whole = readFileSync(join(repository.root, path), 'utf8');
      repository.write({ [path]: whole.replace('kind: imports', 'kind: importz') });
      expect(run('check').status).toBe(2);
      repository.write({ [path]: whole.replace('enforcement:', 'enforcement: [') });
      const unread = run('check');
      expect(unread.status).toBe(2);
      expect(unread.stdout).toContain('The front matter cannot be read');
      expect(unread.stdout).not.toMatch(/Its (?:status|text)/);
      repository.write({ [path]: whole });
    });

    it('lists, shows, draws and explains', () => {
      expect(run('list').stdout).toContain('0001');
      expect(run('show', '1').stdout).toContain('imports');
      expect(run('graph').stdout).toContain('0001');
      const why = run('why', guarded);
      expect(why).toMatchObject({ status: 0, stderr: '' });
      expect(why.stdout).toContain('is guarded by it');
    });

    it('writes a record and lets it take the place of another', () => {
      const written = run('new', 'Another way', '--json', ...BARS);
      expect(written).toMatchObject({ status: 0, stderr: '' });
      const { path, number } = JSON.parse(written.stdout) as { path: string; number: number };
      repository.commit('Write it');
      expect(run('supersede', '1', String(number), '--accept').status).toBe(0);
      repository.commit('Decide it');
      const after = run('check');
      expect([after.status, after.stderr]).toEqual([0, '']);
      const listed = JSON.parse(run('list', '--json').stdout) as { records: { path: string }[] };
      expect(listed.records.map((record) => record.path)).toContain(path);
    });
  });
});

it('is installed with no other file than those that it needs', () => {
  const files = readdirSync(join(top, 'node_modules', 'pilothouse-adr')).sort();
  expect(files).toEqual(['LICENSE', 'README.md', 'adr.mjs', 'package.json', 'worker.mjs']);
});
