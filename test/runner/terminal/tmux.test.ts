import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { terminalResults } from '../../../protocol/terminal.ts';
import { BASH, OPEN, TerminalHouse } from '../../support/terminal-house.ts';
import { until } from '../../support/until.ts';

let house: TerminalHouse;
beforeEach(() => void (house = new TerminalHouse()));
afterEach(() => house.close());

describe('sessions in tmux', () => {
  it('are none where no server runs, and listing begins none', async () => {
    expect(await house.do('tmux_list_sessions', {})).toEqual({ sessions: [] });
    expect(() => house.tmux('own', 'list-sessions')).toThrow(/no server|No such file/);
  });

  it('are made, listed as ours, and killed', async () => {
    const made = await house.shell('build');
    expect(terminalResults.tmux_create_session.parse(made)).toMatchObject({
      name: 'build',
      server: 'own',
      ours: true,
      attached: 0,
    });
    const { sessions } = await house.do('tmux_list_sessions', {});
    expect(sessions.map(({ target }) => target)).toEqual([made.target]);
    expect(sessions[0]?.panes[0]).toMatchObject({
      state: 'shell',
      program: 'bash',
      directory: house.directory,
      agent: null,
    });
    await house.do('tmux_kill_session', { target: made.target });
    expect(await house.do('tmux_list_sessions', {})).toEqual({ sessions: [] });
    expect(await house.refusal('terminal_capture', { target: made.pane })).toBe('terminal_gone');
  });

  it('have a name once', async () => {
    await house.session('one');
    expect(await house.refusal('tmux_create_session', { name: 'one' })).toBe('terminal_exists');
  });

  it('begin in no other directory than the one that was asked for', async () => {
    const directory = join(house.directory, 'nowhere');
    expect(await house.refusal('tmux_create_session', { name: 'a', directory })).toBe(
      'directory_missing',
    );
  });

  it('run nothing that stands in the name of their directory', async () => {
    const proof = join(house.directory, 'ran');
    const directory = join(house.directory, `#(touch ran) #{pid} ;`);
    mkdirSync(directory);
    const made = await house.do('tmux_create_session', { name: 'a', directory });
    const target = made.panes[0]?.target ?? '';
    await house.do('terminal_run_command', { target, command: 'pwd' });
    expect(made.panes[0]?.directory).toBe(directory);
    expect(() => writeFileSync(proof, '', { flag: 'wx' })).not.toThrow();
  });

  it('run a single word as a program, and no shell reads it', async () => {
    const { pane } = await house.session('one', ['echo hi; touch x']);
    await house.ends(pane);
    // tmux may not know the exit code of so short a program; a shell would have made the file.
    expect(() => writeFileSync(join(house.directory, 'x'), '', { flag: 'wx' })).not.toThrow();
  });

  it('are found by their exact id alone, also once they are renamed', async () => {
    const first = await house.shell('foo');
    const longer = await house.shell('foobar');
    house.tmux('own', 'rename-session', '-t', '=foo', 'bar');
    house.tmux('own', 'rename-session', '-t', '=foobar', 'foo');
    await house.do('terminal_send_text', { target: first.pane, text: 'first' });
    expect(await house.screen(first.pane)).toContain('first');
    expect(await house.screen(longer.pane)).not.toContain('first');
    for (const target of ['foo', '=foo', 'tmux:own:%0', first.pane.replace('%0', '%00x')])
      expect(await house.refusal('terminal_capture', { target })).toBe('bad_request');
  });

  it('of an earlier server are gone, although their numbers are given out again', async () => {
    const old = await house.session('one');
    house.tmux('own', 'kill-server');
    const young = await house.session('one');
    expect(young.pane.split(':').at(-1)).toBe(old.pane.split(':').at(-1));
    expect(await house.refusal('terminal_send_text', { target: old.pane, text: 'x' })).toBe(
      'terminal_gone',
    );
  });

  it('are made beside a socket that a killed server left behind, and none is listed before', async () => {
    const { pane } = await house.session('one');
    const [, , server = ''] = pane.split(':');
    process.kill(Number(server.split('.')[0]), 'SIGKILL');
    const socket = join(house.root, 'tmux.sock');
    await until(
      'its end',
      async () => (await house.do('tmux_list_sessions', {})).sessions.length === 0,
    );
    expect(existsSync(socket)).toBe(true);
    const next = await house.shell('one', [...BASH]);
    expect(await house.refusal('terminal_capture', { target: pane })).toBe('terminal_gone');
    const ran = { target: next.pane, command: 'echo back' };
    expect(await house.do('terminal_run_command', ran)).toMatchObject({ text: 'back' });
  });

  it('are given variables that the limits name, which stand nowhere else', async () => {
    house.close();
    house = new TerminalHouse({ API_KEY: 'never-shown-1796', OTHER: 'x' });
    house.limits = { ...OPEN, variables: ['API_KEY', 'GONE'] };
    const create = { name: 'keyed', argv: ['sh', '-c', 'printf %s "$API_KEY" | md5sum; cat'] };
    const made = await house.do('tmux_create_session', { ...create, variables: ['API_KEY'] });
    const pane = made.panes[0]?.target ?? '';
    await house.shows(pane, new RegExp(createHash('md5').update('never-shown-1796').digest('hex')));
    const everywhere = [
      execFileSync('ps', ['-axww', '-o', 'args='], { encoding: 'utf8' }),
      house.tmux('own', 'show-environment', '-g'),
      house.tmux('own', 'show-environment', '-t', 'keyed'),
      await house.screen(pane, 500),
    ];
    expect(everywhere.join('\n')).not.toContain('never-shown');
    const again = { ...create, variables: ['API_KEY'] };
    expect(await house.refusal('tmux_create_session', again)).toBe('terminal_exists');
    // At once, and not after as long as a reader may take.
    const isLeft = () => readdirSync(house.root).some((name) => name.startsWith('once-'));
    await until('its pipe to go', () => !isLeft(), { withinMs: 3_000 });
    const next = { name: 'next', variables: ['GONE'] };
    expect(await house.refusal('tmux_create_session', next)).toBe('terminal_unavailable');
    const more = { name: 'next', variables: ['OTHER'] };
    expect(await house.refusal('tmux_create_session', more)).toBe('terminal_not_allowed');
  });

  it('show their history, its lines that are searched for, and no more than asked', async () => {
    const { pane } = await house.session('log', ['sh', '-c', 'seq 1 200; cat']);
    await house.shows(pane, /^200$/m);
    expect(await house.screen(pane)).not.toMatch(/^5$/m);
    expect(await house.screen(pane, 500)).toMatch(/^5$/m);
    const found = await house.do('tmux_capture_pane', { target: pane, history: 500, search: '77' });
    expect(found.text).toBe('77: 77\n177: 177');
  });

  it('keep a line whole that is wider than the pane', async () => {
    const long = 'x'.repeat(300);
    const { pane } = await house.session('wide', ['sh', '-c', `echo ${long}; cat`]);
    expect((await house.shows(pane, /x{300}/)).seen).toContain(long);
  });
});

