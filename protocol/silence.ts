import { holdsEngineUp } from './approval.ts';
import type { FeedEvent } from './engine-event.ts';
import type { SessionView } from './session-view.ts';

/** What decides how long an engine has said nothing: the same on the machine and on a page. */
export type SilenceFacts = {
  /** The engine has an instruction. */
  atWork: boolean;
  /** It waits for an answer that nobody has given yet. */
  waitsForPerson: boolean;
  /** When it last said something or got something to do, in Unix ms. */
  heardAt: number;
  noOutputMs: number;
};

/**
 * When an engine that says nothing more is given up: Unix ms, or null while it is not at work or
 * waits for a person.
 */
export function silentUntil(facts: SilenceFacts): number | null {
  return facts.atWork && !facts.waitsForPerson ? facts.heardAt + facts.noOutputMs : null;
}

/** The facts of a session as its record tells them. */
export function silenceOf(view: SessionView): SilenceFacts {
  const { openTurnId, turns, pendingApprovals, answeredRequestIds, heardAt, launch } = view;
  const handed = turns.some(
    ({ state, delivery }) =>
      state === 'accepted' && (delivery === 'handed' || delivery === 'confirmed'),
  );
  return {
    // A person who drives by hand may look and think for as long as they like.
    atWork: view.state !== 'taken_over' && (openTurnId !== null || handed),
    waitsForPerson:
      (view.blocked ?? null) !== null ||
      pendingApprovals.some(
        (held) => holdsEngineUp(held) && !answeredRequestIds.includes(held.requestId),
      ),
    heardAt,
    noOutputMs: launch.noOutputMs,
  };
}

/**
 * Whether an entry of the record says that the engine spoke or got something to do. What people
 * ask for, and what the machine does around the engine, break no silence.
 */
export function breaksSilence(event: FeedEvent): boolean {
  switch (event.type) {
    case 'engine/ready':
    case 'turn/started':
    case 'turn/ended':
    case 'text/completed':
    case 'tool/started':
    case 'tool/ended':
    case 'usage/recorded':
    case 'act/seen':
    case 'act/ended':
    case 'approval/requested':
    case 'approval/decided':
    case 'approval/resolved':
    case 'rateLimit/reported':
      return true;
    case 'turn/delivered':
      return event.delivery === 'handed' || event.delivery === 'confirmed';
    case 'session/created':
    case 'brain/answered':
    case 'turn/accepted':
    case 'action/requested':
    case 'session/forked':
    case 'command/failed':
    case 'launch/staged':
    case 'launch/failed':
    case 'engine/exited':
    case 'engine/parked':
    case 'engine/blocked':
    case 'engine/unblocked':
    case 'session/halted':
    case 'session/resumed':
    case 'breach/found':
    case 'breach/overridden':
    case 'session/ended':
    case 'checkout/prepared':
    case 'checkout/broughtBack':
    case 'act/witnessed':
    case 'turn/witnessed':
    case 'turn/briefed':
    case 'setup/ran':
    case 'takeover/began':
    case 'takeover/released':
    case 'terminal/opened':
    case 'terminal/closed':
    case 'notice/raised':
    case 'model/routed':
    case 'model/metered':
      return false;
    default:
      return event satisfies never;
  }
}
