// @vitest-environment node
import { describe, expect, it } from 'vitest';
import { sessionId } from '../../../protocol/ids.ts';
import type { SessionSummary } from '../../../protocol/http.ts';
import type { PilotStanding } from '../../../protocol/pilot-view.ts';
import { decideNeeds } from '../../../console/frame/needs.ts';
import { filterTargets } from '../../../console/frame/palette.tsx';
import { MockRecord } from '../../../console/mock/record.ts';
import { eventsUntilApproval } from '../../../console/mock/sentinels.ts';

const DAY = 24 * 60 * 60 * 1_000;
const base = new MockRecord(sessionId.parse('ses_a'), eventsUntilApproval(), 0).summary();

const summary = (title: string, over: Partial<SessionSummary>): SessionSummary => ({
  ...base,
  title,
  pendingApprovals: 0,
  ...over,
});

const titles = (sessions: readonly SessionSummary[]) => sessions.map((session) => session.title);

describe('what needs a person', () => {
  it('is a question or a proposal of a Pilot while its session rests, and nothing else of a Pilot', () => {
    const pilot = (hold: PilotStanding['hold'], status: PilotStanding['status']) => ({
      pilot: { step: 3, status, hold, reason: 'The step is proposed.' },
      state: 'idle' as const,
    });
    const { needs } = decideNeeds(
      [
        summary('proposes', pilot('proposal', 'waiting_person')),
        summary('asks', pilot('question', 'waiting_person')),
        summary('is driven by hand', pilot('takeover', 'waiting_person')),
        summary('works', pilot(null, 'waiting_turn')),
      ],
      60,
    );
    expect(titles(needs).toSorted()).toEqual(['asks', 'proposes']);
  });

  it('is no failure that somebody dismissed, but still whatever waits for an answer', () => {
    const { needs, recent } = decideNeeds(
      [
        summary('dismissed', { state: 'failed', updatedAt: 50, dismissedAt: 50 }),
        summary('waits', { state: 'awaiting_approval', pendingApprovals: 1, dismissedAt: 50 }),
      ],
      60,
    );
    expect(titles(needs)).toEqual(['waits']);
    expect(titles(recent)).toEqual(['dismissed']);
  });

  it('is an approval that expired lately, until somebody says what to do now', () => {
    const expired = summary('expired', { state: 'idle', approvalExpiredAt: 50, updatedAt: 50 });
    expect(titles(decideNeeds([expired], 60).needs)).toEqual(['expired']);
    expect(decideNeeds([expired], 50 + DAY).needs).toEqual([]);
    expect(decideNeeds([summary('said', { state: 'idle' })], 60).needs).toEqual([]);
  });

  it('is what waits, the longest first, then what failed, the newest first', () => {
    const { needs } = decideNeeds(
      [
        summary('failed long ago', { state: 'failed', updatedAt: 1 }),
        summary('failed now', { state: 'provider_failed', updatedAt: 50 }),
        summary('asked now', { state: 'awaiting_approval', pendingApprovals: 1, updatedAt: 40 }),
        summary('asked before', { state: 'awaiting_human', updatedAt: 10 }),
      ],
      100,
    );
    expect(titles(needs)).toEqual(['asked before', 'asked now', 'failed now', 'failed long ago']);
  });

  it('is no longer a failure of yesterday', () => {
    const sorted = decideNeeds([summary('old', { state: 'failed', updatedAt: 0 })], DAY + 1);
    expect(sorted.needs).toEqual([]);
    expect(titles(sorted.recent)).toEqual(['old']);
  });

  it('leaves each session in exactly one place', () => {
    const sessions = [
      summary('works', { state: 'working' }),
      summary('idle', { state: 'idle' }),
      summary('asks', { state: 'awaiting_approval' }),
    ];
    const { needs, running, recent } = decideNeeds(sessions, 0);
    expect([titles(needs), titles(running), titles(recent)]).toEqual([
      ['asks'],
      ['works'],
      ['idle'],
    ]);
  });
});

describe('going somewhere by a few letters', () => {
  const targets = ['Home', 'Trim the sails', 'Sail home'].map((label) => ({
    label,
    hint: '',
    to: label,
  }));

  it('finds every word typed, in any order and case', () => {
    expect(filterTargets(targets, 'HOME sail').map(({ label }) => label)).toEqual(['Sail home']);
    expect(filterTargets(targets, ' ')).toHaveLength(3);
    expect(filterTargets(targets, 'mutiny')).toEqual([]);
  });
});
