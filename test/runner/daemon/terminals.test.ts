import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Command } from '../../../protocol/command.ts';
import type { TerminalSession } from '../../../protocol/terminal.ts';
import { FakeRelay } from '../../support/fake-relay.ts';
import { aCommand } from '../../support/runner-builders.ts';
import { TestMachine } from '../../support/runner-process.ts';
import { until } from '../../support/until.ts';

const scope = { backends: ['tmux' as const], prefixes: [], only: null };
const SECRET = 'canary-of-the-terminal-3fd81c';

let relay: FakeRelay;
let machine: TestMachine;

beforeEach(async () => {
  relay = await FakeRelay.listen();
  machine = new TestMachine();
  machine.limit(`directories = ["${machine.root}"]\n[terminal]\nbackends = ["tmux"]`);
  Object.assign(machine.env, { TMUX_TMPDIR: machine.root, SHELL: '/bin/bash' });
});
afterEach(async () => {
  const socket = join(machine.data, 'runner', 'terminal', 'tmux.sock');
  if (existsSync(socket)) execFileSync('tmux', ['-S', socket, 'kill-server'], { stdio: 'pipe' });
  await machine.remove();
  await relay.close();
});

async function value<T>(command: Command): Promise<T> {
  relay.command(command);
  const result = await relay.result(command.id);
  if (!result.ok) throw new Error(`${command.method}: ${result.code}: ${result.message}`);
  return result.value as T;
}

const create = (name: string) =>
  aCommand('terminal/call', null, {
    call: {
      tool: 'tmux_create_session',
      params: {
        name,
        directory: machine.work,
        argv: ['bash', '--norc', '-i'],
        size: { columns: 80, rows: 24 },
        variables: [],
      },
    },
    scope,
  });

const run = (target: string, command: string) =>
  aCommand('terminal/call', null, {
    call: {
      tool: 'tmux_run_command',
      params: { target, command, where: 'window', timeoutMs: 60_000 },
    },
    scope,
  });

test('what the gate asks of a terminal is done there, once, and says nothing that is secret', async () => {
  machine.env['API_KEY'] = SECRET;
  machine.startDaemon(relay);
  await until('the terminals', () => relay.machine?.terminals?.[0]?.available === true);
  const session = await value<TerminalSession>(create('one'));
  const pane = session.panes[0]?.target ?? '';
  const counted = run(pane, `echo ${SECRET.slice(0, 10)}''${SECRET.slice(10)}; echo x >> count`);
  const ran = await value<{ text: string; exitCode: number }>(counted);
  expect(ran).toMatchObject({ exitCode: 0, text: expect.stringContaining('[redacted:API_KEY]') });
  relay.command(counted);
  await until('the same answer again', () => (relay.results.get(counted.id)?.length ?? 0) > 1);
  expect(relay.results.get(counted.id)?.[1]).toEqual(relay.results.get(counted.id)?.[0]);
  expect(readFileSync(join(machine.work, 'count'), 'utf8')).toBe('x\n');
});

test('a write that a crash cut short is unknown, and never sent again', async () => {
  const runner = machine.startRunner(relay);
  const session = await value<TerminalSession>(create('two'));
  const cut = run(session.panes[0]?.target ?? '', 'echo x >> count; sleep 30');
  relay.command(cut);
  const count = join(machine.work, 'count');
  await until('the first time', () => existsSync(count));
  await runner.crash();
  machine.startRunner(relay);
  expect(await relay.result(cut.id)).toMatchObject({ ok: false, code: 'unknown_outcome' });
  expect(readFileSync(count, 'utf8')).toBe('x\n');
});

test('a machine whose limits open no terminal says so, and refuses', async () => {
  machine.limit(`directories = ["${machine.root}"]`);
  machine.startDaemon(relay);
  await until('the terminals', () => relay.machine?.terminals?.length === 0);
  const refused = create('three');
  relay.command(refused);
  expect(await relay.result(refused.id)).toMatchObject({ ok: false, code: 'terminal_not_allowed' });
});
