import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { XmlDocument } from 'libxml2-wasm';
import { afterAll, describe, expect, it } from 'vitest';
import { parse as parseYaml } from 'yaml';
import { adrRuleKind } from '../../../protocol/adr-report.ts';
import { AdrRepository } from '../../support/adr-repository.ts';
import { readFences } from '../../support/doc-fences.ts';
import { matchesSarif } from '../../support/sarif-schema.ts';

const fences = readFences('docs/adr-checks.md');
const named = (name: string) => fences.filter((fence) => fence.name === name);
const textOf = (name: string) => {
  const [fence] = named(name);
  if (!fence) throw new Error(`the page has no example called ${name}`);
  return fence.text;
};
const indent = (text: string) => text.replaceAll(/^(?=.)/gm, '  ');

/** A directory with `pilothouse` for the PATH, whose only command is `adr`. */
const bin = mkdtempSync(join(tmpdir(), 'adr-bin-'));
writeFileSync(
  join(bin, 'pilothouse'),
  `#!/bin/sh\nshift\nexec ${process.execPath} ${join(process.cwd(), 'tools/adr/main.ts')} "$@"\n`,
);
chmodSync(join(bin, 'pilothouse'), 0o755);
afterAll(() => rmSync(bin, { recursive: true }));
const withBin = { ...process.env, PATH: `${bin}${delimiter}${process.env['PATH']}` };

/** The tree that the page's rules are about, with a record that holds the given rules. */
function shop(rules: string, waivers = ''): AdrRepository {
  const repository = new AdrRepository();
  const files = {
    'package.json': '{ "name": "shop", "type": "module" }',
    'src/db/driver.ts': 'export const connect = 1;',
    'src/db/pool.ts': "import { connect } from './driver.ts';\nexport const pool = connect;",
    'src/pages/home.ts': "import { pool } from '../db/pool.ts';\nexport const home = pool;",
    'test/pages/home.test.ts': 'export {};',
    'src/prices/tea.ts': 'export const tea = 100;',
    'scripts/prices.mjs': 'process.exitCode = 0;',
  };
  for (const [path, content] of Object.entries(files)) repository.write(path, `${content}\n`);
  repository.write(
    'docs/adr/0001-keep-shop.md',
    `---\nstatus: accepted\ndate: 2026-10-01\nenforcement:\n${indent(rules)}${waivers && `waivers:\n${indent(waivers)}`}---\n\n# 0001. Keep shop\n\n## Context and problem\n\nThe page needs a shop.\n\n## Decision\n\nKeep one.\n`,
  );
  repository.commit('Begin');
  return repository;
}

describe('the page about decision checks', () => {
  it('shows a rule of every kind', () => {
    const kinds = named('rule').map(
      (fence) => (parseYaml(fence.text) as [{ kind: string }])[0].kind,
    );
    expect(kinds.sort()).toEqual([...adrRuleKind.options].sort());
  });

  it.each(named('rule').map((fence) => [/kind: (\w+)/.exec(fence.text)?.[1], fence.text] as const))(
    'has an example of %s that holds in its tree and is proven by its own fixture',
    async (kind, text) => {
      using repository = shop(text);
      const report = await repository.check('--prove');
      expect(report.exitCode).toBe(0);
      const rule = report.records[0]?.rules[0];
      expect(rule?.kind).toBe(kind);
      expect(rule?.proof?.state).toBe(kind === 'advisory' ? undefined : 'proven');
    },
  );

  it('has a waiver that lets a finding stand, and is told', async () => {
    const rule = named('rule').find((fence) => fence.text.includes('id: no-eval'))?.text ?? '';
    using repository = shop(rule, textOf('waiver'));
    repository.write('src/legacy/old.ts', 'export const run = (text: string) => eval(text);\n');
    const report = await repository.check();
    expect(report.exitCode).toBe(0);
    expect(report.records[0]?.rules[0]?.findings[0]?.waiver?.owner).toBe('Anna');
  });

  it('begins with commands that work one after another in an empty repository', () => {
    using repository = new AdrRepository();
    const script = `set -e\n${textOf('adopt')}`;
    const options = { cwd: repository.root, env: withBin, encoding: 'utf8' as const };
    const ended = spawnSync('sh', ['-c', script], options);
    expect([ended.status, ended.stderr]).toEqual([0, '']);
    expect(ended.stdout).toContain('0002');
    expect(ended.stdout).toContain('Clean');
  });

  it('has a command for CI that writes JUnit and SARIF beside what it prints', () => {
    using repository = shop(named('rule')[0]?.text ?? '');
    const options = { cwd: repository.root, env: withBin, encoding: 'utf8' as const };
    expect(execFileSync('sh', ['-c', textOf('ci')], options)).toContain('Clean');
    const read = (path: string) => readFileSync(join(repository.root, path), 'utf8');
    expect(matchesSarif(JSON.parse(read('adr.sarif')))).toEqual([]);
    XmlDocument.fromString(read('adr-junit.xml')).dispose();
  });

  it('has a hook that refuses a commit, and takes it with the answer in its message', () => {
    const rule = named('rule').find((fence) => fence.text.includes('kind: review'))?.text ?? '';
    using repository = shop(rule);
    const hook = join(repository.root, '.git/hooks/commit-msg');
    // A machine's git may have no template of hooks.
    mkdirSync(dirname(hook), { recursive: true });
    writeFileSync(hook, textOf('hook'));
    chmodSync(hook, 0o755);
    repository.write('src/prices/tea.ts', 'export const tea = 101;\n');
    repository.git('add', '--all');
    const commit = (message: string) => {
      const identity = ['-c', 'user.name=Test', '-c', 'user.email=test@example.com'];
      const args = [...identity, 'commit', '--message', message];
      return spawnSync('git', args, { cwd: repository.root, env: withBin, encoding: 'utf8' });
    };
    const refused = commit('Raise tea');
    expect(refused.status).not.toBe(0);
    expect(`${refused.stdout}${refused.stderr}`).toContain('Who else computes with these amounts?');
    expect(commit('Raise tea\n\nADR-0001: only the till, which reads this file').status).toBe(0);
  });

  it.each(['lefthook', 'hook'])('says the same command in its example for %s', (name) => {
    expect(textOf(name)).toMatch(/pilothouse adr check --base HEAD --body ("\$1"|\{1\})/);
  });

  it('names the hook that this repository offers, and that hook runs the same command', () => {
    const [hook] = parseYaml(readFileSync('.pre-commit-hooks.yaml', 'utf8')) as [
      { id: string; entry: string; stages: string[] },
    ];
    expect(textOf('pre-commit')).toContain(`id: ${hook.id}`);
    expect(hook.entry).toBe('pilothouse adr check --base HEAD --body');
    expect(hook.stages).toEqual(['commit-msg']);
  });

  it('gives the action only what it takes', () => {
    const action = parseYaml(readFileSync('tools/adr/action.yml', 'utf8')) as {
      inputs: Record<string, unknown>;
      outputs: Record<string, unknown>;
    };
    const workflow = parseYaml(textOf('workflow')) as {
      jobs: { decisions: { steps: { uses: string; with?: Record<string, unknown> }[] } };
    };
    const step = workflow.jobs.decisions.steps.find((one) => one.uses.includes('tools/adr'));
    expect(step?.with).toBeDefined();
    for (const name of Object.keys(step?.with ?? {})) expect(action.inputs).toHaveProperty(name);
    for (const [, name = ''] of textOf('workflow').matchAll(/steps\.adr\.outputs\.([\w-]+)/g)) {
      expect(action.outputs).toHaveProperty(name);
    }
  });
});
