import { describe, expect, it } from 'vitest';
import type { FeedEvent } from '../../protocol/engine-event.ts';
import { reduceSession } from '../../protocol/session-reduce.ts';
import { silenceOf, silentUntil } from '../../protocol/silence.ts';
import {
  accepted,
  approvalDecided,
  approvalRequested,
  broughtBack,
  delivered,
  requested,
  started,
  turnEnded,
  usageRecorded,
} from '../support/feed-events.ts';
import { viewAfter } from '../support/protocol-builders.ts';

const facts = { atWork: true, waitsForPerson: false, heardAt: 1_000, noOutputMs: 60_000 };

describe('an engine that says nothing', () => {
  it('is given up after its time, counted from its last word', () => {
    expect(silentUntil(facts)).toBe(61_000);
  });

  it('is never given up while it has nothing to do, or waits for a person', () => {
    expect(silentUntil({ ...facts, atWork: false })).toBeNull();
    expect(silentUntil({ ...facts, waitsForPerson: true })).toBeNull();
  });
});

describe('what a record tells of silence', () => {
  /** One event at each whole second, from the first on. */
  const after = (...events: FeedEvent[]) => {
    let view = viewAfter();
    for (const [index, event] of events.entries())
      view = reduceSession(view, {
        position: index + 2,
        at: (index + 1) * 1_000,
        seq: null,
        event,
      });
    return silenceOf(view);
  };
  const begun = [accepted(), delivered('handed'), started()] as const;

  it('begins when the engine gets something to do', () => {
    expect(after(accepted())).toMatchObject({ atWork: false });
    expect(after(accepted(), delivered('handed'))).toMatchObject({ atWork: true, heardAt: 2_000 });
  });

  it.each([
    ['a figure of its own', usageRecorded(), 4_000],
    ['an approval that it asks for', approvalRequested(), 4_000],
    ['an answer that it is given', approvalDecided(), 4_000],
    ['what a person asks for meanwhile', requested('interrupt'), 3_000],
    ['commits that the machine brings back', broughtBack(), 3_000],
  ])('after %s counts from the right moment', (_what, event, heardAt) => {
    expect(after(...begun, event).heardAt).toBe(heardAt);
  });

  it('waits with the person, until there is an answer', () => {
    expect(after(...begun, approvalRequested())).toMatchObject({ waitsForPerson: true });
    const answered = after(...begun, approvalRequested(), approvalDecided());
    expect(answered).toMatchObject({ atWork: true, waitsForPerson: false, heardAt: 5_000 });
  });

  it('is over with the turn', () => {
    expect(after(...begun, turnEnded())).toMatchObject({ atWork: false });
  });
});
