import { describe, expect, it } from 'vitest';
import { BUILT_IN_OPERATORS } from '../../../protocol/builtin-operators.ts';
import type { OperatorBody } from '../../../protocol/operator.ts';
import {
  decideBody,
  draftOf,
  hasOwnLimits,
  type OperatorDraft,
} from '../../../console/operators/draft.ts';

describe('an operator as it is typed', () => {
  it.each(BUILT_IN_OPERATORS)('$name comes back as it was', (definition) => {
    const { id: _id, version: _version, ...body } = definition;
    expect(decideBody(draftOf(definition), definition)).toEqual({ ok: true, body });
  });

  const [tmux] = BUILT_IN_OPERATORS;
  if (!tmux) throw new Error('no operator of the product');
  it.each([
    ['a name', { name: ' ' }, 'Say what it is called'],
    ['words for the agent', { instructions: '' }, 'Say what the agent is told'],
    ['a tool', { tools: [] }, 'an operator needs at least one tool.'],
    ['a kind of terminal', { backends: [] }, 'can reach nothing'],
    ['a beginning that is one', { prefix: 'a*' }, 'letters, digits'],
  ])('needs %s', (_, over, words) => {
    const decided = decideBody({ ...draftOf(tmux), ...over }, tmux);
    expect(decided.ok ? '' : decided.problem).toContain(words);
  });
});

describe('an operator whose families of tools have limits of their own', () => {
  const OWN: OperatorBody = {
    name: 'Own',
    instructions: 'Look.',
    brain: null,
    ceiling: {
      tools: ['tmux_capture_pane', 'terminal_capture'],
      surfaceOptions: {
        tmux: { backends: ['tmux'], targets: 'any', prefix: 'build' },
        terminal: { backends: ['kitty', 'iterm2'], targets: 'single', prefix: null },
      },
    },
  };
  const limits = (over: Partial<OperatorDraft>) => {
    const decided = decideBody({ ...draftOf(OWN), ...over }, OWN);
    return decided.ok && decided.body.ceiling.surfaceOptions;
  };
  const { tmux, terminal } = OWN.ceiling.surfaceOptions;

  it('is known as one', () => {
    expect(hasOwnLimits(OWN)).toBe(true);
    expect(BUILT_IN_OPERATORS.some(hasOwnLimits)).toBe(false);
  });

  it('keeps each of them where only its words were edited', () => {
    expect(limits({ instructions: 'Look twice.' })).toEqual({ tmux, terminal });
  });

  it.each<[string, Partial<OperatorDraft>, object]>([
    [
      'a kind of terminal that is taken away',
      { backends: ['tmux', 'iterm2'] },
      { tmux, terminal: { ...terminal, backends: ['iterm2'] } },
    ],
    [
      'a kind that it had in none of them',
      { tools: ['terminal_capture'], backends: ['tmux', 'kitty', 'iterm2'] },
      { terminal },
    ],
    [
      'a beginning of names',
      { prefix: 'mine' },
      { tmux: { ...tmux, prefix: 'mine' }, terminal: { ...terminal, prefix: 'mine' } },
    ],
    ['every terminal', { targets: 'any' }, { tmux, terminal: { ...terminal, targets: 'any' } }],
  ])('changes with %s in that alone', (_, over, expected) => {
    expect(limits(over)).toEqual(expected);
  });

  it('gives a family that is new what the form shows', () => {
    const one = {
      ...OWN,
      ceiling: { tools: OWN.ceiling.tools.slice(0, 1), surfaceOptions: { tmux } },
    };
    const tools = OWN.ceiling.tools;
    const decided = decideBody({ ...draftOf(one as OperatorBody), tools }, one as OperatorBody);
    expect(decided.ok && decided.body.ceiling.surfaceOptions).toEqual({ tmux, terminal: tmux });
  });
});
