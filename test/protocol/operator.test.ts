import { describe, expect, it, test } from 'vitest';
import { BUILT_IN_OPERATORS, builtInNote } from '../../protocol/builtin-operators.ts';
import { connectorOf } from '../../protocol/ceiling.ts';
import { decideRunningVersion, operatorBody } from '../../protocol/operator.ts';
import { TERMINAL_TOOLS } from '../../protocol/terminal.ts';

const [tmux, kitty, iterm2] = BUILT_IN_OPERATORS;

describe('an operator of the product', () => {
  it.each(BUILT_IN_OPERATORS)('$name works in one terminal of one kind', ({ ceiling }) => {
    const options = Object.values(ceiling.surfaceOptions);
    expect(options).toHaveLength(1);
    expect(options[0]).toMatchObject({ targets: 'single', prefix: null });
    expect(options[0]?.backends).toHaveLength(1);
    expect(new Set(ceiling.tools.map(connectorOf)).size).toBe(1);
  });

  it('has its own tools alone', () => {
    expect(tmux?.ceiling.tools.every((tool) => tool.startsWith('tmux_'))).toBe(true);
    expect(kitty?.ceiling.tools).toEqual(TERMINAL_TOOLS.filter((t) => t.startsWith('terminal_')));
    expect(iterm2?.ceiling.tools).not.toContain('terminal_run_command');
  });

  it('says where nobody has tried it', () => {
    expect(builtInNote('opr_iterm2')).toContain('Not verified');
    expect(builtInNote('opr_tmux')).toBeNull();
  });
});

describe('the version that runs', () => {
  const option = { backends: ['tmux' as const], targets: 'single' as const, prefix: null };
  const version = (number: number, ...tools: ('tmux_capture_pane' | 'tmux_send_keys')[]) => ({
    version: number,
    ceiling: { tools, surfaceOptions: { tmux: option } },
  });

  it.each([
    [
      'the newest that allows no more',
      [version(1, 'tmux_capture_pane'), version(2, 'tmux_capture_pane')],
      2,
    ],
    [
      'the agreed one, while the newest allows more',
      [version(1, 'tmux_capture_pane'), version(2, 'tmux_capture_pane', 'tmux_send_keys')],
      1,
    ],
    [
      'one past a wider one that was taken back',
      [
        version(1, 'tmux_capture_pane'),
        version(2, 'tmux_capture_pane', 'tmux_send_keys'),
        version(3, 'tmux_capture_pane'),
      ],
      3,
    ],
  ])('is %s', (_, versions, running) => {
    expect(decideRunningVersion(versions, 1)?.version).toBe(running);
    expect(decideRunningVersion(versions.toReversed(), 1)?.version).toBe(running);
  });

  it('is none where the agreed one is not there: nothing is guessed', () => {
    expect(decideRunningVersion([version(2, 'tmux_capture_pane')], 1)).toBeNull();
  });

  it('never goes back behind what was agreed to', () => {
    expect(decideRunningVersion([version(1), version(2)], 2)?.version).toBe(2);
  });
});

test('what could be published and never used is refused, with the reason', () => {
  const body = {
    name: 'a',
    instructions: 'b',
    ceiling: { tools: [], surfaceOptions: {} },
    brain: null,
  };
  const parsed = operatorBody.safeParse(body);
  expect(parsed.success).toBe(false);
  expect(parsed.error?.issues[0]).toMatchObject({
    path: ['ceiling'],
    message: 'an operator needs at least one tool',
  });
});
