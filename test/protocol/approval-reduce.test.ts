import { describe, expect, it } from 'vitest';
import { commandId, requestId } from '../../protocol/ids.ts';
import type { FeedEvent } from '../../protocol/engine-event.ts';
import { silenceOf } from '../../protocol/silence.ts';
import { anApprovalRequest } from '../support/feed-events.ts';
import { SessionSimulator, turnNumber } from '../support/session-simulator.ts';
import { reduceSession } from '../../protocol/session-reduce.ts';
import type { SessionView } from '../../protocol/session-view.ts';

const PUSH = anApprovalRequest({
  requestId: requestId.parse(`apr_${'1'.repeat(32)}`),
  turnId: turnNumber(1),
  kind: 'push',
  toolName: 'git push',
});
const TOOL = anApprovalRequest({ turnId: turnNumber(1) });

function workingView(): SessionView {
  const simulator = new SessionSimulator();
  simulator.run();
  return simulator.view;
}
const after = (view: SessionView, ...events: FeedEvent[]): SessionView =>
  events.reduce(
    (held, event, index) =>
      reduceSession(held, { position: 100 + index, at: 9_000, seq: null, event }),
    view,
  );
const asked = (request: typeof PUSH): FeedEvent => ({ type: 'approval/requested', request });
const decided = (id: typeof PUSH.requestId): FeedEvent => ({
  type: 'approval/decided',
  requestId: id,
  answer: { decision: 'allow', message: null, answers: null, suggestion: null },
  actorId: workingView().actorId,
  channel: 'cli',
});
const parked: FeedEvent = { type: 'engine/parked', reason: 'idle' };
const ended = (end: 'stopped' | 'lost'): FeedEvent => ({ type: 'session/ended', end, reason: '' });
const failed = (code: string): FeedEvent => ({
  type: 'command/failed',
  commandId: commandId.parse('cmd_1'),
  method: 'session/answer',
  turnId: null,
  requestId: PUSH.requestId,
  code,
  message: '',
});
const waits = ({ pendingApprovals }: SessionView) => pendingApprovals.map(({ kind }) => kind);

describe('a push that waits for an answer', () => {
  it('leaves the session at work, and its silence counted, as a tool’s request does not', () => {
    const push = after(workingView(), asked(PUSH));
    expect(push.state).toBe('working');
    expect(silenceOf(push).waitsForPerson).toBe(false);
    const tool = after(workingView(), asked(TOOL));
    expect(tool.state).toBe('awaiting_approval');
    expect(silenceOf(tool).waitsForPerson).toBe(true);
  });

  it('leaves the session waiting for the tool that it waits for', () => {
    const both = after(workingView(), asked(PUSH), asked(TOOL));
    const resolved: FeedEvent = {
      type: 'approval/resolved',
      requestId: PUSH.requestId,
      resolution: 'allowed',
    };
    expect(after(both, resolved)).toMatchObject({ state: 'awaiting_approval' });
    expect(waits(after(both, resolved))).toEqual(['tool']);
  });

  it('is there when its engine and its session are over, with the answer that it has', () => {
    const over = after(workingView(), asked(PUSH), asked(TOOL), decided(PUSH.requestId), parked);
    expect(waits(over)).toEqual(['push']);
    const stopped = after(over, ended('stopped'));
    expect(waits(stopped)).toEqual(['push']);
    expect(stopped.answeredRequestIds).toEqual([PUSH.requestId]);
    expect(after(stopped, ended('stopped')).state).toBe('stopped');
  });

  it('is gone with a machine that knows nothing of it', () => {
    expect(waits(after(workingView(), asked(PUSH), ended('lost')))).toEqual([]);
    const answered = after(workingView(), asked(PUSH), decided(PUSH.requestId));
    expect(waits(after(answered, failed('session_not_found')))).toEqual([]);
    const again = after(answered, failed('expired'));
    expect(waits(again)).toEqual(['push']);
    expect(again.answeredRequestIds).toEqual([]);
  });

  it('resolved while a person drives takes nothing from them', () => {
    const driven = { ...after(workingView(), asked(PUSH)), state: 'taken_over' as const };
    const resolved: FeedEvent = {
      type: 'approval/resolved',
      requestId: PUSH.requestId,
      resolution: 'denied',
    };
    expect(after(driven, resolved).state).toBe('taken_over');
  });
});
