import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { budgetWarnings } from '../../../console/frame/budget-warnings.ts';
import {
  decideRinging,
  decideTelling,
  decideWarning,
  sessionLookedAt,
} from '../../../console/frame/notify.ts';
import type { BudgetStanding } from '../../../protocol/shared-budget.ts';
import { aSummary } from './summaries.ts';

const NOTHING: ReadonlySet<string> = new Set();
const tags = (known: ReadonlySet<string> | null, ...needs: Parameters<typeof decideTelling>[0]) =>
  decideTelling(needs, known, null);

describe('a budget', () => {
  const at = (used: number, over: Partial<BudgetStanding> = {}) =>
    budgetWarnings([
      {
        scope: { kind: 'account' },
        unit: 'turns',
        renews: 'daily',
        limit: 10,
        counts: 'all',
        zone: 'UTC',
        version: 1,
        savedBy: 'person',
        savedAt: 1,
        used,
        reserved: 0,
        renewsAt: 5,
        ...over,
      },
    ]);
  const titles = (used: number, known: ReadonlySet<string> | null) =>
    decideWarning(at(used), known).tell.map(({ title, sessionId }) => [title, sessionId]);

  it('is told of at each mark, once, and not of what was used before anybody looked', () => {
    expect(titles(5, null)).toEqual([]);
    const { known } = decideWarning(at(4), null);
    expect(titles(5, known)).toEqual([['50 % of a budget is used', null]]);
    const half = decideWarning(at(5), known);
    expect(titles(6, half.known)).toEqual([]);
    expect(titles(8, half.known)).toEqual([['80 % of a budget is used', null]]);
    expect(decideWarning(at(8), half.known).withdraw).toEqual([...half.known]);
  });

  it('that renews or is changed is told of anew', () => {
    const { known } = decideWarning(at(9), null);
    expect(decideWarning(at(9, { renewsAt: 6 }), known).tell).toHaveLength(1);
    expect(decideWarning(at(9, { version: 2 }), known).tell).toHaveLength(1);
    expect(decideWarning(at(0, { renewsAt: 6 }), known).tell).toEqual([]);
  });
});

describe('what is notified', () => {
  it('is nothing of what waited before anybody looked', () => {
    const first = tags(null, aSummary('blocked'));
    expect(first.tell).toEqual([]);
    expect(tags(first.known, aSummary('blocked')).tell).toEqual([]);
  });

  it('is a need that begins, once, with its sentence', () => {
    const blocked = aSummary('blocked', { reason: 'The engine waits for words.', title: 'Fix it' });
    const begun = tags(NOTHING, blocked);
    expect(begun.tell).toMatchObject([
      {
        title: 'Blocked: Fix it',
        body: 'The engine waits for words.',
        sessionId: blocked.sessionId,
      },
    ]);
    expect(tags(begun.known, blocked).tell).toEqual([]);
  });

  it('has the meaning of the state where there is no reason', () => {
    const [told] = tags(NOTHING, aSummary('awaiting_approval', { pendingApprovals: 1 })).tell;
    expect(told?.body).toBe('It waits for your yes or no.');
  });

  it('is every further approval, and the next failure of another kind', () => {
    const one = tags(NOTHING, aSummary('awaiting_approval', { pendingApprovals: 1 }));
    expect(
      tags(one.known, aSummary('awaiting_approval', { pendingApprovals: 2 })).tell,
    ).toHaveLength(1);
    const failed = tags(NOTHING, aSummary('provider_failed', { reason: 'No login.' }));
    expect(tags(failed.known, aSummary('provider_failed', { reason: 'No login.' })).tell).toEqual(
      [],
    );
    expect(
      tags(failed.known, aSummary('provider_failed', { reason: 'No credit.' })).tell,
    ).toHaveLength(1);
  });

  it('is an approval that expired, as that, while nothing else waits', () => {
    const waiting = tags(NOTHING, aSummary('awaiting_approval', { pendingApprovals: 1 }));
    const over = aSummary('working', { approvalExpiredAt: 5, title: 'Fix it' });
    const expired = tags(waiting.known, over);
    expect(expired.tell).toMatchObject([{ title: 'Approval expired: Fix it' }]);
    expect(tags(expired.known, { ...over, state: 'idle' }).tell).toEqual([]);
    const next = aSummary('awaiting_approval', { pendingApprovals: 1, approvalExpiredAt: 5 });
    expect(tags(expired.known, next).tell[0]?.title).not.toContain('expired');
  });

  it('is what a Pilot asks, in its own words, and the next step that it proposes', () => {
    const waits = (step: number) => {
      const pilot = {
        step,
        status: 'waiting_person',
        hold: 'proposal',
        reason: 'Say yes.',
      } as const;
      return aSummary('idle', { title: 'Fix it', pilot });
    };
    const first = tags(NOTHING, waits(3));
    expect(first.tell).toMatchObject([{ title: 'The Pilot proposes: Fix it', body: 'Say yes.' }]);
    expect(tags(first.known, waits(3)).tell).toEqual([]);
    expect(tags(first.known, waits(6)).tell).toHaveLength(1);
  });

  it('is not the session that is looked at, then or when one looks away', () => {
    const blocked = aSummary('blocked');
    const seen = decideTelling([blocked], NOTHING, blocked.sessionId);
    expect(seen.tell).toEqual([]);
    expect(decideTelling([blocked], seen.known, null).tell).toEqual([]);
  });

  it('is taken back when it is over, and told again when it comes again', () => {
    const blocked = aSummary('blocked');
    const begun = tags(NOTHING, blocked);
    const over = tags(begun.known);
    expect(over.withdraw).toEqual(begun.tell.map(({ tag }) => tag));
    expect(tags(over.known, blocked).tell).toHaveLength(1);
  });

  it('is each thing at most once while it lasts, in whatever order sessions come', () => {
    const states = fc.constantFrom('blocked', 'awaiting_approval', 'failed', 'lost' as const);
    const look = fc.uniqueArray(fc.record({ id: fc.integer({ min: 1, max: 4 }), state: states }), {
      selector: ({ id }) => id,
    });
    fc.assert(
      fc.property(fc.array(look, { maxLength: 12 }), (looks) => {
        let known: ReadonlySet<string> = NOTHING;
        for (const each of looks) {
          const needs = each.map(({ id, state }) =>
            aSummary(state as 'blocked', { sessionId: `ses_${id}` as never }),
          );
          const telling = decideTelling(needs, known, null);
          for (const { tag } of telling.tell) expect(known.has(tag)).toBe(false);
          expect(telling.known.size).toBe(needs.length);
          known = telling.known;
        }
      }),
    );
  });
});