it('tells of words that no program can be given, and starts nothing', async () => {
  const { server } = house.terminals.own;
  const called = await server.call(['display-message', '-p', 'x'.repeat(200_000)]);
  expect(called).toMatchObject({ ok: false, problem: expect.stringContaining('E2BIG') });
});

describe('the person’s own server', () => {
  const begin = (name: string) => {
    house.tmux('default', '-f', '/dev/null', 'new-session', '-d', '-s', name, 'bash --norc');
    return name;
  };

  it('is not even looked at while it is closed', async () => {
    begin('mine');
    house.limits = { ...OPEN, defaultServer: false };
    expect(await house.do('tmux_list_sessions', {})).toEqual({ sessions: [] });
    expect(await house.do('terminal_list', {})).toEqual({ panes: [] });
    const target = 'tmux:default:1.1:%0';
    expect(await house.refusal('terminal_capture', { target })).toBe('terminal_not_allowed');
  });

  it('shows the sessions whose names the limits open, and refuses the others', async () => {
    begin('agent-a');
    begin('private');
    const all = await house.do('tmux_list_sessions', {});
    expect(all.sessions.map(({ name, ours }) => [name, ours])).toEqual([
      ['agent-a', false],
      ['private', false],
    ]);
    house.limits = { ...OPEN, prefixes: ['agent-'] };
    const { sessions } = await house.do('tmux_list_sessions', {});
    expect(sessions.map(({ name }) => name)).toEqual(['agent-a']);
    const hidden = all.sessions[1]?.panes[0]?.target ?? '';
    for (const tool of ['terminal_capture', 'terminal_close', 'tmux_kill_session'] as const)
      expect(await house.refusal(tool, { target: hidden })).toBe('terminal_not_allowed');
    expect(house.tmux('default', 'list-sessions')).toContain('private');
  });

  it('keeps a session’s size, whoever looks on', async () => {
    begin('mine');
    house.tmux('default', 'resize-window', '-t', 'mine', '-x', '91', '-y', '33');
    const { panes } = await house.do('terminal_list', {});
    const target = panes[0]?.target ?? '';
    await house.do('terminal_run_command', { target, command: 'true' });
    expect(
      house.tmux('default', 'display', '-p', '-t', 'mine', '#{window_width}x#{window_height}'),
    ).toBe('91x33\n');
  });
});
