import { z } from 'zod';
import type { ErrorCode } from '../../protocol/errors.ts';
import { actorId, type ActorId } from '../../protocol/ids.ts';
import type { LetGoReason, PaneDriver } from '../../protocol/panes.ts';

/** How long a driver whose window is gone may come back, in ms. */
export const LEFT_MS = 15_000;
/** How long a driver may type nothing, in ms. */
export const IDLE_MS = 10 * 60_000;
/** How long what was typed waits to be written to the record with what follows, in ms. */
export const RECORD_AFTER_MS = 1_000;

const lease = z.object({
  epoch: z.int().positive(),
  /** Hash of the key that proves it. */
  keyHash: z.string(),
  actorId,
  channel: z.string(),
  at: z.int(),
  typedAt: z.int(),
  /** Since when none of its windows is there; null while one is. */
  leftAt: z.int().nullable(),
});
const typed = z.object({
  epoch: z.int().positive(),
  actorId,
  channel: z.string(),
  bytes: z.int().nonnegative(),
  batches: z.int().nonnegative(),
  at: z.int(),
});

/** What a terminal of a machine's own keeps: its lease, and what is not on record yet. */
export const paneState = z.object({
  /** The last that was given; each lease has a greater one. */
  epoch: z.int().nonnegative(),
  lease: lease.nullable(),
  typed: typed.nullable(),
});
export type PaneState = z.infer<typeof paneState>;
type Typed = z.infer<typeof typed>;

export const UNDRIVEN: PaneState = { epoch: 0, lease: null, typed: null };

/** Something that is to be kept of it. */
export type PaneEvent =
  | { kind: 'took' | 'watched'; actorId: ActorId; channel: string }
  | ({ kind: 'typed' } & Typed)
  | { kind: 'let_go'; actorId: ActorId; channel: string; reason: LetGoReason };

export type PaneDecision =
  | { kind: 'refused'; code: ErrorCode }
  | { kind: 'change'; state: PaneState; events: PaneEvent[] };

type Taker = { keyHash: string; actorId: ActorId; channel: string };

/** Decides on taking the keys: somebody else's lease ends by `force` alone. Pure. */
export function decideDrive(
  state: PaneState,
  { keyHash, actorId, channel, force }: Taker & { force: boolean },
  nowMs: number,
): PaneDecision {
  if (state.lease && !force) return { kind: 'refused', code: 'terminal_driven' };
  const ended = end(state, 'forced');
  const epoch = state.epoch + 1;
  const given = { epoch, keyHash, actorId, channel, at: nowMs, typedAt: nowMs, leftAt: nowMs };
  return {
    kind: 'change',
    state: { epoch, lease: given, typed: null },
    events: [...ended, { kind: 'took', actorId, channel }],
  };
}

/** Decides on letting go: by whoever drives, or by anybody who says that it is meant. Pure. */
export function decideLetGo(
  state: PaneState,
  { keyHash, force }: { keyHash: string | null; force: boolean },
): PaneDecision {
  if (!state.lease) return { kind: 'refused', code: 'terminal_not_driven' };
  const own = keyHash !== null && state.lease.keyHash === keyHash;
  if (!own && !force) return { kind: 'refused', code: 'terminal_driven' };
  return letGo(state, own ? 'handed_back' : 'forced');
}

/** Decides whether the lease has run out; null is not. Pure. */
export function decideRunOut(state: PaneState, nowMs: number): PaneDecision | null {
  if (!state.lease) return null;
  const { leftAt, typedAt } = state.lease;
  if (leftAt !== null && nowMs - leftAt >= LEFT_MS) return letGo(state, 'left');
  return nowMs - typedAt >= IDLE_MS ? letGo(state, 'idle') : null;
}

/** The state after a batch of keys under the lease. Pure. */
export function withTyped(state: PaneState, bytes: number, nowMs: number): PaneState {
  const { lease: held } = state;
  if (!held) return state;
  const { epoch, actorId: actor, channel } = held;
  const before = state.typed ?? { epoch, actorId: actor, channel, bytes: 0, batches: 0, at: nowMs };
  const now = { ...before, bytes: before.bytes + bytes, batches: before.batches + 1 };
  return { ...state, lease: { ...held, typedAt: nowMs }, typed: now };
}

/** The state after the driver's last window left, or one came back. Pure. */
export function withWindow(state: PaneState, there: boolean, nowMs: number): PaneState {
  if (!state.lease || (state.lease.leftAt === null) === there) return state;
  return { ...state, lease: { ...state.lease, leftAt: there ? null : nowMs } };
}

/** When something of it is due by itself (Unix ms); null when nothing is. Pure. */
export function nextDue({ lease: held, typed: unkept }: PaneState): number | null {
  const due = [
    unkept ? unkept.at + RECORD_AFTER_MS : Infinity,
    held ? held.typedAt + IDLE_MS : Infinity,
    held && held.leftAt !== null ? held.leftAt + LEFT_MS : Infinity,
  ];
  const first = Math.min(...due);
  return first === Infinity ? null : first;
}

/** Who drives, as everybody may see it. */
export function driverOf({ lease: held }: PaneState): PaneDriver | null {
  return held && { actorId: held.actorId, channel: held.channel, at: held.at };
}

function letGo(state: PaneState, reason: LetGoReason): PaneDecision {
  return {
    kind: 'change',
    state: { ...state, lease: null, typed: null },
    events: end(state, reason),
  };
}

/** What is kept of a lease as it ends: what was typed under it comes first. */
function end({ lease: held, typed: unkept }: PaneState, reason: LetGoReason): PaneEvent[] {
  if (!held) return [];
  const last = unkept ? [{ kind: 'typed' as const, ...unkept }] : [];
  return [...last, { kind: 'let_go', actorId: held.actorId, channel: held.channel, reason }];
}