describe('a page of a browser that is told by push', () => {
  const pushOf = (...summary: Parameters<typeof aSummary>) =>
    tags(NOTHING, aSummary(...summary)).tell[0]?.push;
  const pilot = { step: 3, status: 'waiting_person', hold: 'proposal', reason: '' } as const;

  it.each([
    ['approval', 'awaiting_approval', { pendingApprovals: 1 }],
    ['approval', 'awaiting_human', { pendingApprovals: 1 }],
    ['approval', 'working', { pendingApprovals: 1, pilot }],
    ['blocked', 'blocked', {}],
    ['halted', 'halted', {}],
    ['failed', 'provider_failed', {}],
    ['failed', 'lost', {}],
    ['pilot', 'idle', { pilot }],
    [null, 'working', { approvalExpiredAt: 5 }],
    [null, 'finished', { breaches: 1 }],
  ] as const)('is pushed %s of a session that is %s', (kind, state, over) => {
    expect(pushOf(state, over)).toBe(kind);
  });

  it('rings for what is not pushed to it, and in its quiet hours for nothing', () => {
    const told = { tag: 'a', sessionId: 'ses_a', title: '', body: '' };
    const quiet = { from: 0, to: 60, timeZone: 'UTC' };
    const rings = (push: 'failed' | null, choices: Parameters<typeof decideRinging>[1]) =>
      [0, 61 * 60_000].map((nowMs) => decideRinging({ ...told, push }, choices, nowMs));
    expect(rings('failed', { kinds: ['failed'], quiet: null })).toEqual([false, false]);
    expect(rings('failed', { kinds: ['blocked'], quiet })).toEqual([false, true]);
    expect(rings(null, { kinds: ['failed'], quiet })).toEqual([false, true]);
  });
});

describe('the session that is looked at', () => {
  it('is the one of a visible page alone', () => {
    expect(sessionLookedAt('/sessions/ses_a1', true)).toBe('ses_a1');
    expect(sessionLookedAt('/sessions/ses_a1', false)).toBeNull();
    expect(sessionLookedAt('/sessions', true)).toBeNull();
    expect(sessionLookedAt('/', true)).toBeNull();
  });
});
