import type { FeedEntry, FeedEvent } from '../../protocol/engine-event.ts';
import { LOCAL_ACTOR, sessionId, turnId, type SessionId, type TurnId } from '../../protocol/ids.ts';
import { launchSpec, type LaunchSpec, type LaunchSpecInput } from '../../protocol/launch.ts';
import { openView, reduceSession } from '../../protocol/session-reduce.ts';
import type { SessionView } from '../../protocol/session-view.ts';
import { usageEntry, type UsageEntry } from '../../protocol/usage.ts';

export const SESSION: SessionId = sessionId.parse('ses_test1');
export const TURN: TurnId = turnId.parse('trn_test1');
export const OTHER_TURN: TurnId = turnId.parse('trn_test2');

export function aLaunch(over: Partial<LaunchSpecInput> = {}): LaunchSpec {
  return launchSpec.parse({
    engineId: 'rehearsal',
    directory: null,
    objective: 'Fix the test',
    ...over,
  });
}

export function aUsage(over: Partial<UsageEntry> = {}): UsageEntry {
  return usageEntry.parse({
    model: 'claude-opus-5-5',
    provenance: 'reported',
    payer: 'api-key',
    inputTokens: 100,
    outputTokens: 50,
    cacheReadTokens: 300,
    cacheWriteTokens: 20,
    microUsd: 1560,
    ...over,
  });
}

/** Numbers events into entries of a record: position and time both count from 1. */
export function entriesOf(events: readonly FeedEvent[]): FeedEntry[] {
  return events.map((event, index) => ({ position: index + 1, at: index + 1, seq: null, event }));
}

export function created(over: Partial<LaunchSpecInput> = {}): FeedEvent {
  return { type: 'session/created', launch: aLaunch(over), actorId: LOCAL_ACTOR };
}

/** The view after `events`, the first of which is taken to be `session/created`. */
export function viewAfter(...events: FeedEvent[]): SessionView {
  const first = created();
  if (first.type !== 'session/created') throw new Error('a record begins with session/created');
  return entriesOf(events).reduce(reduceSession, openView(SESSION, 0, first));
}
