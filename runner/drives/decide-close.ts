import type { Place } from './conversation.ts';
import type { OpenDrive } from './drive-store.ts';

/** How long it has to be idle before all that it wrote down is there, in ms. */
const SETTLED_MS = 2_000;
/** A write that led to nothing for so long is not waited for, in ms. */
const NOTHING_MS = 10 * 60_000;
/** The longest that a write is followed, in ms. */
const FOLLOWED_MS = 6 * 60 * 60_000;

export type Follow = {
  /** Since when it is followed, Unix ms. */
  begunAt: number;
  /** Another write to the same conversation began: this one's part ends there. */
  superseded: boolean;
  /** The program still runs, in the same conversation. */
  there: boolean;
  /** What it says that it does, and since when in Unix ms. */
  status: string | null;
  statusAt: number | null;
};

/**
 * Decides whether what a write came to is told now. `over`: all of it is there. `idle`: all of it,
 * if there is any; a program that has not begun looks the same. Pure.
 */
export function decideFollow(follow: Follow, nowMs: number): 'over' | 'idle' | 'wait' {
  const { begunAt, superseded, there, status, statusAt } = follow;
  if (superseded || !there || nowMs - begunAt > FOLLOWED_MS) return 'over';
  const settled = statusAt !== null && nowMs - Math.max(statusAt, begunAt) >= SETTLED_MS;
  return status === 'idle' && settled ? 'idle' : 'wait';
}

/** Decides what becomes of a write of which all is there that there will be. Pure. */
export function decideClose(
  follow: 'over' | 'idle',
  /** Null: it cannot be told, and never will be. */
  used: boolean | null,
  ageMs: number,
): 'report' | 'wait' | 'drop' {
  if (used) return 'report';
  return used === null || follow === 'over' || ageMs > NOTHING_MS ? 'drop' : 'wait';
}

/** What decides where the part of a write ends. */
type Part = Pick<OpenDrive, 'id' | 'sessionId' | 'begunAt' | 'from' | 'until' | 'written'>;

/**
 * Decides which parts end otherwise now that `taken` is known to be written: those before it end
 * where it began, and its own where a later one did. Answers come in any order. Pure.
 */
export function decideEnds<T extends Part>(taken: T, open: readonly T[]): T[] {
  const others = open.filter(
    ({ id, sessionId, written }) => written && id !== taken.id && sessionId === taken.sessionId,
  );
  const before = others
    .filter(({ begunAt }) => begunAt <= taken.begunAt)
    .filter(({ until }) => until === null || lengthOf(taken.from) < lengthOf(until));
  const next = others.find(({ begunAt }) => begunAt > taken.begunAt);
  const own = { ...taken, until: next?.from ?? null, written: true };
  return [...before.map((each) => ({ ...each, until: taken.from })), own];
}

/** Files of a conversation only grow. */
const lengthOf = (place: Place): number =>
  Object.values(place).reduce((sum, bytes) => sum + bytes, 0);
