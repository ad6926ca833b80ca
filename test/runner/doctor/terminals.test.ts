import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { TerminalCapabilities } from '../../../protocol/terminal.ts';
import { checkTerminals, type TerminalFacts } from '../../../runner/doctor/terminals.ts';
import { examineTerminals } from '../../../runner/terminal/examine.ts';
import { OPEN, TerminalHouse } from '../../support/terminal-house.ts';

const tmux: TerminalCapabilities = {
  backend: 'tmux',
  available: true,
  version: '3.3a',
  tools: [],
  shell: true,
  live: true,
  note: null,
};
const facts = (changes: Partial<TerminalFacts> = {}): TerminalFacts => ({
  capabilities: [tmux],
  deafSocket: null,
  olderServer: null,
  ended: 0,
  ...changes,
});

describe('the doctor on terminals', () => {
  it('says how to open one, where none is open', () => {
    expect(checkTerminals(facts({ capabilities: [] }), 'apt')).toEqual([
      expect.objectContaining({ status: 'ok', message: expect.stringContaining('[terminal]') }),
    ]);
    expect(checkTerminals(null, 'apt')).toEqual([]);
  });

  it('warns of what is open and cannot be reached, with what to do', () => {
    const old = { ...tmux, available: false, note: 'tmux 3.2 is older than 3.3.' };
    const kitty = { ...old, backend: 'kitty' as const, note: null };
    expect(checkTerminals(facts({ capabilities: [old, kitty] }), 'apt')).toMatchObject([
      {
        check: 'terminals tmux',
        status: 'warning',
        message: /./,
        remedy: expect.stringContaining('3.3'),
      },
      {
        check: 'terminals kitty',
        status: 'warning',
        remedy: expect.stringContaining('allow_remote_control'),
      },
    ]);
  });

  it('names a socket that is deaf, an older server and sessions that ended, each by itself', () => {
    const found = checkTerminals(
      facts({ deafSocket: '/x/tmux.sock', olderServer: '3.2', ended: 2 }),
      'apt',
    );
    expect(found.map(({ status }) => status)).toEqual(['ok', 'warning', 'warning', 'ok']);
    expect(found[1]?.remedy).toContain('fuser -v /x/tmux.sock');
    expect(found[3]?.message).toContain('2 sessions have ended');
    expect(new Set(found.map(({ check }) => check)).size).toBe(4);
  });
});

/** The real tmux behind a program of its name that says another version. */
function tmuxThatSays(version: string): TerminalHouse {
  const path = process.env['PATH'] ?? '';
  const real = execFileSync('which', ['tmux'], { encoding: 'utf8' }).trim();
  const house = new TerminalHouse({
    PATH: `${mkdtempSync(join(tmpdir(), 'pilothouse-tmux-'))}:${path}`,
  });
  const [directory = ''] = (house.env['PATH'] ?? '').split(':');
  const script = `#!/bin/sh\ncase "$*" in *-V*) echo 'tmux ${version}' ;; *) exec '${real}' "$@" ;; esac\n`;
  writeFileSync(join(directory, 'tmux'), script, { mode: 0o755 });
  return house;
}
function close(house: TerminalHouse): void {
  house.close();
  rmSync(house.env['PATH']?.split(':')[0] ?? '', { recursive: true, force: true });
}
const OPEN_TMUX = { ...OPEN, backends: ['tmux' as const] };

