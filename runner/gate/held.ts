import type { ActKind } from '../../protocol/act.ts';
import type { RequestId } from '../../protocol/ids.ts';
import type { PushCommand } from './policy.ts';

/** A ref of a push that a person decides about, and which act of the push it is. */
export type HeldRef = PushCommand & { kind: ActKind; index: number; reason: string };

/** A push that is kept, as it was judged, until somebody answers. */
export type HeldPush = { requestId: RequestId; pushId: string; refs: readonly HeldRef[] };

/** What a person is told of it. */
export type HeldWords = { summary: string; text: string };

/** How long a push waits for an answer, in ms: over a weekend. */
export const HELD_PUSH_MS = 72 * 60 * 60_000;
/** Most pushes of one session that wait, and the most that git has to keep of each, in bytes. */
export const HELD_PUSHES_MAX = 20;
export const HELD_PUSH_MAX_BYTES = 256 * 1024 ** 2;

/** Whether two pushes would bring the same commits to the same refs from the same state. */
export const isSamePush = (one: readonly PushCommand[], other: readonly PushCommand[]): boolean =>
  one.length === other.length && one.every((ref) => other.some(isSameRef(ref)));

const isSameRef =
  (one: PushCommand) =>
  (other: PushCommand): boolean =>
    one.ref === other.ref && one.before === other.before && one.after === other.after;

/** Whether a later push asks anew for something that an earlier one asked for. */
export const overtakes = (later: readonly PushCommand[], earlier: readonly PushCommand[]) =>
  later.some(({ ref }) => earlier.some((each) => each.ref === ref));

/** Decides whether another push may wait beside those that do: why not, or null. Pure. */
export function findNoRoom(
  refs: readonly PushCommand[],
  waiting: readonly HeldPush[],
  bytes: number,
): string | null {
  if (bytes > HELD_PUSH_MAX_BYTES)
    return `it brings ${Math.ceil(bytes / 1024 ** 2)} MB, more than is kept for an answer (${HELD_PUSH_MAX_BYTES / 1024 ** 2} MB); ask a person to push it`;
  const beside = waiting.filter((each) => !overtakes(refs, each.refs));
  return beside.length < HELD_PUSHES_MAX
    ? null
    : `${HELD_PUSHES_MAX} pushes of this session wait for an answer, and no more are kept; ask a person to answer them`;
}

/** What the session is told, in its push's output, of a ref that waits. */
export const sayWaiting = (reason: string, requestId: RequestId): string =>
  `${reason}; it waits for a person as ${requestId} and goes through as it is if they allow it: do not push it again`;
