import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  hookedArgv,
  hookedHere,
  hookedLine,
  type Hooking,
  startingWith,
} from '../../../runner/questions/start-agent.ts';

/** Where settings are kept here, and those that were kept last. */
const KEPT = '/p/agents/kept.json';
let kept = '';
const HOOK = '/usr/bin/node /p/hook.ts /p/ask.sock';
const HOOKING: Hooking = {
  token: 'abc.DEF',
  hook: ['/usr/bin/node', '/p/hook.ts', '/p/ask.sock'],
  keep: (settings) => {
    kept = settings;
    return KEPT;
  },
  kept: '/p/agents',
  engines: ['claude', 'codex', 'opencode'],
  rules: [],
};
const SETTINGS = JSON.stringify({
  hooks: {
    PermissionRequest: [
      {
        matcher: '*',
        hooks: [{ type: 'command', command: `${HOOK} 3600000 claude`, timeout: 4_000 }],
      },
    ],
  },
  permissions: { deny: ['Edit(//p/agents/**)'], ask: [] },
});

/** A program that shows its configuration. */
const SAYS_CONFIG = 'printf %s "$OPENCODE_CONFIG_CONTENT"';

let directory: string;
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'pilothouse-start-'));
  const versions = join(directory, 'claude', 'versions');
  mkdirSync(versions, { recursive: true });
  writeFileSync(join(versions, '2.1.332'), '');
  symlinkSync(join(versions, '2.1.332'), join(directory, 'mine'));
});
afterAll(() => rmSync(directory, { recursive: true }));

describe('a program that is started', () => {
  it.each([
    [['claude'], 1],
    [['/usr/local/bin/claude', 'fix it'], 1],
    [['env', '-C', '/code', 'A=b=c', 'claude', '--model', 'opus'], 5],
  ])('is given the hooks behind its name: %j', (argv, at) => {
    expect(hookedArgv(argv, HOOKING)).toEqual([
      ...argv.slice(0, at),
      '--settings',
      KEPT,
      ...argv.slice(at),
    ]);
    expect(kept).toBe(SETTINGS);
  });

  it('is given its hook and the hash that trusts it, where it is codex', () => {
    // What `hooks/list` of codex 0.171.0 says of this very hook.
    const hash = 'sha256:1dd54684013e11f26eb3bc3a24a0998aa65e91756646787e6f600af6ccf91073';
    expect(hookedArgv(['codex', '-a', 'untrusted'], HOOKING)).toEqual([
      'codex',
      '--no-daemon',
      '-c',
      `hooks.PermissionRequest=[{hooks=[{type="command",command="${HOOK} 60000 codex",timeout=4000}]}]`,
      '-c',
      `hooks.state={"/<session-flags>/config.toml:permission_request:0:0"={trusted_hash="${hash}"}}`,
      '-a',
      'untrusted',
    ]);
  });

  it('is told what the policy denies and asks about, and of nothing that it allows', () => {
    const rules: Hooking['rules'] = [
      { effect: 'deny', on: 'file', pattern: '**/.env' },
      { effect: 'ask', on: 'command', pattern: 'npm publish*' },
      { effect: 'allow', on: 'command', pattern: 'npm test' },
      { effect: 'deny', on: 'command', pattern: "echo 'it'" },
    ];
    const files = ['Read(//**/.env)', 'Edit(//**/.env)'];
    const permissions = {
      deny: [...files, "Bash(echo 'it')", 'Edit(//p/agents/**)'],
      ask: ['Bash(npm publish*)'],
    };
    for (const begin of [
      () => hookedArgv(['claude'], { ...HOOKING, rules }),
      () => hookedLine('claude', { ...HOOKING, rules }),
    ]) {
      kept = '{}';
      begin();
      expect(JSON.parse(kept)).toMatchObject({ permissions });
    }
  });

  it('is given a plugin around its name where it is opencode, beside no setting of the person’s', () => {
    const argv = ['env', '-C', '/code', 'opencode', '--prompt', 'fix it'];
    const hooked = hookedArgv(argv, HOOKING) ?? [];
    const [config = ''] = hooked.slice(7);
    expect(hooked.slice(0, 6)).toEqual(['env', '-C', '/code', 'env', 'sh', '-c']);
    expect(hooked.slice(8)).toEqual(['opencode', '--prompt', 'fix it']);
    expect(JSON.parse(config)).toEqual({
      plugin: [
        [
          expect.stringMatching(/^file:\/\/.*\/questions\/opencode-plugin\.ts$/),
          { hook: [...HOOKING.hook, '3600000', 'opencode'] },
        ],
      ],
    });
    const words = [...hooked.slice(5, 8), 'sh', '-c', SAYS_CONFIG];
    const run = (env: NodeJS.ProcessEnv) =>
      execFileSync('sh', words, {
        env: { PATH: process.env['PATH'], ...env },
        encoding: 'utf8',
      });
    expect(run({})).toBe(config);
    expect(run({ OPENCODE_CONFIG_CONTENT: '{"share":"disabled"}' })).toBe('{"share":"disabled"}');
  });

  it('is known by the file that its name leads to', () => {
    expect(hookedArgv([join(directory, 'mine')], HOOKING)).toContain('--settings');
  });

  it.each([
    [['bash']],
    [['gemini']],
    [['codex', '-c', 'hooks.Stop=[]']],
    [['codex', '--dangerously-bypass-hook-trust']],
    [['vim', 'claude']],
    [['env', '-i', 'claude']],
    [['opencode', 'run', 'fix it']],
    [['opencode', 'attach', 'http://127.0.0.1:4096']],
    [['env', 'A=b']],
    [['claude', '--settings', 'mine.json']],
    [['claude', '--settings={}']],
    [[]],
  ])('is left as it is where it is no such agent, or is set up already: %j', (argv) => {
    expect(hookedArgv(argv, HOOKING)).toBeNull();
  });

  it('has its token in a variable, and in no argument', () => {
    const start = startingWith(HOOKING);
    expect(start.variables).toEqual({ PILOTHOUSE_ASK: 'abc.DEF' });
    for (const program of ['claude', 'codex', 'opencode'])
      expect(start.program([program])?.join(' ')).not.toContain('abc.DEF');
  });
});

