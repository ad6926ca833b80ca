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

const HOOKING: Hooking = {
  token: 'abc.DEF',
  command: '/usr/bin/node /p/hook.ts /p/ask.sock',
  engines: ['claude', 'codex'],
  rules: [],
};
const SETTINGS = JSON.stringify({
  hooks: {
    PermissionRequest: [
      {
        matcher: '*',
        hooks: [{ type: 'command', command: `${HOOKING.command} 3600000 claude`, timeout: 4_000 }],
      },
    ],
  },
});

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
      SETTINGS,
      ...argv.slice(at),
    ]);
  });

  it('is given its hook and the hash that trusts it, where it is codex', () => {
    // What `hooks/list` of codex 0.171.0 says of this very hook.
    const hash = 'sha256:1dd54684013e11f26eb3bc3a24a0998aa65e91756646787e6f600af6ccf91073';
    expect(hookedArgv(['codex', '-a', 'untrusted'], HOOKING)).toEqual([
      'codex',
      '--no-daemon',
      '-c',
      `hooks.PermissionRequest=[{hooks=[{type="command",command="${HOOKING.command} 60000 codex",timeout=4000}]}]`,
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
    const permissionsIn = (settings = '') =>
      (JSON.parse(settings) as { permissions?: unknown }).permissions;
    const files = ['Read(//**/.env)', 'Edit(//**/.env)'];
    const ask = ['Bash(npm publish*)'];
    expect(permissionsIn(hookedArgv(['claude'], { ...HOOKING, rules })?.[2])).toEqual({
      deny: [...files, "Bash(echo 'it')"],
      ask,
    });
    // What a shell would read otherwise is left to the hook.
    const [, settings] =
      /--settings '(.*)'$/.exec(hookedLine('claude', { ...HOOKING, rules }) ?? '') ?? [];
    expect(permissionsIn(settings)).toEqual({ deny: files, ask });
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
    for (const program of ['claude', 'codex'])
      expect(start.program([program])?.join(' ')).not.toContain('abc.DEF');
  });
});

it('is given to codex where the one of this machine takes it', () => {
  const codex = (version: string | null) => hookedHere([{ engineId: 'codex', version }]);
  expect(codex('0.171.0')).toEqual(['claude', 'codex']);
  expect(codex('0.170.9')).toEqual(['claude']);
  expect(codex(null)).toEqual(['claude']);
  expect(hookedArgv(['codex'], { ...HOOKING, engines: ['claude'] })).toBeNull();
  expect(hookedLine('codex', { ...HOOKING, engines: ['claude'] })).toBeNull();
});

describe('a command line', () => {
  const given = `PILOTHOUSE_ASK=abc.DEF claude --settings '${SETTINGS}'`;
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
    expect(hookedLine('claude', { ...HOOKING, command: "'/a b/node' hook" })).toBeNull();
  });

  it.each(['bash', 'zsh', 'dash', 'fish'])('reaches the program as it was, in %s', (shell) => {
    const program = join(directory, 'claude-program', 'claude');
    mkdirSync(join(directory, 'claude-program'), { recursive: true });
    const shown = '#!/bin/sh\necho "$PILOTHOUSE_ASK"\nprintf "%s\\n" "$@"\n';
    writeFileSync(program, shown, { mode: 0o755 });
    const line = hookedLine(`${program} 'it is' two`, HOOKING) ?? '';
    expect(execFileSync(shell, ['-c', line], { encoding: 'utf8' }).trim().split('\n')).toEqual([
      'abc.DEF',
      '--settings',
      SETTINGS,
      'it is',
      'two',
    ]);
  });
});
