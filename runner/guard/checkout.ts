import { join } from 'node:path';
import type { EventOf } from '../../protocol/engine-event.ts';
import type { GradeReport } from '../../protocol/grade.ts';
import type { SessionId } from '../../protocol/ids.ts';

/** The directory itself: nothing was made, nothing is brought back, nothing is removed. */
type InPlaceCheckout = {
  mode: 'inPlace';
  sessionId: SessionId;
  directory: string;
  branch: string | null;
  baseCommit: string | null;
};

/** A checkout of the session's own, as plain JSON: it holds paths and names, never secrets. */
export type OwnCheckout = {
  mode: 'own';
  sessionId: SessionId;
  /** Where the engine works: the same place below `top` that the launch named in the source. */
  directory: string;
  top: string;
  branch: string;
  baseCommit: string;
  /** What the keep ref holds: the base, or the person's uncommitted changes on top of it. */
  keptCommit: string;
  included: string[];
  fromUncommitted: boolean;
  source: { top: string; commonDirectory: string; bare: boolean };
  /** The runner's own git directory over the checkout's objects and refs. */
  view: string;
  /** Chosen when it was made, and kept for as long as it is there. Absent: open. */
  grade?: GradeReport;
  /** Its only remote is the gate, which stands before this remote of the source. */
  gate?: { remote: string };
};

export type Checkout = InPlaceCheckout | OwnCheckout;

/** Where something works in a repository, whoever it is. */
export type Worked = Pick<InPlaceCheckout, 'mode' | 'directory'> | OwnCheckout;

/** Where everything of one session's checkout is, below the runner's directory of checkouts. */
export function placesOf(
  root: string,
  sessionId: SessionId,
): { top: string; host: string; view: string; record: string } {
  const host = join(root, '.host', sessionId);
  return {
    top: join(root, sessionId),
    host,
    view: join(host, 'view.git'),
    record: join(host, 'checkout.json'),
  };
}

/** Holds the objects that the checkout borrows, whatever becomes of the person's branches. */
export const keepRef = (sessionId: SessionId): string => `refs/pilothouse/keep/${sessionId}`;
/** Holds what was brought back, whatever becomes of the branch that it was brought back to. */
export const broughtRef = (sessionId: SessionId): string => `refs/pilothouse/brought/${sessionId}`;
/** Reserves a branch's name before there is a commit to give it. */
export const nameRef = (branch: string): string =>
  `refs/pilothouse/names/${branch.replace(/^pilothouse\//, '')}`;

/** Whether the runner's gate is the only remote of what is worked on. */
export const isGated = (checkout: Checkout | null): boolean =>
  checkout?.mode === 'own' && checkout.gate !== undefined;

/** What a session in this checkout may do. */
export function gradeOf(checkout: Checkout): GradeReport {
  if (checkout.mode === 'own' && checkout.grade) return checkout.grade;
  const reason =
    checkout.mode === 'own'
      ? 'It was made before there were other grades.'
      : 'It works in the directory itself.';
  return { grade: 'open', reason };
}

/** The event that tells of a prepared checkout. */
export function preparedEvent(checkout: Checkout): EventOf<'checkout/prepared'> {
  return {
    type: 'checkout/prepared',
    mode: checkout.mode,
    directory: checkout.directory,
    branch: checkout.branch,
    baseCommit: checkout.baseCommit,
    included: checkout.mode === 'own' ? checkout.included : [],
    fromUncommitted: checkout.mode === 'own' && checkout.fromUncommitted,
    grade: withGuard(gradeOf(checkout)),
  };
}

const withGuard = (report: GradeReport): GradeReport =>
  report.grade === 'open' ? { ...report, guard: true } : report;
