import type { Presence } from '../../protocol/machine.ts';
import { can } from '../../protocol/session.ts';
import type { SessionView } from '../../protocol/session-view.ts';
import type { TakeoverForm } from '../../protocol/takeover.ts';
import { sentenceOfCode } from '../errors.ts';

/** What the button that takes a session over does when it is pressed. */
export type Offer =
  | { kind: 'refused'; reason: string }
  /** Nothing is lost and nobody is in the way: it is done at once. */
  | { kind: 'open'; form: TakeoverForm }
  /** It is not what the person may expect: it asks first. */
  | { kind: 'ask'; form: TakeoverForm; because: 'working' | 'driven' | 'text' };

/** What the machine said of itself; null where it has not said, and then it decides when asked. */
export type SaidOfKeys = {
  /** Whether this engine has a terminal there. */
  keys: boolean | null;
  /** Whether the machine's own limits let anybody take a session over with keys. */
  allowed: boolean | null;
};

/** Decides how a session can be taken over from here. */
export function decideOffer(
  view: SessionView,
  presence: Presence,
  { keys, allowed }: SaidOfKeys,
): Offer {
  const permission = can('takeover', view.state);
  if (!permission.allowed) return { kind: 'refused', reason: sentenceOfCode(permission.code) };
  if (presence === 'offline') return { kind: 'refused', reason: sentenceOfCode('runner_offline') };
  const form = keys === false ? 'text' : 'keys';
  if (form === 'keys' && allowed === false)
    return { kind: 'refused', reason: sentenceOfCode('takeover_not_allowed') };
  if (view.takeover) return { kind: 'ask', form, because: 'driven' };
  if (form === 'text') return { kind: 'ask', form, because: 'text' };
  if (view.openTurnId !== null) return { kind: 'ask', form, because: 'working' };
  return { kind: 'open', form };
}

/** Who drives by hand, for everybody who does not: as the rest of a sentence. */
export function wordsOfDriver({ channel }: NonNullable<SessionView['takeover']>): string {
  return channel === 'cli' ? 'Somebody drives from a shell' : 'Somebody drives in another window';
}
