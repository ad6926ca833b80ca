import { z } from 'zod';
import { actKind } from './act.ts';
import { formatSpend, plural } from './figures.ts';
import { sessionId } from './ids.ts';
import { minutesOfDay, timeZone } from './push.ts';
import { sessionState } from './session.ts';
import { spendTotals } from './usage.ts';

/** When the digest comes each day, where the person is. */
export const digestChoice = z.object({ at: minutesOfDay, timeZone });
export type DigestChoice = z.infer<typeof digestChoice>;

/** Chosen, or null for none. */
export const saveDigestRequest = z.object({ digest: digestChoice.nullable() });

/** Sessions of each kind that a digest names; it counts all. */
export const DIGEST_SESSIONS = 20;

const digestSessions = z.object({
  count: z.int().nonnegative(),
  items: z.array(z.object({ sessionId, title: z.string(), state: sessionState })),
});

/** What happened between two times, Unix ms, and what waited at the end of it. */
export const digest = z.object({
  from: z.int(),
  to: z.int(),
  /** Came to rest, and ended well or may go on. */
  finished: digestSessions,
  failed: digestSessions,
  /** By provenance; there is no sum of it. */
  spend: spendTotals,
  /** Writes of operators into terminals, where an AI may have spent what nobody can see. */
  unmeteredDrives: z.int().nonnegative(),
  /** Done, or not known to be undone. */
  acts: z.array(z.object({ kind: actKind, count: z.int().positive() })),
  breaches: z.int().nonnegative(),
  /** Sessions that wait for a person, and calls of operators that do. */
  waiting: digestSessions,
  calls: z.int().nonnegative(),
});
export type Digest = z.infer<typeof digest>;

/** The last digest, or what one would say now where none was made; and when it comes. */
export const digestView = z.object({ digest, choice: digestChoice.nullable() });
export type DigestView = z.infer<typeof digestView>;

/** Whether there is anything to say. Pure. */
export const hasNews = (told: Digest): boolean =>
  told.finished.count + told.failed.count + told.waiting.count + told.calls > 0 ||
  told.breaches + told.unmeteredDrives + told.acts.length > 0 ||
  Object.keys(told.spend).length > 0;

/** A digest in one paragraph, in counts and figures alone: the page has the names. Pure. */
export function sayDigest(told: Digest): string {
  const acts = told.acts.reduce((sum, { count }) => sum + count, 0);
  const waiting = told.waiting.count + told.calls;
  const parts = [
    told.finished.count > 0 && `${plural(told.finished.count, 'session')} finished`,
    told.failed.count > 0 && `${plural(told.failed.count, 'session')} failed`,
    Object.keys(told.spend).length > 0 && `spent ${formatSpend(told.spend)}`,
    told.unmeteredDrives > 0 && `${plural(told.unmeteredDrives, 'unmetered write')} by operators`,
    acts > 0 && `${plural(acts, 'act')} that count${acts === 1 ? 's' : ''}`,
    told.breaches > 0 && plural(told.breaches, 'breach', 'breaches'),
    waiting > 0 && `${waiting} ${waiting === 1 ? 'waits' : 'wait'} for you`,
  ].filter((part) => part !== false);
  return parts.length === 0 ? 'Nothing happened.' : `${parts.join('; ')}.`;
}
