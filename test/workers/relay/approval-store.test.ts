import { runInDurableObject } from 'cloudflare:test';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { approvalAnswer, approvalResolution } from '../../../protocol/approval.ts';
import type { FeedEvent } from '../../../protocol/engine-event.ts';
import { LOCAL_ACTOR, requestId, sessionId } from '../../../protocol/ids.ts';
import {
  ApprovalStore,
  decideAnswer,
  sameAnswer,
  type ApprovalRecord,
  type ApprovalState,
} from '../../../workers/relay/approvals.ts';
import { entriesOf } from '../../support/protocol-builders.ts';
import { anApproval } from '../../support/transcript-events.ts';
import { startEmpty } from '../support/http.ts';
import { feedStub } from '../support/sessions.ts';

const IDS = ['apr_a', 'apr_b', 'apr_c'].map((id) => requestId.parse(id));
const ALLOW = approvalAnswer.parse({ decision: 'allow' });
const DENY = approvalAnswer.parse({ decision: 'deny', message: 'no' });

type Step =
  | { kind: 'request' | 'clear'; id: number }
  | { kind: 'decide'; id: number; allow: boolean }
  | { kind: 'resolve'; id: number; to: number }
  | { kind: 'withdraw'; keep: number[] };

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ kind: fc.constantFrom('request' as const, 'clear' as const), id: fc.nat(2) }),
  fc.record({ kind: fc.constant('decide' as const), id: fc.nat(2), allow: fc.boolean() }),
  fc.record({ kind: fc.constant('resolve' as const), id: fc.nat(2), to: fc.nat(3) }),
  fc.record({ kind: fc.constant('withdraw' as const), keep: fc.subarray([0, 1, 2]) }),
);
const idOf = (index: number) => IDS[index] ?? requestId.parse('apr_none');
const resolutionOf = (to: number) => approvalResolution.options[to] ?? 'expired';

function eventOf(made: Exclude<Step, { kind: 'clear' | 'withdraw' }>): FeedEvent {
  const id = idOf(made.id);
  switch (made.kind) {
    case 'request':
    case 'clear':
      return { type: 'approval/requested', request: anApproval({ requestId: id }) };
    case 'decide': {
      const answer = made.allow ? ALLOW : DENY;
      return {
        type: 'approval/decided',
        requestId: id,
        answer,
        actorId: LOCAL_ACTOR,
        channel: 'cli',
      };
    }
    case 'resolve':
      return { type: 'approval/resolved', requestId: id, resolution: resolutionOf(made.to) };
    default:
      return made satisfies never;
  }
}

/** The same memory, written a second time without a database. */
function remember(held: Map<string, ApprovalRecord>, made: Step): void {
  if (made.kind === 'withdraw') {
    const kept = made.keep.map(idOf);
    for (const [id, record] of held)
      if (record.state === 'pending' && !kept.includes(idOf(IDS.indexOf(requestId.parse(id)))))
        held.set(id, { ...record, state: 'withdrawn' });
    return;
  }
  const id = idOf(made.id);
  const record = held.get(id);
  if (made.kind === 'request' && !record)
    held.set(id, { requestId: id, state: 'pending', expiresAt: null, answer: null });
  if (made.kind === 'decide' && record)
    held.set(id, { ...record, answer: made.allow ? ALLOW : DENY });
  if (made.kind === 'resolve' && record?.state === 'pending')
    held.set(id, { ...record, state: resolutionOf(made.to) });
  if (made.kind === 'clear' && record?.state === 'pending')
    held.set(id, { ...record, answer: null });
}

describe('a feed’s memory of approvals', () => {
  beforeAll(startEmpty);

  it('is what its record says, whatever the order of requests, answers and ends', async () => {
    const stub = feedStub(sessionId.parse('ses_approvals'));
    await runInDurableObject(stub, async (_, state) => {
      fc.assert(
        fc.property(fc.array(step, { maxLength: 14 }), (steps) => {
          state.storage.sql.exec('DELETE FROM approvals');
          const store = new ApprovalStore(state.storage.sql);
          const held = new Map<string, ApprovalRecord>();
          for (const made of steps) {
            remember(held, made);
            if (made.kind === 'withdraw') store.withdrawAllBut(made.keep.map(idOf));
            else if (made.kind === 'clear') store.clearAnswer(idOf(made.id));
            else store.follow(entriesOf([eventOf(made)]));
          }
          for (const id of IDS) expect(store.read(id)).toEqual(held.get(id) ?? null);
        }),
        { numRuns: 60 },
      );
      await Promise.resolve();
    });
  });

  it('takes an id for a name and never for SQL', async () => {
    const stub = feedStub(sessionId.parse('ses_approvals2'));
    const found = await runInDurableObject(stub, (_, state) => {
      const store = new ApprovalStore(state.storage.sql);
      store.follow(entriesOf([{ type: 'approval/requested', request: anApproval() }]));
      return [store.read(`' OR 1=1 --`), store.read('apr_test1')?.state];
    });
    expect(found).toEqual([null, 'pending']);
  });
});

describe('what an answer does', () => {
  const answer = fc.constantFrom(ALLOW, DENY);
  const states = fc.constantFrom<ApprovalState>('pending', ...approvalResolution.options);
  const record = fc.record({
    requestId: fc.constant('apr_a'),
    state: states,
    expiresAt: fc.option(fc.nat(100)),
    answer: fc.option(answer),
  });

  it('is never a second, different one: the first stands', () => {
    fc.assert(
      fc.property(record, answer, fc.boolean(), fc.nat(200), (held, now, underway, at) => {
        fc.pre(held.answer !== null && !sameAnswer(held.answer, now));
        expect(decideAnswer(held, now, underway, at).kind).toBe('refused');
      }),
    );
  });

  it('is decided at most once, and only while the engine waits', () => {
    fc.assert(
      fc.property(record, answer, fc.boolean(), fc.nat(200), (held, now, underway, at) => {
        if (decideAnswer(held, now, underway, at).kind !== 'decide') return;
        expect([held.state, held.answer]).toEqual(['pending', null]);
        expect(held.expiresAt === null || at < held.expiresAt).toBe(true);
      }),
    );
  });

  it('is told again only when nobody is telling it', () => {
    fc.assert(
      fc.property(record, answer, fc.nat(200), (held, now, at) => {
        expect(decideAnswer(held, now, true, at).kind).not.toBe('resend');
      }),
    );
  });

  it('is to nothing when there never was such a request', () => {
    expect(decideAnswer(null, ALLOW, false, 0)).toEqual({
      kind: 'refused',
      code: 'request_not_found',
    });
  });

  it.each([
    [{ decision: 'allow', message: null }, { decision: 'allow', message: '' }, false],
    [{ decision: 'allow', suggestion: 0 }, { decision: 'allow' }, false],
    [{ decision: 'allow', answers: {} }, { decision: 'allow' }, false],
    [{ decision: 'allow', answers: { a: '1' } }, { decision: 'allow', answers: { a: '1' } }, true],
    [{ decision: 'deny' }, { decision: 'allow' }, false],
  ])('is the same as another or not: %#', (left, right, same) => {
    expect(sameAnswer(approvalAnswer.parse(left), approvalAnswer.parse(right))).toBe(same);
  });
});
