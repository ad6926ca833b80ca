import type { FeedEvent } from '../../protocol/engine-event.ts';
import type { TurnId } from '../../protocol/ids.ts';
import { hasKeys, type MachineFacts } from '../../protocol/machine.ts';
import { can } from '../../protocol/session.ts';
import type { SessionView } from '../../protocol/session-view.ts';
import type { ReleaseSession, TakeOverSession } from '../lib/calls.ts';
import type { FeedDecision, Maker } from './feed-decisions.ts';
import { baseOfCommand, makeRelease, makeTakeover } from './make-command.ts';
import type { RecordState } from './session-record.ts';

/** What a decision on a takeover needs beside the record. */
export type TakeoverFacts = {
  /** What the machine last said of itself; null when it never did. */
  machine: MachineFacts | null;
  turnId: TurnId;
};

/** Whether whoever holds the lease under `held` drives this session by hand. */
export function drives(view: SessionView, held: number | null): boolean {
  return held !== null && view.takeover?.epoch === held;
}

/**
 * Decides on a takeover. Each is a lease under an epoch of its own, so that what an earlier
 * driver still sends is refused wherever it arrives.
 */
export function decideTakeover(
  { facts, view }: RecordState,
  input: Omit<TakeOverSession, 'keyHash'>,
  { machine, turnId }: TakeoverFacts,
  make: Maker,
): FeedDecision {
  const { form, size, force, actorId, channel } = input;
  const permission = can('takeover', view.state);
  if (!permission.allowed) return { kind: 'refused', code: permission.code };
  if (view.takeover && !force) return { kind: 'refused', code: 'taken_over' };
  if (form === 'keys' && hasKeys(machine, view.launch) !== true)
    return { kind: 'refused', code: 'keys_unsupported' };
  const epoch = facts.epoch + 1;
  const began: FeedEvent = { type: 'takeover/began', form, actorId, channel, epoch };
  const base = baseOfCommand(make, epoch);
  // From keys to text the terminal closes; the lease stays with whoever took it.
  const closes = form === 'text' && view.takeover?.form === 'keys';
  const commands =
    form === 'keys' ? [makeTakeover(base, { turnId, size })] : closes ? [makeRelease(base)] : [];
  return { kind: 'change', change: { events: [began], epoch, keepsEarlier: true, commands } };
}

/** Decides on handing back: by whoever drives, or by anybody who says that it is meant. */
export function decideRelease(
  { facts, view }: RecordState,
  input: Omit<ReleaseSession, 'keyHash'>,
  held: number | null,
  make: Maker,
): FeedDecision {
  const { takeover } = view;
  if (!takeover) return { kind: 'refused', code: 'not_taken_over' };
  if (!drives(view, held) && !input.force) return { kind: 'refused', code: 'taken_over' };
  const { actorId, channel } = input;
  const epoch = facts.epoch + 1;
  const released: FeedEvent = {
    type: 'takeover/released',
    actorId,
    channel,
    epoch: takeover.epoch,
  };
  const commands = takeover.form === 'keys' ? [makeRelease(baseOfCommand(make, epoch))] : [];
  return { kind: 'change', change: { events: [released], epoch, keepsEarlier: true, commands } };
}
