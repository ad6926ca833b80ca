import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it, vi } from 'vitest';
import { EMPTY_TRANSCRIPT, reduceTranscript } from '../../../console/feed/transcript.ts';
import { eventsAfterApproval, eventsUntilApproval, TURN } from '../../../console/mock/sentinels.ts';
import { FindBar } from '../../../console/transcript/find-bar.tsx';
import { findRows, listActRows, nextOf } from '../../../console/transcript/find.ts';
import { arrangeItems } from '../../../console/transcript/arrange.ts';
import { listRows } from '../../../console/transcript/rows.ts';
import { entriesOf } from '../../support/protocol-builders.ts';
import { draw } from '../support/render.tsx';

const transcript = reduceTranscript(
  EMPTY_TRANSCRIPT,
  entriesOf([...eventsUntilApproval(), ...eventsAfterApproval()]),
);
const rows = listRows(arrangeItems(transcript), new Map());
const turns = [{ turnId: TURN, text: 'Trim the sentinel sails' }];
const kindsOf = (typed: string) =>
  findRows(rows, turns, typed).map((index) => {
    const row = rows[index];
    return row?.kind === 'item' ? row.item.kind : row?.kind;
  });

describe('the search of a transcript', () => {
  it.each([
    ['trim sails', ['turn']],
    ['look at', ['text']],
    ['SAIL.TS', ['tool']],
    ['pushed', ['tool']],
    ['nothing of the kind', []],
    ['  ', []],
  ])('finds %j in what was said, given and given back', (typed, kinds) => {
    expect(kindsOf(typed)).toEqual(kinds);
  });

  it('finds the words in any order, all of them', () => {
    expect(kindsOf('sentinel push')).toEqual(kindsOf('push sentinel'));
    expect(kindsOf('push sentinel')).toContain('approval');
    expect(kindsOf('push whale')).toEqual([]);
  });
});

describe('the acts of a transcript', () => {
  it('are the rows in which something left the checkout', () => {
    const places = listActRows(rows);
    expect(places).toHaveLength(1);
    const row = rows[places[0] ?? -1];
    expect(row?.kind === 'item' && row.item.kind === 'tool' && row.item.toolId).toBe('tool-push');
  });
});

describe('the next place', () => {
  it('goes around at both ends', () => {
    const places = [2, 5, 9];
    expect([-1, 2, 5, 9].map((at) => nextOf(places, at, 1))).toEqual([2, 5, 9, 2]);
    expect([-1, 2, 5, 9].map((at) => nextOf(places, at, -1))).toEqual([9, 9, 2, 5]);
  });

  it('is none where there are none', () => {
    expect(nextOf([], 3, 1)).toBeNull();
  });
});

describe('the bar over a transcript', () => {
  const bar = (over: Partial<Parameters<typeof FindBar>[0]> = {}) => {
    const goTo = vi.fn<(index: number) => void>();
    draw(<FindBar at={-1} acts={[4, 8]} find={() => [1, 6]} goTo={goTo} {...over} />);
    return goTo;
  };

  it('goes to what is found by Enter, back by Shift Enter, and closes by Escape', async () => {
    const goTo = bar({ at: 1 });
    await userEvent.click(screen.getByRole('button', { name: 'Search' }));
    const field = screen.getByRole('searchbox', { name: 'Search the transcript' });
    await userEvent.type(field, 'sails{Enter}{Shift>}{Enter}{/Shift}');
    expect(goTo.mock.calls).toEqual([[6], [6]]);
    expect(screen.getByLabelText('Found')).toHaveTextContent('1 of 2');
    await userEvent.type(field, '{Escape}');
    expect(screen.queryByRole('searchbox')).toBeNull();
  });

  it('opens by its key, and leads from act to act by theirs', async () => {
    const goTo = bar({ at: 4 });
    await userEvent.keyboard(']');
    expect(goTo.mock.calls).toEqual([[8]]);
    await userEvent.keyboard('/');
    expect(screen.getByRole('searchbox')).toHaveFocus();
  });

  it('has no way to acts where there are none', () => {
    bar({ acts: [] });
    expect(screen.queryByRole('button', { name: /Next act/ })).toBeNull();
  });
});
