import { spawnSync } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AdrReport, AdrRuleResult } from '../../../protocol/adr-report.ts';
import { runCheck } from '../../../tools/adr/check/run-check.ts';

const SLOW_MS = 180_000;
const top = mkdtempSync(join(tmpdir(), 'pilothouse-own-rules-'));
const clone = join(top, 'clone');

const git = (cwd: string, ...args: string[]): string => {
  const result = spawnSync(
    'git',
    ['-c', 'user.name=Test', '-c', 'user.email=test@example.com', ...args],
    { cwd, encoding: 'utf8' },
  );
  if (result.status !== 0) throw new Error(`git ${args.join(' ')}: ${result.stderr}`);
  return result.stdout;
};
const write = (path: string, text: string): void => {
  mkdirSync(dirname(join(clone, path)), { recursive: true });
  writeFileSync(join(clone, path), text);
};
const edit = (path: string, change: (text: string) => string): void =>
  write(path, change(readFileSync(join(clone, path), 'utf8')));

/** The repository as it is committed, with the files that are about to be. */
function makeClone(): void {
  git('.', 'clone', '-q', '--shared', '.', clone);
  // Commands of rules need what is installed.
  symlinkSync(resolve('node_modules'), join(clone, 'node_modules'));
  const changed = [
    ...git('.', 'diff', '--name-only', '--diff-filter=AMT', 'HEAD').split('\n'),
    ...git('.', 'ls-files', '--others', '--exclude-standard').split('\n'),
  ].filter(Boolean);
  for (const path of changed) {
    mkdirSync(dirname(join(clone, path)), { recursive: true });
    cpSync(path, join(clone, path));
  }
  for (const path of git('.', 'diff', '--name-only', '--diff-filter=D', 'HEAD').split('\n')) {
    if (path) rmSync(join(clone, path), { force: true });
  }
}

