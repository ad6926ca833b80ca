import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { TERMINAL_TOOLS } from '../../../protocol/terminal.ts';
import type { TerminalLimits } from '../../../runner/limits/terminal.ts';
import { OPEN, TerminalHouse } from '../../support/terminal-house.ts';

let house: TerminalHouse;
beforeEach(() => void (house = new TerminalHouse()));
afterEach(() => house.close());

/** Parameters of each tool for one pane. */
const paramsOf = (tool: string, pane: string): object => {
  if (tool.endsWith('run_command')) return { target: pane, command: 'true' };
  if (tool.endsWith('send_text')) return { target: pane, text: 'x' };
  if (tool.endsWith('send_keys')) return { target: pane, keys: ['x'] };
  if (tool.endsWith('create_session')) return { name: 'another' };
  return /list/.test(tool) ? {} : { target: pane };
};

describe('limits that are narrowed while sessions are there', () => {
  it('hold from the very next call, for every tool', async () => {
    const { pane } = await house.shell('one');
    const closed: TerminalLimits = { ...OPEN, backends: [] };
    house.limits = closed;
    for (const tool of TERMINAL_TOOLS) {
      const answer = await house.call({ tool, params: paramsOf(tool, pane) });
      if (tool === 'terminal_list') expect(answer).toEqual({ ok: true, value: { panes: [] } });
      else
        expect([tool, answer]).toMatchObject([tool, { ok: false, code: 'terminal_not_allowed' }]);
    }
    house.limits = OPEN;
    expect(await house.screen(pane)).not.toContain('x');
    expect((await house.do('tmux_list_sessions', {})).sessions).toHaveLength(1);
  });

  it('follow the name of a person’s session, which may change', async () => {
    house.tmux('default', '-f', '/dev/null', 'new-session', '-d', '-s', 'agent-a', 'cat');
    house.limits = { ...OPEN, prefixes: ['agent-'] };
    const target = (await house.do('terminal_list', {})).panes[0]?.target ?? '';
    await house.do('terminal_send_text', { target, text: 'before' });
    house.tmux('default', 'rename-session', '-t', '=agent-a', 'private');
    expect(await house.refusal('terminal_send_text', { target, text: 'after' })).toBe(
      'terminal_not_allowed',
    );
    expect(house.tmux('default', 'capture-pane', '-p', '-t', '=private:')).not.toContain('after');
  });
});