describe('a machine on which something is wrong with tmux', () => {
  it('is told of one that is too old, and what to install', async () => {
    const house = tmuxThatSays('3.2a');
    const found = checkTerminals(await examineTerminals(OPEN_TMUX, house.terminals), 'apt');
    close(house);
    expect(found).toMatchObject([
      {
        status: 'warning',
        message: expect.stringContaining('tmux 3.2a is older than 3.3.'),
        remedy: expect.stringMatching(/tmux 3\.3 or newer: .*apt.* install .*tmux/),
      },
    ]);
  });

  it('is told of a server that is older than the program, which goes on as it is', async () => {
    const house = tmuxThatSays('3.9');
    await house.shell('at-work');
    const facts = await examineTerminals(OPEN_TMUX, house.terminals);
    const found = checkTerminals(facts, 'apt');
    close(house);
    const real = execFileSync('tmux', ['-V'], { encoding: 'utf8' }).trim().replace('tmux ', '');
    expect(facts.olderServer).toBe(real);
    expect(found).toMatchObject([
      { status: 'ok', message: expect.stringContaining('tmux 3.9 is open') },
      { status: 'warning', remedy: expect.stringContaining('close its sessions') },
    ]);
  });

  it('is told of none at all', async () => {
    const house = new TerminalHouse({ PATH: '/nowhere' });
    const found = checkTerminals(await examineTerminals(OPEN_TMUX, house.terminals), 'apt');
    house.close();
    expect(found).toMatchObject([
      { status: 'warning', message: expect.stringContaining('tmux is not installed.') },
    ]);
  });

  it('works again once it did what a deaf server is told to be treated by', async () => {
    const house = new TerminalHouse();
    const { pane } = await house.shell('deaf');
    const pid = Number(pane.split(':')[2]?.split('.')[0]);
    process.kill(pid, 'SIGSTOP');
    const found = checkTerminals(await examineTerminals(OPEN_TMUX, house.terminals), 'apt');
    const remedy = found.find(({ remedy }) => remedy?.includes('rm '))?.remedy ?? '';
    const [who = '', remove = ''] = [...remedy.matchAll(/`([^`]+)`/g)].map(([, words]) => words);
    expect(who).toBe(`fuser -v ${join(house.root, 'tmux.sock')}`);
    process.kill(pid, 'SIGKILL');
    execFileSync('/bin/sh', ['-c', remove]);
    await house.shell('again');
    const after = checkTerminals(await examineTerminals(OPEN_TMUX, house.terminals), 'apt');
    house.close();
    expect(after).toMatchObject([{ status: 'ok' }]);
  });
});

it('says of iTerm2 that only a Mac has it, where there is none', () => {
  const iterm2 = { ...tmux, backend: 'iterm2' as const, available: false, note: null };
  const remedyOn = (packages: 'apt' | 'brew') =>
    checkTerminals(facts({ capabilities: [iterm2] }), packages)[0]?.remedy;
  expect(remedyOn('apt')).toContain('take `"iterm2"` out of `backends`');
  expect(remedyOn('brew')).toContain('open -a iTerm');
});

describe('examining terminals', () => {
  it('finds a real tmux, what ended in it, and a server that does not answer', async () => {
    const house = new TerminalHouse();
    try {
      expect(await examineTerminals({ ...OPEN, backends: [] }, house.terminals)).toEqual(
        facts({ capabilities: [] }),
      );
      const open = { ...OPEN, backends: ['tmux' as const] };
      const { pane } = await house.session('done', ['true']);
      await house.ends(pane);
      const found = await examineTerminals(open, house.terminals);
      expect(found).toMatchObject({ ended: 1, deafSocket: null, olderServer: null });
      expect(found.capabilities[0]).toMatchObject({ backend: 'tmux', available: true, note: null });
      const pid = Number(pane.split(':')[2]?.split('.')[0]);
      process.kill(pid, 'SIGSTOP');
      const deaf = await examineTerminals(open, house.terminals);
      process.kill(pid, 'SIGCONT');
      expect(deaf).toMatchObject({ deafSocket: join(house.root, 'tmux.sock'), ended: 0 });
      house.tmux('own', 'kill-server');
      // What a server left behind is in nobody's way.
      expect(await examineTerminals(open, house.terminals)).toMatchObject({
        deafSocket: null,
        ended: 0,
      });
    } finally {
      house.close();
    }
  });
});
