import { describe, expect, it } from 'vitest';
import { BUILT_IN_OPERATORS } from '../../protocol/builtin-operators.ts';
import { type Ceiling, narrowConstraintSpec, type Narrowing } from '../../protocol/ceiling.ts';
import { DEFAULT_CONSENTS, type InstanceState } from '../../protocol/operator.ts';
import {
  describeDefinition,
  describeInstance,
  describeSpec,
  instanceObstacle,
} from '../../protocol/operator-words.ts';
import { TERMINAL_TOOLS } from '../../protocol/terminal.ts';

const [tmux, kitty, iterm2] = BUILT_IN_OPERATORS.map(({ ceiling }) => ({ ceiling }));
const ANY: Ceiling = {
  tools: TERMINAL_TOOLS,
  surfaceOptions: {
    tmux: { backends: ['tmux'], targets: 'any', prefix: 'build' },
    terminal: { backends: ['kitty', 'iterm2'], targets: 'any', prefix: null },
  },
};
const words = (ceiling: Ceiling, narrowing: Narrowing = {}) =>
  describeSpec(narrowConstraintSpec(ceiling, narrowing));
const bound = { target: 'tmux:default:10.20:%1', label: 'build' };

describe('what an operator may do, in sentences', () => {
  it.each([
    [tmux, ['May read, type into, run commands in and close one tmux pane that you choose.']],
    [kitty, ['May read, type into, run commands in and close one kitty window that you choose.']],
    [
      iterm2,
      [
        'May read, type into and close one iTerm2 session that you choose.',
        'May not run commands in it.',
      ],
    ],
  ])('is said of each that comes with the product', (definition, sentences) => {
    expect(definition && describeDefinition(definition)).toEqual(sentences);
  });

  it('says each connector apart, whose names, and what it may make', () => {
    expect(words(ANY)).toEqual([
      'May read, type into, run commands in and close every tmux pane of sessions whose names begin with build.',
      'May make tmux sessions whose names begin with build.',
      'May read, type into, run commands in and close every kitty window or iTerm2 session.',
    ]);
  });

  it('is what is left after the subscriber’s limits', () => {
    const narrowing: Narrowing = {
      tools: ['tmux_capture_pane', 'tmux_run_command', 'tmux_create_session'],
      surfaceOptions: { tmux: { prefix: 'build-1' } },
    };
    expect(words(ANY, narrowing)).toEqual([
      'May read and run commands in every tmux pane of sessions whose names begin with build and build-1.',
      'May not type into it or close it.',
      'May make tmux sessions whose names begin with build and build-1.',
    ]);
    expect(words(ANY, { tools: [] })).toEqual(['May do nothing.']);
  });

  it('makes nothing where it works in one terminal', () => {
    const only = { ...ANY, tools: ['tmux_create_session' as const] };
    expect(words(only, { surfaceOptions: { tmux: { targets: 'single' } } })).toEqual([
      'May do nothing.',
    ]);
  });
});

describe('an instance', () => {
  const ceiling = tmux?.ceiling ?? ANY;
  const instance = { narrowing: {}, boundTarget: bound, consents: DEFAULT_CONSENTS };

  it('says its terminal, what it asks about and what was not agreed to', () => {
    expect(describeInstance(instance, { ceiling })).toEqual([
      'May read, type into, run commands in and close the tmux pane build.',
      'Asks you before it types or runs a command.',
      'You have not agreed that it may close it.',
    ]);
  });

  it('speaks of no consent for what it could not do at all', () => {
    const narrowing: Narrowing = { tools: ['tmux_capture_pane'] };
    expect(describeInstance({ ...instance, narrowing }, { ceiling })).toEqual([
      'May read the tmux pane build.',
      'May not type into it, run commands in it or close it.',
    ]);
  });

  const active = { narrowing: {}, boundTarget: bound, state: 'active' as InstanceState };
  it.each([
    ['works', active, null],
    ['is paused', { ...active, state: 'paused' as const }, 'Resume it'],
    ['was removed', { ...active, state: 'removed' as const }, 'Make another'],
    ['has no terminal', { ...active, boundTarget: null }, 'Choose one'],
    [
      'has one of another kind',
      { ...active, boundTarget: { target: 'kitty:1:2', label: 'x' } },
      'bound to kitty',
    ],
    ['was left nothing', { ...active, narrowing: { tools: [] } }, 'nothing to do'],
  ])('that %s says so, and what to do', (_, one, sentence) => {
    const obstacle = instanceObstacle(one, { ceiling });
    if (sentence === null) expect(obstacle).toBeNull();
    else expect(obstacle).toContain(sentence);
  });

  it('of many terminals needs none bound', () => {
    expect(instanceObstacle({ ...active, boundTarget: null }, { ceiling: ANY })).toBeNull();
  });
});
