import { openBreaches } from '../../protocol/breach.ts';
import type { FeedEvent } from '../../protocol/engine-event.ts';
import { actId } from '../../protocol/ids.ts';
import type { OverrideBreach } from '../lib/calls.ts';
import type { FeedDecision, Maker } from './feed-decisions.ts';
import { baseOfCommand, makeResume } from './make-command.ts';
import type { Outgoing } from './outgoing.ts';
import type { RecordState } from './session-record.ts';

/**
 * Decides on a person's word for a breach: the first one stands. With the last of them the session
 * is let go on; said again after that did not arrive, it is told again.
 */
export function decideOverride(
  { facts, view }: RecordState,
  input: OverrideBreach,
  underway: readonly Outgoing[],
  make: Maker,
): FeedDecision {
  const { reason, actorId, channel } = input;
  const all = view.breaches ?? [];
  const breach = all.find((each) => each.actId === input.actId);
  if (!breach) return { kind: 'refused', code: 'breach_not_found' };
  const known = breach.override !== null;
  const others = openBreaches(all).some((each) => each !== breach);
  const told = underway.some(({ command }) => command.method === 'session/resume');
  const lifts = !others && !told && view.state === 'halted';
  if (known && !lifts) return { kind: 'unchanged' };
  const id = actId.parse(breach.actId);
  const events: FeedEvent[] = known
    ? []
    : [{ type: 'breach/overridden', actId: id, reason, actorId, channel }];
  const commands = lifts ? [makeResume(baseOfCommand(make, facts.epoch))] : [];
  return { kind: 'change', change: { events, commands } };
}
