import { describe, expect, it } from 'vitest';
import type { ApprovalRequest } from '../../protocol/approval.ts';
import type { FeedEvent } from '../../protocol/engine-event.ts';
import { LOCAL_ACTOR, launchId, requestId } from '../../protocol/ids.ts';
import { wholeText } from '../../protocol/text.ts';
import { OTHER_TURN, TURN, aUsage, viewAfter } from '../support/protocol-builders.ts';

const launch = launchId.parse('lau_test1');
const staged = (stage: 'spawned' | 'bootstrap_submitted'): FeedEvent => ({
  type: 'launch/staged',
  launchId: launch,
  stage,
  process: null,
});
const ready: FeedEvent = {
  type: 'engine/ready',
  launchId: launch,
  engineSessionId: 'e-1',
  engineVersion: '2.1.332',
  model: 'm',
  payer: 'api-key',
  credential: 'ANTHROPIC_API_KEY',
};
const acceptedTurn = (turnId = TURN): FeedEvent => ({
  type: 'turn/accepted',
  turnId,
  text: 'go',
  actorId: LOCAL_ACTOR,
});
const started = (turnId = TURN): FeedEvent => ({
  type: 'turn/started',
  turnId,
  origin: 'instruction',
});
const ended = (turnId = TURN): FeedEvent => ({
  type: 'turn/ended',
  turnId,
  outcome: 'ok',
  error: null,
  durationMs: 5,
  usage: 'recorded',
  acts: 'none',
});
const request = (kind: ApprovalRequest['kind'] = 'tool', id = 'apr_1'): FeedEvent => ({
  type: 'approval/requested',
  request: {
    requestId: requestId.parse(id),
    turnId: TURN,
    toolId: 't1',
    kind,
    toolName: 'Bash',
    input: wholeText('{}'),
    summary: 'npm test',
    acts: [],
    questions: [],
    suggestions: [],
    requestedAt: 1,
    expiresAt: null,
  },
});
const resolved = (id = 'apr_1', resolution: 'allowed' | 'expired' = 'allowed'): FeedEvent => ({
  type: 'approval/resolved',
  requestId: requestId.parse(id),
  resolution,
});
const launched = [
  acceptedTurn(),
  staged('spawned'),
  staged('bootstrap_submitted'),
  ready,
  started(),
];

describe('a launch', () => {
  it('is not ready because a process exists', () => {
    expect(viewAfter(staged('spawned')).state).toBe('spawned');
  });
  it('is ready by the engine’s own first word', () => {
    const view = viewAfter(staged('spawned'), staged('bootstrap_submitted'), ready);
    expect(view.state).toBe('idle');
    expect(view.stages).toMatchObject({
      queued: 0,
      spawned: 1,
      bootstrap_submitted: 2,
      bootstrap_confirmed: 3,
    });
  });
  it('that failed keeps its stage, its reason and the last words on stderr', () => {
    const view = viewAfter(staged('spawned'), {
      type: 'launch/failed',
      launchId: launch,
      state: 'provider_failed',
      stage: 'spawned',
      error: { code: 'auth_missing', message: 'Not logged in.' },
      elapsedMs: 900,
      stderrTail: ['please log in'],
    });
    expect(view.state).toBe('provider_failed');
    expect(view.failure).toMatchObject({
      stage: 'spawned',
      elapsedMs: 900,
      stderrTail: ['please log in'],
    });
  });
  it('that is retried forgets the failure', () => {
    const view = viewAfter(
      {
        type: 'launch/failed',
        launchId: launch,
        state: 'failed_to_start',
        stage: 'queued',
        error: { code: 'engine_missing', message: 'x' },
        elapsedMs: 1,
        stderrTail: [],
      },
      { type: 'action/requested', action: 'retry', actorId: LOCAL_ACTOR },
    );
    expect(view).toMatchObject({ state: 'queued', failure: null, reason: null });
  });
});

