import { screen } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { Terminals } from '../../../console/machines/terminals.tsx';
import type { TerminalCapabilities } from '../../../protocol/terminal.ts';
import { draw } from '../support/render.tsx';

const terminal = (over: Partial<TerminalCapabilities> = {}) =>
  ({
    backend: 'tmux',
    available: true,
    version: '3.5a',
    shell: true,
    live: true,
    note: null,
    ...over,
  }) as TerminalCapabilities;

describe('the terminals that operators may reach', () => {
  it('are none by default, with what opens one', () => {
    draw(<Terminals terminals={[]} />);
    expect(screen.getByText(/None is open/)).toHaveTextContent('[terminal] in its limits.toml');
    expect(screen.queryByRole('list')).not.toBeInTheDocument();
  });

  it.each([
    [{ shell: true, live: true }, 'commands in the pane’s own shell · output as it is written'],
    [{ shell: true, live: false }, 'commands in the pane’s own shell'],
    [{ shell: false, live: true }, 'commands in a window of their own · output as it is written'],
  ])('of %j say what can be done there', (over, can) => {
    draw(<Terminals terminals={[terminal(over)]} />);
    expect(screen.getByText(/^commands in/).textContent).toBe(can);
  });

  it('are called what their makers call them, each with its version', () => {
    draw(<Terminals terminals={[terminal(), terminal({ backend: 'iterm2', version: null })]} />);
    const [first, second] = screen.getAllByRole('listitem');
    expect(first).toHaveTextContent(/^tmux3\.5aopen/);
    expect(second).toHaveTextContent(/^iTerm2open/);
  });

  it('that cannot be reached say why, and promise nothing', () => {
    const note = 'Its socket is gone: start `kitty` with `--listen-on`.';
    draw(<Terminals terminals={[terminal({ backend: 'kitty', available: false, note })]} />);
    const line = screen.getByRole('listitem');
    expect(line).toHaveTextContent('cannot be reached');
    expect(line).toHaveTextContent('start kitty with --listen-on');
    expect(line).not.toHaveTextContent('commands in');
  });
});
