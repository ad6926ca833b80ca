import { screen } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import type { ActWitness } from '../../../protocol/witness.ts';
import type { MarkedAct } from '../../../console/feed/items.ts';
import { ActMark, actStanding, evidenceOf } from '../../../console/transcript/act-mark.tsx';
import { anAct } from '../../support/transcript-events.ts';
import { draw } from '../support/render.tsx';

const marked = (over: Partial<MarkedAct> = {}): MarkedAct => ({
  act: anAct(),
  outcome: 'done',
  reason: null,
  decidedBy: null,
  gate: [],
  witnesses: [],
  ...over,
});
const found = (over: Partial<ActWitness> = {}): ActWitness => ({
  by: 'git',
  finding: 'confirmed',
  move: null,
  evidence: 'Seen.',
  ...over,
});
const show = (over: Partial<MarkedAct> = {}, waiting = false) => {
  const { container } = draw(<ActMark marked={marked(over)} waiting={waiting} />);
  return container.querySelector('[data-act]') as HTMLElement;
};

describe('where an act stands', () => {
  it.each([
    ['done', false, 'done'],
    ['not_done', true, 'not done'],
    ['unknown', false, 'not known'],
    [null, true, 'waits for you'],
    [null, false, 'under way'],
  ] as const)('is, with %j and a wait of %j: %s', (outcome, waiting, word) => {
    expect(actStanding(outcome, waiting).word).toBe(word);
  });

  it('alarms for what is not known, and for nothing else', () => {
    const red = ([outcome, waiting]: Parameters<typeof actStanding>) =>
      actStanding(outcome, waiting).className === 'text-red';
    const all = [['done'], ['not_done'], ['unknown'], [null]] as const;
    expect(all.map(([outcome]) => red([outcome, false]))).toEqual([false, false, true, false]);
  });
});

describe('what other witnesses say of an act', () => {
  it('is the move and the reason of each, in a line of its own', () => {
    const move = { place: 'origin', ref: 'refs/heads/main', before: null, after: 'a'.repeat(40) };
    expect(evidenceOf([found({ move }), found({ by: 'gate', evidence: 'Let through.' })])).toBe(
      'main on origin: new at aaaaaaaaa. Seen.\nLet through.',
    );
    expect(evidenceOf([])).toBe('');
  });
});

describe('the mark of an act', () => {
  it('says what, on what and what became of it, with the whole command on hover', () => {
    const mark = show({ act: anAct({ kind: 'pull_request', command: 'gh pr create' }) });
    expect(mark).toHaveTextContent('pull requestorigin maindone');
    expect(mark).toHaveAttribute('title', 'gh pr create');
  });

  it('says when not all of the command could be seen, and why it was not done', () => {
    const mark = show({
      act: anAct({ uncertain: true, target: null }),
      outcome: 'not_done',
      reason: 'The forge refused it.',
    });
    expect(mark).toHaveTextContent(/^pushuncertainnot done$/);
    expect(mark.title.split('\n')).toEqual([
      'git push origin main',
      'Not all of this command could be seen.',
      'The forge refused it.',
    ]);
  });

  it('shows what does not fit between the witnesses, with their evidence', () => {
    show({ witnesses: [found({ finding: 'unmoved', evidence: 'Nothing moved on origin.' })] });
    expect(screen.getByText('no ref moved')).toHaveAttribute('title', 'Nothing moved on origin.');
  });

  it('is quiet where the witnesses agree', () => {
    expect(show({ witnesses: [found()] }, true)).toHaveTextContent(/^pushorigin maindone$/);
  });
});
