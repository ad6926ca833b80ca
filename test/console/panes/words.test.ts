// @vitest-environment node
import { describe, expect, it } from 'vitest';
import type { WatchablePane } from '../../../protocol/panes.ts';
import { wordsOfFront, wordsOfPlace } from '../../../console/panes/words.ts';

const pane = (over: Partial<WatchablePane> = {}): WatchablePane => ({
  target: 'tmux:default:812.1700000000:%3',
  backend: 'tmux',
  session: 'build',
  title: 'anything a program says',
  program: 'bash',
  directory: '/code',
  size: { columns: 80, rows: 24 },
  state: 'shell',
  agent: null,
  ours: false,
  shown: 'live',
  ...over,
});

describe('where a terminal is', () => {
  it.each([
    [{}, 'tmux build %3'],
    [{ backend: 'kitty', session: null, target: 'kitty:41:7' }, 'kitty 7'],
    [{ backend: 'iterm2', session: null, target: 'iterm2:w0-p1' }, 'iTerm2 w0-p1'],
  ] as const)('%j is %s, and never what a program says of itself', (over, words) => {
    expect(wordsOfPlace(pane(over))).toBe(words);
  });
});

describe('what is in front in a terminal', () => {
  it.each([
    ['shell', 'bash · at a shell'],
    ['program', 'bash · runs'],
    ['fullscreen', 'bash · full screen'],
    ['copy_mode', 'bash · is scrolled in'],
    ['ended', 'bash · ended'],
    ['unknown', 'bash'],
  ] as const)('is, in the state %s: %s', (state, words) => {
    expect(wordsOfFront(pane({ state }))).toBe(words);
  });

  it('is the agent by its name rather than the program that carries it', () => {
    const agent = { engine: 'claude' } as WatchablePane['agent'];
    expect(wordsOfFront(pane({ program: 'node', state: 'program', agent }))).toBe('claude · runs');
  });

  it('is no sign between two things of which one is missing', () => {
    expect(wordsOfFront(pane({ program: '' }))).toBe('at a shell');
  });
});