it.each([
  ['codex', '0.171.0', '0.170.9'],
  ['opencode', '1.18.33', '1.18.32'],
] as const)('is given to %s where the one of this machine takes it', (engineId, tried, older) => {
  const here = (version: string | null) => hookedHere([{ engineId, version }]);
  expect(here(tried)).toEqual(['claude', engineId]);
  expect(here(older)).toEqual(['claude']);
  expect(here(null)).toEqual(['claude']);
  expect(hookedArgv([engineId], { ...HOOKING, engines: ['claude'] })).toBeNull();
  expect(hookedLine(engineId, { ...HOOKING, engines: ['claude'] })).toBeNull();
});

describe('a command line', () => {
  const given = `PILOTHOUSE_ASK=abc.DEF claude --settings ${KEPT}`;
  it.each([
    ['claude', given],
    ['claude "$(cat task)" | tee log', `${given} "$(cat task)" | tee log`],
    ['cd /code/shop && A=b claude -c', `cd /code/shop && A=b ${given} -c`],
    ['claude "one\ntwo"', `${given} "one\ntwo"`],
  ])('is given the hooks at its first program: %s', (line, hooked) => {
    expect(hookedLine(line, HOOKING)).toBe(hooked);
  });

  it.each([
    ['npm test'],
    ['echo claude'],
    ['claude-code'],
    ['A=$(claude) b'],
    ['claude --settings x'],
    ['(claude)'],
  ])('is left as it is otherwise: %s', (line) => {
    expect(hookedLine(line, HOOKING)).toBeNull();
  });

  it('is left as it is where shells would read a path otherwise', () => {
    expect(hookedLine('codex', { ...HOOKING, hook: ['/a b/node', '/p/hook.ts'] })).toBeNull();
  });

  it.each(['bash', 'zsh', 'dash', 'fish'])(
    'gives opencode its plugin and all its words, in %s',
    (shell) => {
      const program = join(directory, 'opencode');
      const shown = '#!/bin/sh\nprintf "%s\\n" "$PILOTHOUSE_ASK" "$OPENCODE_CONFIG_CONTENT" "$@"\n';
      writeFileSync(program, shown, { mode: 0o755 });
      const line = hookedLine(`${program} --prompt 'it is'`, HOOKING) ?? '';
      const env = { PATH: process.env['PATH'], HOME: directory };
      const said = execFileSync(shell, ['-c', line], { encoding: 'utf8', env }).trim().split('\n');
      expect(said).toEqual([
        'abc.DEF',
        expect.stringContaining('opencode-plugin.ts'),
        '--prompt',
        'it is',
      ]);
    },
  );

  it.each(['bash', 'zsh', 'dash', 'fish'])('reaches the program as it was, in %s', (shell) => {
    const program = join(directory, 'claude-program', 'claude');
    mkdirSync(join(directory, 'claude-program'), { recursive: true });
    const shown = '#!/bin/sh\necho "$PILOTHOUSE_ASK"\nprintf "%s\\n" "$@"\n';
    writeFileSync(program, shown, { mode: 0o755 });
    const line = hookedLine(`${program} 'it is' two`, HOOKING) ?? '';
    expect(execFileSync(shell, ['-c', line], { encoding: 'utf8' }).trim().split('\n')).toEqual([
      'abc.DEF',
      '--settings',
      KEPT,
      'it is',
      'two',
    ]);
  });
});