describe('a turn', () => {
  it('works from its start to its end', () => {
    expect(viewAfter(...launched)).toMatchObject({ state: 'working', openTurnId: TURN });
    expect(viewAfter(...launched, ended())).toMatchObject({ state: 'idle', openTurnId: null });
  });
  it('that the engine began by itself has no words of a person', () => {
    const view = viewAfter(...launched, ended(), {
      type: 'turn/started',
      turnId: OTHER_TURN,
      origin: 'engine',
    });
    expect(view.turns.at(-1)).toMatchObject({ turnId: OTHER_TURN, text: null, state: 'started' });
  });
  it('accepted twice under one id is one turn', () => {
    expect(viewAfter(acceptedTurn(), acceptedTurn()).turns).toHaveLength(1);
  });
  it('that ends late does not end the turn that is open', () => {
    const view = viewAfter(...launched, started(OTHER_TURN), ended(TURN));
    expect(view).toMatchObject({ state: 'working', openTurnId: OTHER_TURN });
  });
  it('adds its usage to itself and to the session, each bucket apart', () => {
    const entries = [aUsage({ microUsd: 700 }), aUsage({ microUsd: 40, payer: 'subscription' })];
    const view = viewAfter(...launched, { type: 'usage/recorded', turnId: TURN, entries });
    expect(view.spend.reported?.microUsd).toBe(700);
    expect(view.spend.notional?.microUsd).toBe(40);
    expect(view.turns[0]?.spend).toEqual(view.spend);
  });
});

describe('an approval', () => {
  it('waits for a person, and the turn goes on when the engine confirms', () => {
    expect(viewAfter(...launched, request()).state).toBe('awaiting_approval');
    expect(viewAfter(...launched, request('question')).state).toBe('awaiting_human');
    expect(viewAfter(...launched, request(), resolved()).state).toBe('working');
  });
  it('that is answered still waits for the engine’s word', () => {
    const view = viewAfter(...launched, request(), {
      type: 'approval/decided',
      requestId: requestId.parse('apr_1'),
      answer: { decision: 'allow', message: null, answers: null, suggestion: null },
      actorId: LOCAL_ACTOR,
      channel: 'console',
    });
    expect(view).toMatchObject({ state: 'awaiting_approval', answeredRequestIds: ['apr_1'] });
  });
  it('that expired is shown until the next instruction', () => {
    const expired = [...launched, request(), resolved('apr_1', 'expired')];
    expect(viewAfter(...expired)).toMatchObject({ state: 'working', pendingApprovals: [] });
    expect(viewAfter(...expired).approvalExpiredAt).toEqual(expect.any(Number));
    const next = acceptedTurn('trn_9' as typeof TURN);
    expect(viewAfter(...expired, next).approvalExpiredAt).toBeNull();
    expect(viewAfter(...launched, request(), resolved()).approvalExpiredAt).toBeUndefined();
  });
  it('leaves the others pending', () => {
    const view = viewAfter(...launched, request(), request('tool', 'apr_2'), resolved());
    expect(view.state).toBe('awaiting_approval');
    expect(view.pendingApprovals.map((held) => held.requestId)).toEqual(['apr_2']);
  });
  it('does not outlive its turn or its session', () => {
    expect(viewAfter(...launched, request(), ended()).pendingApprovals).toEqual([]);
    const stopped: FeedEvent = { type: 'session/ended', end: 'stopped', reason: 'stopped by you' };
    expect(viewAfter(...launched, request(), stopped)).toMatchObject({
      state: 'stopped',
      pendingApprovals: [],
    });
  });
});

describe('an impossible transition', () => {
  it('leaves the state as it was', () => {
    const stopped: FeedEvent = { type: 'session/ended', end: 'stopped', reason: 'stopped by you' };
    expect(viewAfter(...launched, stopped, started()).state).toBe('stopped');
  });
});