type Planted = { rule: string; how: string; path: string; text: string };
const planted: Planted[] = [
  [
    'tmux-has-one-importer',
    're-export',
    'runner/sessions/p1.ts',
    "export * from '../terminal/tmux.ts';",
  ],
  [
    'tmux-has-one-importer',
    'named re-export',
    'runner/sessions/p2.ts',
    "export { send as tell } from '../terminal/tmux.ts';",
  ],
  [
    'tmux-has-one-importer',
    'dynamic import',
    'runner/link/p3.ts',
    "export const p = () => import('../terminal/tmux.ts');",
  ],
  [
    'tmux-has-one-importer',
    'dynamic import put together of constants',
    'runner/link/p4.ts',
    "export const p = () => import('../terminal/' + `tmux.ts`);",
  ],
  [
    'tmux-has-one-importer',
    'alias of tsconfig',
    'runner/link/p5.ts',
    "import { send } from '@terminal/tmux.ts'; send();",
  ],
  [
    'tmux-has-one-importer',
    'alias of package.json',
    'runner/link/p6.ts',
    "import { send } from '#tmux'; send();",
  ],
  [
    'tmux-has-one-importer',
    'type-only import',
    'runner/link/p7.ts',
    "import type { Pane } from '../terminal/tmux.ts'; export type P = Pane;",
  ],
  [
    'tmux-has-one-importer',
    'type by import',
    'runner/link/p8.ts',
    "export type P = import('../terminal/tmux.ts').Pane;",
  ],
  [
    'tmux-has-one-importer',
    'path computed at run time',
    'runner/link/p9.ts',
    'export const p = (name: string) => import(`../terminal/${name}.ts`);',
  ],
  [
    'tmux-has-one-importer',
    'require',
    'runner/link/p10.cts',
    "const tmux = require('../terminal/tmux.ts'); tmux.send();",
  ],
  [
    'tmux-has-one-importer',
    'require made from another name',
    'runner/link/p11.ts',
    "import { createRequire } from 'node:module';\nconst load = createRequire(import.meta.url);\nload('../terminal/tmux.ts');",
  ],
  [
    'tmux-has-one-importer',
    'require handed on',
    'runner/link/p12.cts',
    'module.exports = [require];',
  ],
  [
    'tmux-has-one-importer',
    'resolved path',
    'runner/link/p13.ts',
    "export const p = import.meta.resolve('../terminal/tmux.ts');",
  ],
  [
    'tmux-has-one-importer',
    'worker by URL',
    'runner/link/p14.ts',
    "export const p = new URL('../terminal/tmux.ts', import.meta.url);",
  ],
  ['tmux-has-one-importer', 'file that does not parse', 'runner/link/p15.ts', 'import {'],
  [
    'tmux-has-one-importer',
    'specifier that names nothing known',
    'runner/link/p16.ts',
    "import '~/tmux.ts';",
  ],
  [
    'engines-never-see-a-terminal',
    'package',
    'runner/engines/planted/p1.ts',
    "import Anser from 'anser'; export const p = Anser;",
  ],
  [
    'engines-never-see-a-terminal',
    'package nobody declares',
    'runner/sessions/p17.ts',
    "import 'node-pty';",
  ],
  [
    'no-turn-ends-by-rendered-text',
    'call',
    'runner/sessions/p18.ts',
    'export const p = stripVTControlCharacters(x);',
  ],
  [
    'a-timer-ends-no-turn',
    'timer',
    'runner/engines/planted/p2.ts',
    'export const p = setTimeout(() => end(), 30_000);',
  ],
  [
    'every-engine-has-recorded-transcripts',
    'engine without transcripts',
    'runner/engines/planted/preset.ts',
    'export const planted = 1;',
  ],
  [
    'no-secret-in-arguments',
    'variable in argv',
    'runner/engines/planted/p3.ts',
    "export const p = { argv: ['x', '--key', apiKey] };",
  ],
  [
    'no-secret-in-arguments',
    'environment in args',
    'runner/host/p19.ts',
    "export const p = { args: ['x', process.env.GITHUB_TOKEN] };",
  ],
  [
    'no-option-takes-a-secret',
    'option',
    'runner/cli/p20.ts',
    "command.option('--auth-token <token>', 'who you are');",
  ],
  [
    'rooms-import-downwards',
    'runner into workers',
    'runner/host/p21.ts',
    "export { x } from '../../workers/lib/x.ts';",
  ],
  [
    'rooms-import-downwards',
    'console into runner, types alone',
    'console/p22.ts',
    "import type { X } from '../runner/config.ts'; export type Y = X;",
  ],
  [
    'rooms-import-downwards',
    'Node in the browser',
    'console/p23.ts',
    "export const p = () => import('node:fs');",
  ],
  [
    'rooms-import-downwards',
    'package in protocol',
    'protocol/p24.ts',
    "import ws from 'ws'; export const p = ws;",
  ],
  [
    'rooms-import-downwards',
    'built-in by its old name',
    'workers/lib/p25.ts',
    "import fs from 'fs/promises'; export const p = fs;",
  ],
  [
    'rooms-import-downwards',
    'path computed at run time',
    'runner/host/p26.ts',
    'export const p = (at: string) => import(at);',
  ],
  [
    'the-worker-imports-inwards',
    'room into door',
    'workers/sessions/p27.ts',
    "export * from '../http/p.ts';",
  ],
  [
    'the-worker-imports-inwards',
    'room without a place',
    'workers/annex/p28.ts',
    'export const p = 1;',
  ],
  [
    'the-gate-is-the-only-door-to-connectors',
    'route into connector',
    'workers/http/p29.ts',
    "export const p = () => import('../connectors/kitty.ts');",
  ],
  [
    'the-gate-is-the-only-door-to-connectors',
    'runner into connector',
    'runner/link/p30.ts',
    "export * from '../terminal/kitty.ts';",
  ],
  [
    'the-gate-is-the-only-door-to-connectors',
    'runner into the folder of connectors',
    'runner/sessions/p32.ts',
    "export const p = () => import('../connectors/iterm2.ts');",
  ],
  [
    'money-is-a-whole-number',
    'schema',
    'protocol/p31.ts',
    "import { z } from 'zod'; export const p = z.object({ costMicroUsd: z.number() });",
  ],
  [
    'money-is-a-whole-number-in-the-database',
    'column',
    'migrations/0098_p.sql',
    'ALTER TABLE x ADD COLUMN `micro_usd` real;',
  ],
  [
    'ledgers-refuse-to-be-rewritten',
    'trigger',
    'migrations/0099_p.sql',
    'drop trigger usage_no_update;',
  ],
].map(([rule = '', how = '', path = '', text = '']) => ({ rule, how, path, text }));

function ruleOf(report: AdrReport, id: string): AdrRuleResult {
  const rule = report.records.flatMap((record) => record.rules).find((one) => one.id === id);
  if (!rule) throw new Error(`no rule ${id}`);
  return rule;
}

const enforcedIn = ({ records }: AdrReport): AdrRuleResult[] =>
  records.flatMap(({ rules }) => rules).filter(({ level }) => level === 'enforced');

