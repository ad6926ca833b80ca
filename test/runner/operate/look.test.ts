import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ToolRule } from '../../../protocol/policy-defaults.ts';
import type { TerminalScope } from '../../../protocol/terminal-command.ts';
import { terminalCall } from '../../../protocol/terminal.ts';
import { lookAhead } from '../../../runner/operate/look.ts';
import { executeTerminalCall } from '../../../runner/terminal/execute.ts';
import { BASH, TerminalHouse } from '../../support/terminal-house.ts';
import { until } from '../../support/until.ts';

const ANY: TerminalScope = { backends: ['tmux'], prefixes: [], only: null };
const NO_ENV: ToolRule = { effect: 'deny', on: 'file', pattern: '**/.env' };

let house: TerminalHouse;
let pane: string;
let session: string;
/** A repository with what its people run by a short word. */
let repository: string;
const keysOf = (text: string) => Array.from(text, (each) => (each === ' ' ? 'Space' : each));
beforeAll(async () => {
  house = new TerminalHouse();
  repository = join(house.directory, 'shop');
  mkdirSync(join(repository, '.git'), { recursive: true });
  mkdirSync(join(repository, 'sub'));
  writeFileSync(join(repository, 'release.sh'), '#!/bin/sh\ngit push origin main\n');
  writeFileSync(join(repository, 'Makefile'), 'up:\n\tkubectl apply -f k8s\n');
  const scripts = { ship: 'npm publish' };
  writeFileSync(join(repository, 'package.json'), JSON.stringify({ scripts }));
  const made = await house.shell('agent-build');
  ({ pane } = made);
  session = made.target;
});
afterAll(() => house.close());

function look(tool: string, params: object, scope = ANY, rules: ToolRule[] = []) {
  const call = terminalCall.parse({ tool, params });
  return lookAhead({ call, scope, rules }, (each, within) =>
    executeTerminalCall(each, house.limits, house.terminals, within),
  );
}

describe('a look before a call', () => {
  it('finds a pane, and what the command would do', async () => {
    const looked = await look('tmux_run_command', {
      target: pane,
      command: 'git push origin main',
    });
    expect(looked.pane).toMatchObject({ target: pane, session: 'agent-build', state: 'shell' });
    expect(looked.acts).toMatchObject([{ kind: 'push', target: 'origin main' }]);
  });

  it('finds a session by its own id, under which the call names it', async () => {
    const looked = await look('tmux_kill_session', { target: session });
    expect(looked.pane).toMatchObject({ target: session, session: 'agent-build' });
  });

  it.each([
    ['the prefix', { ...ANY, prefixes: ['other-'] }],
    ['the back ends', { ...ANY, backends: ['kitty' as const] }],
    ['the one terminal', { ...ANY, only: 'tmux:own:1.1:%99' }],
  ])('tells nothing of a pane outside %s of the operator', async (_what, scope) => {
    const looked = await look('tmux_capture_pane', { target: pane }, scope);
    expect(looked).toMatchObject({ pane: null, acts: [], ruled: null });
  });

  it('reads the line that was typed before together with what is sent now', async () => {
    house.type(pane, 'git pu');
    await house.shows(pane, /git pu$/);
    const looked = await look('tmux_send_keys', { target: pane, keys: ['s', 'h', 'Enter'] });
    expect(looked.acts.map(({ kind }) => kind)).toContain('push');
    house.type(pane, 'C-u');
    await house.shows(pane, (text) => !text.includes('git pu'), 'an empty line');
    // The same keys on another line are another line to say yes to.
    const empty = await look('tmux_send_keys', { target: pane, keys: ['s', 'h', 'Enter'] });
    expect(empty.linesSha256).not.toBe(looked.linesSha256);
  });

  it('says which rule is about it', async () => {
    const looked = await look('tmux_run_command', { target: pane, command: 'cat .env' }, ANY, [
      NO_ENV,
    ]);
    expect(looked.ruled).toEqual({ effect: 'deny', pattern: '**/.env' });
  });

  it.each([
    ['a script', './release.sh', 'push'],
    ['a task of a Makefile', 'make up', 'deploy'],
    ['a task of a package', 'npm run ship', 'publish'],
    ['what lies above it in the same repository', '../release.sh', 'push', 'sub'],
  ])('looks through %s that the line would run', async (_what, command, kind, below = '.') => {
    const there = join(repository, below);
    const made = await house.session(`agent-in-${kind}-${below.length}`, BASH);
    house.type(made.pane, `cd ${there}`, 'Enter');
    await until('it to be there', async () => {
      const { panes } = await house.do('terminal_list', {});
      return panes.find(({ target }) => target === made.pane)?.directory === there;
    });
    await house.shows(made.pane, (text) => /[$#] ?$/.test(text), 'a prompt');
    for (const [tool, params] of [
      ['tmux_run_command', { target: made.pane, command }],
      ['tmux_send_keys', { target: made.pane, keys: [...keysOf(command), 'Enter'] }],
    ] as const) {
      const looked = await look(tool, params);
      // It may be written anew before it runs.
      expect(looked.acts).toMatchObject([{ kind, uncertain: true }]);
    }
  });

  it('looks through what a session that is made would begin with', async () => {
    const params = { name: 'x', argv: ['sh', 'release.sh'], directory: repository };
    expect((await look('tmux_create_session', params)).acts).toMatchObject([{ kind: 'push' }]);
  });

  it('leaves a line that nobody has seen to a person', async () => {
    const looked = await look('tmux_send_keys', { target: pane, keys: ['Up', 'Enter'] });
    expect(looked.ruled?.effect).toBe('ask');
  });
});

describe('what an operator may not reach', () => {
  const call = (tool: string, params: object, scope: TerminalScope) =>
    executeTerminalCall({ tool, params }, house.limits, house.terminals, scope);

  it('is refused on the machine too, whatever was decided elsewhere', async () => {
    const scope = { ...ANY, prefixes: ['other-'] };
    const refused = { ok: false, code: 'terminal_not_allowed' };
    const run = { target: pane, command: 'true' };
    expect(await call('tmux_run_command', run, scope)).toMatchObject(refused);
    expect(await call('tmux_create_session', { name: 'mine' }, scope)).toMatchObject(refused);
  });

  it('is in no list', async () => {
    const { pane: second } = await house.shell('agent-other');
    const one = { ...ANY, only: pane };
    const panes = await call('terminal_list', {}, one);
    expect(panes).toMatchObject({ ok: true, value: { panes: [{ target: pane }] } });
    const whole = await call('terminal_list', {}, { ...ANY, only: session });
    expect(whole).toMatchObject({ ok: true, value: { panes: [{ target: pane }] } });
    const sessions = await call('tmux_list_sessions', {}, one);
    expect(sessions).toMatchObject({ ok: true, value: { sessions: [{ name: 'agent-build' }] } });
    expect(JSON.stringify([panes, whole, sessions])).not.toContain(second);
  });
});
