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