describe('the rules of this repository', () => {
  let clean: AdrReport;
  let broken: AdrReport;

  beforeAll(async () => {
    makeClone();
    clean = await runCheck({ directory: clone, prove: true });
    for (const { path, text } of planted) write(path, `${text}\n`);
    write('runner/terminal/tmux.ts', 'export type Pane = string;\nexport const send = 1;\n');
    write('runner/terminal/registry.ts', "export { send } from './tmux.ts';\n");
    edit('runner/tsconfig.json', (text) =>
      text.replace(
        '"compilerOptions": {',
        '"compilerOptions": { "paths": { "@terminal/*": ["./terminal/*"] },',
      ),
    );
    edit('package.json', (text) =>
      text.replace(
        '"type": "module",',
        '"type": "module", "imports": { "#tmux": "./runner/terminal/tmux.ts" },',
      ),
    );
    edit('runner/engines/registry.ts', (text) =>
      text.replace('  rehearsal,\n];', "  rehearsal,\n  { ...rehearsal, id: 'novel' },\n];"),
    );
    edit('runner/engines/codex/parse.ts', (text) => `${text}\nexport const p = 1;\n`);
    edit('migrations/0000_ledgers.sql', (text) => `${text}\n-- changed\n`);
    broken = await runCheck({ directory: clone });
  }, SLOW_MS);
  afterAll(() => rmSync(top, { recursive: true, force: true }));

  it('hold here', () => {
    const rules = enforcedIn(clean);
    const failing = rules.filter((rule) => rule.state !== 'passed' && rule.state !== 'skipped');
    expect(failing.map((rule) => [rule.id, rule.findings])).toEqual([]);
    expect(clean.records.flatMap((record) => record.problems)).toEqual([]);
    expect(clean.problems).toEqual([]);
    expect(clean.exitCode).toBe(0);
  });

  it('look at much', () => {
    expect(ruleOf(clean, 'tmux-has-one-importer').examined.count).toBeGreaterThan(400);
    expect(ruleOf(clean, 'rooms-import-downwards').examined.count).toBeGreaterThan(400);
  });

  it('catch their own fixtures', () => {
    const rules = enforcedIn(clean);
    const unproven = rules.filter((rule) => rule.proof && rule.proof.state !== 'proven');
    expect(unproven.map((rule) => rule.id)).toEqual([]);
  });

  it.each(planted)('$rule catches: $how', ({ rule, path }) => {
    const found = ruleOf(broken, rule).findings.map((finding) => finding.place?.path);
    expect(found).toContain(path);
  });

  it('catch an engine without a passing suite, and tell of one that is read in another way', () => {
    const { state, findings } = ruleOf(broken, 'every-engine-has-passed-its-conformance');
    expect(state).toBe('violated');
    const missing = 'novel is registered, and no passing suite is recorded for it';
    expect(findings[0]?.excerpt).toContain(missing);
    const changed = ruleOf(broken, 'what-reads-an-engine-is-what-passed');
    expect(changed).toMatchObject({ state: 'violated', level: 'advisory' });
    expect(changed.findings[0]?.excerpt).toContain('What reads codex has changed');
  });

  it('let the one importer import', () => {
    const paths = ruleOf(broken, 'tmux-has-one-importer').findings.map((one) => one.place?.path);
    expect(paths).not.toContain('runner/terminal/registry.ts');
    expect(paths).not.toContain('runner/terminal/tmux.ts');
  });

  it(
    'catch a migration that is changed, before and after it is committed',
    async () => {
      expect(ruleOf(broken, 'migrations-are-only-added').state).toBe('violated');
      git(clone, 'add', 'migrations');
      git(clone, 'commit', '-qm', 'change it', '--', 'migrations/0000_ledgers.sql');
      const after = await runCheck({ directory: clone, base: 'HEAD~1' });
      expect(ruleOf(after, 'migrations-are-only-added').state).toBe('violated');
    },
    SLOW_MS,
  );

  it(
    'ask the reviewer of a change to an engine, until there is an answer',
    async () => {
      const asked = await runCheck({ directory: clone, base: 'HEAD' });
      expect(ruleOf(asked, 'how-does-this-engine-report').state).toBe('violated');
      const body = 'ADR-0002: Its result line ends the turn and carries the cost.';
      const answered = await runCheck({ directory: clone, base: 'HEAD', body });
      expect(ruleOf(answered, 'how-does-this-engine-report').state).toBe('passed');
    },
    SLOW_MS,
  );

  it('say with exit code 1 that something is broken', () => {
    expect(broken.exitCode).toBe(1);
  });
});
