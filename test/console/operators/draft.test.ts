import { describe, expect, it } from 'vitest';
import { BUILT_IN_OPERATORS } from '../../../protocol/builtin-operators.ts';
import { decideBody, draftOf } from '../../../console/operators/draft.ts';

describe('an operator as it is typed', () => {
  it.each(BUILT_IN_OPERATORS)('$name comes back as it was', (definition) => {
    const { id: _id, version: _version, ...body } = definition;
    expect(decideBody(draftOf(definition))).toEqual({ ok: true, body });
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
    const decided = decideBody({ ...draftOf(tmux), ...over });
    expect(decided.ok ? '' : decided.problem).toContain(words);
  });
});
