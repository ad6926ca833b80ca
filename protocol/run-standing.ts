import { z } from 'zod';
import { describeBreach, openBreaches } from './breach.ts';
import { isPilotOver, type PilotStatus } from './pilot.ts';
import { phaseOf } from './session.ts';
import type { SessionView, TurnView } from './session-view.ts';

/**
 * How a run stands for somebody who delegated it. `done` is only what ended well and whose acts are
 * known; where they are not, it is `unproven`.
 */
export const STANDINGS = [
  'starting',
  'working',
  'needs_person',
  'done',
  'unproven',
  'failed',
] as const;
export const standing = z.enum(STANDINGS);
export type Standing = z.infer<typeof standing>;

/** Time that the comparison of refs after a turn may take before nobody waits for it, in ms. */
export const SETTLE_MS = 10_000;

export type Stand = { standing: Standing; reason: string };
type Pilot = { status: PilotStatus; reason: string; finishedAt: number | null } | null;

/** Decides how a run stands, from its session and its Pilot. Pure; `nowMs` is the reader's clock. */
export function standingOf(view: SessionView, itsPilot: Pilot, nowMs: number): Stand {
  const pilot = isGoneOn(view, itsPilot) ? null : itsPilot;
  const phase = phaseOf(view.state);
  if (phase === 'launching') return { standing: 'starting', reason: 'Its engine is starting.' };
  if (phase === 'failed' || view.state === 'failed' || view.state === 'lost')
    return failed(view.reason ?? 'It failed, and nobody said why.');
  const [breached] = openBreaches(view.breaches);
  if (breached)
    return failed(`It did what its policy forbids: ${describeBreach(breached)}. ${breached.rule}`);
  if (view.state === 'halted') return failed(view.reason ?? 'It was halted.');
  const waits = waitsFor(view);
  if (waits !== null) return { standing: 'needs_person', reason: waits };
  if (view.openTurnId !== null || view.state === 'working' || view.state === 'waiting_until')
    return { standing: 'working', reason: 'A turn is under way.' };
  if (pilot && phase !== 'ended' && !isPilotOver(pilot.status)) return byPilot(pilot);
  if (pilot && (pilot.status === 'failed' || pilot.status === 'stopped'))
    return failed(`The Pilot ${pilot.status}: ${pilot.reason}`);
  return atRest(view, pilot, nowMs);
}

/** Whether more was asked for after its Pilot was over: what that said is about earlier work. */
function isGoneOn({ turns }: SessionView, pilot: Pilot): boolean {
  const over = pilot?.finishedAt ?? null;
  return over !== null && (turns.at(-1)?.acceptedAt ?? 0) > over;
}

const failed = (reason: string): Stand => ({ standing: 'failed', reason });

function waitsFor(view: SessionView): string | null {
  switch (view.state) {
    case 'awaiting_approval':
    case 'awaiting_human':
      return view.pendingApprovals[0]
        ? `It asks: ${view.pendingApprovals[0].summary}`
        : 'It asks something.';
    case 'blocked':
      return view.blocked?.message ?? 'Its engine waits for something outside its protocol.';
    case 'taken_over':
      return 'A person drives it by hand.';
    case 'paused':
      return 'It is paused.';
    default:
      return null;
  }
}

function byPilot({ status, reason }: NonNullable<Pilot>): Stand {
  const waits = status === 'waiting_person' || status === 'paused';
  return { standing: waits ? 'needs_person' : 'working', reason };
}

/** No turn is under way and nobody is waited for: the last turn says how it came out. */
function atRest(view: SessionView, pilot: Pilot, nowMs: number): Stand {
  if (view.turns.some((turn) => turn.state === 'accepted' && !isLost(turn)) && !isEnded(view))
    return { standing: 'working', reason: 'An instruction waits to begin.' };
  const last = view.turns.at(-1);
  if (isEnded(view) && view.turns.every((turn) => turn.state === 'accepted'))
    return failed(view.reason ?? 'It ended before a turn of it began.');
  if (!last) return { standing: 'needs_person', reason: 'It waits for its first instruction.' };
  if (isLost(last)) return failed(last.deliveryReason ?? 'The last instruction did not arrive.');
  if (last.outcome !== 'ok')
    return failed(last.error?.message ?? view.reason ?? `The last turn ended: ${last.outcome}.`);
  if (!isEnded(view) && isSettling(view, last, nowMs))
    return { standing: 'working', reason: 'What the last turn moved is being looked at.' };
  const unknown = view.turns.filter((turn) => !knowsActs(turn)).length;
  const over = pilot ? `The Pilot finished: ${pilot.reason}` : 'The last turn ended well.';
  if (unknown === 0) return { standing: 'done', reason: over };
  return {
    standing: 'unproven',
    reason: `${over} What ${unknown === 1 ? 'one turn' : `${unknown} turns`} did is not known whole.`,
  };
}

const isEnded = ({ state }: SessionView): boolean => phaseOf(state) === 'ended';

const isLost = ({ delivery }: TurnView): boolean =>
  delivery === 'undelivered' || delivery === 'unknown';

/** The refs are compared a moment after the turn; a claim alone is no end of it. */
function isSettling({ checkout }: SessionView, turn: TurnView, nowMs: number): boolean {
  if (!checkout || turn.witnessed) return false;
  return turn.endedAt !== null && nowMs - turn.endedAt < SETTLE_MS;
}

/** Whether somebody saw what a turn did: the engine's own stream, or a comparison of refs. */
export function knowsActs({ state, actsObserved, witnessed }: TurnView): boolean {
  if (state === 'accepted') return true;
  if (actsObserved === 'recorded' || actsObserved === 'none') return true;
  return actsObserved === 'unobservable' && (witnessed?.places.length ?? 0) > 0;
}
