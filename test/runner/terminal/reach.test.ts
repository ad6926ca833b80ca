import { describe, expect, it } from 'vitest';
import { terminalCall, TERMINAL_TOOLS, type TerminalTool } from '../../../protocol/terminal.ts';
import { terminalLimitsOf } from '../../../runner/limits/terminal.ts';
import { decideCall, decidePane } from '../../../runner/terminal/decide-reach.ts';
import { executeTerminalCall } from '../../../runner/terminal/execute.ts';
import type { Terminals } from '../../../runner/terminal/registry.ts';
import { OPEN } from '../../support/terminal-house.ts';

const CLOSED = terminalLimitsOf(undefined, (path) => path);
const TARGET = 'tmux:own:1.2:%3';
const PARAMS: Record<TerminalTool, object> = {
  tmux_list_sessions: {},
  tmux_create_session: { name: 'a' },
  tmux_capture_pane: { target: TARGET },
  tmux_run_command: { target: TARGET, command: 'ls' },
  tmux_send_keys: { target: TARGET, keys: ['Enter'] },
  tmux_kill_session: { target: TARGET },
  terminal_list: {},
  terminal_capture: { target: TARGET },
  terminal_run_command: { target: TARGET, command: 'ls' },
  terminal_send_text: { target: TARGET, text: 'ls' },
  terminal_send_keys: { target: TARGET, keys: ['Enter'] },
  terminal_close: { target: TARGET },
};
const callOf = (tool: TerminalTool, more: object = {}) =>
  terminalCall.parse({ tool, params: { ...PARAMS[tool], ...more } });

/** Terminals that nobody may touch. */
const untouchable = new Proxy({} as Terminals, {
  get: (_target, name) =>
    name === 'others'
      ? []
      : new Proxy(
          { backend: 'tmux' },
          {
            get: (known, called) => {
              if (called === 'backend') return known.backend;
              throw new Error(`${String(called)} was called`);
            },
          },
        ),
});

describe('a machine without [terminal] in its limits', () => {
  it.each(TERMINAL_TOOLS)('touches no terminal for %s', async (tool) => {
    const answer = await executeTerminalCall(callOf(tool), CLOSED, untouchable);
    // A listing is empty; whatever is about tmux is refused by its name.
    if (tool === 'terminal_list') expect(answer).toEqual({ ok: true, value: { panes: [] } });
    else expect(answer).toMatchObject({ ok: false, code: 'terminal_not_allowed' });
  });
});

describe('what limits open', () => {
  it('is one kind of terminal at a time', () => {
    const limits = { ...OPEN, backends: ['kitty' as const] };
    expect(decideCall(limits, callOf('tmux_list_sessions'))).toMatchObject({ allowed: false });
    expect(decideCall(limits, callOf('terminal_capture', { target: 'kitty:1:2' }))).toEqual({
      allowed: true,
    });
    expect(decideCall(limits, callOf('terminal_capture', { target: 'iterm2:x' }))).toMatchObject({
      code: 'terminal_not_allowed',
    });
  });

  it('lets tmux tools reach tmux alone', () => {
    expect(decideCall(OPEN, callOf('tmux_capture_pane', { target: 'kitty:1:2' }))).toMatchObject({
      code: 'terminal_not_found',
    });
  });

  it('holds for the default server as a whole, and for each name there', () => {
    const target = 'tmux:default:1.2:%3';
    const closed = { ...OPEN, defaultServer: false };
    expect(decideCall(closed, callOf('terminal_capture', { target }))).toMatchObject({
      code: 'terminal_not_allowed',
    });
    const some = { ...OPEN, prefixes: ['agent-'] };
    const pane = (session: string) => ({ backend: 'tmux' as const, target, session });
    expect(decidePane(some, pane('agent-a')).allowed).toBe(true);
    expect(decidePane(some, pane('my-agent-a')).allowed).toBe(false);
    expect(decidePane({ ...OPEN, prefixes: [] }, pane('agent-a')).allowed).toBe(false);
    expect(decidePane(closed, pane('agent-a')).allowed).toBe(false);
    expect(decidePane(some, { ...pane('other'), target: TARGET }).allowed).toBe(true);
  });

  it('gives a session the variables that are named, and no other', () => {
    const limits = { ...OPEN, variables: ['API_KEY'] };
    const create = (variables: string[]) =>
      decideCall(limits, callOf('tmux_create_session', { variables }));
    expect(create(['API_KEY']).allowed).toBe(true);
    expect(create(['API_KEY', 'AWS_SECRET'])).toMatchObject({
      detail: expect.stringContaining('AWS_SECRET'),
    });
  });
});

describe('a call that is none', () => {
  it.each([
    [null, 'bad_request'],
    [{ tool: 'terminal_reboot', params: {} }, 'bad_request'],
    [{ tool: 'terminal_capture', params: { target: 'foo' } }, 'bad_request'],
    [
      { tool: 'terminal_send_text', params: { target: TARGET, text: 'x'.repeat(10_000_000) } },
      'terminal_too_large',
    ],
  ])('is refused before anything is touched', async (call, code) => {
    expect(await executeTerminalCall(call, OPEN, untouchable)).toMatchObject({ ok: false, code });
  });
});
