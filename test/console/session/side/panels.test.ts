// @vitest-environment node
import { describe, expect, it } from 'vitest';
import { EMPTY_TRANSCRIPT, reduceTranscript } from '../../../../console/feed/transcript.ts';
import { listActs } from '../../../../console/session/side/acts-panel.tsx';
import {
  findCheckoutTime,
  listChangedFiles,
} from '../../../../console/session/side/changed-files.ts';
import { mergeCommand } from '../../../../console/session/side/changes-panel.tsx';
import { listNotes } from '../../../../console/session/side/diagnostics-panel.tsx';
import { eventsAfterApproval, eventsUntilApproval } from '../../../../console/mock/sentinels.ts';
import { entriesOf, viewAfter } from '../../../support/protocol-builders.ts';

const EVENTS = [...eventsUntilApproval(), ...eventsAfterApproval()];
const { items } = reduceTranscript(EMPTY_TRANSCRIPT, entriesOf(EVENTS));

describe('what stands beside a transcript', () => {
  it('adds up the edits of each file', () => {
    const again = items.filter((item) => item.kind === 'tool');
    expect(listChangedFiles([...again, ...again])).toEqual([
      {
        path: '/data/checkouts/sentinel/src/sail.ts',
        change: 'edited',
        additions: 2,
        deletions: 2,
        edits: 2,
      },
    ]);
  });

  it('says at the end of which turn, and when, the checkout was last looked at', () => {
    const prepared = reduceTranscript(EMPTY_TRANSCRIPT, entriesOf(eventsUntilApproval())).items;
    expect(findCheckoutTime([])).toBeNull();
    expect(findCheckoutTime(prepared)).toMatchObject({ turn: 0 });
    const back = items.find(
      (item) => item.kind === 'note' && item.event.type === 'checkout/broughtBack',
    );
    expect(findCheckoutTime(items)).toEqual({ turn: 1, at: back?.at });
  });

  it('lists acts in their order, with what became of them', () => {
    expect(listActs(items)).toMatchObject([{ act: { kind: 'push' }, outcome: 'done' }]);
  });

  it('finds the notes of one kind', () => {
    const staged = listNotes(items, 'launch/staged');
    expect(staged.map(({ event }) => event.stage)).toEqual(['spawned', 'bootstrap_submitted']);
  });
});

describe('the command that takes the work', () => {
  it('merges the branch where the repository is', () => {
    const view = viewAfter(...EVENTS);
    const launch = { ...view.launch, directory: '/home/me/my code' };
    expect(mergeCommand({ ...view, launch })).toBe(
      "git -C '/home/me/my code' merge pilothouse/sentinel",
    );
  });

  it('is absent while there is nothing to merge, in a scratch repository, and in place', () => {
    expect(viewAfter(...EVENTS).launch.directory).toBeNull();
    expect(mergeCommand(viewAfter(...EVENTS))).toBeNull();
    const directory = '/home/me/code';
    expect(mergeCommand(viewAfter(...eventsUntilApproval({ directory })))).toBeNull();
    const view = viewAfter(...EVENTS);
    if (!view.checkout) throw new Error('no checkout in the record');
    const launch = { ...view.launch, directory: '/home/me/code' };
    const checkout = { ...view.checkout, mode: 'inPlace' } as const;
    expect(mergeCommand({ ...view, launch, checkout })).toBeNull();
  });
});
