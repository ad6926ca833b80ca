import type { SessionSummary } from '../../protocol/http.ts';
import { askOfPilot } from '../../protocol/pilot-view.ts';
import { isQuiet, type PushChoices, type PushKind } from '../../protocol/push.ts';
import { wordOfState } from '../format/state.ts';
import { PILOT_ASKS } from '../pilot/words.ts';
import type { BudgetWarning } from './budget-warnings.ts';

/**
 * What is told outside the page, of a session or, with null, of a budget. `tag` names the one thing
 * that it is about, and `push` the kind that the server pushes of it; null where it pushes nothing.
 */
export type Told = {
  tag: string;
  sessionId: string | null;
  push: PushKind | null;
  title: string;
  body: string;
};

/** What one look at the sessions leads to: what to tell, what to take back, what was told so far. */
export type Telling = { tell: Told[]; withdraw: string[]; known: ReadonlySet<string> };

/**
 * Decides what to notify of: each need once, from the moment it begins. `known` is null at the
 * first look: what waited before anybody looked stands in the tray, and rings nowhere. The session
 * that is looked at needs no bell, and what is over is taken back. Pure.
 */
export function decideTelling(
  needs: readonly SessionSummary[],
  known: ReadonlySet<string> | null,
  lookedAt: string | null,
): Telling {
  const now = needs.map((session) => ({ session, tag: tagOf(session) }));
  const tags = new Set(now.map(({ tag }) => tag));
  const fresh = known === null ? [] : now.filter(({ tag }) => !known.has(tag));
  return {
    tell: fresh
      .filter(({ session }) => session.sessionId !== lookedAt)
      .map(({ session, tag }) => ({
        tag,
        sessionId: session.sessionId,
        push: pushOf(session),
        ...wordsOf(session),
      })),
    withdraw: [...(known ?? [])].filter((tag) => !tags.has(tag)),
    known: tags,
  };
}

const waits = ({ pendingApprovals, state }: SessionSummary): boolean =>
  pendingApprovals > 0 || wordOfState(state).tone === 'needs';

/** What expired is told as that while nothing else waits. */
const isExpiry = (session: SessionSummary): boolean =>
  session.approvalExpiredAt !== null &&
  !waits(session) &&
  wordOfState(session.state).tone !== 'failed';

/** One need of one session: the next approval is another one, the same failure seen again is not. */
function tagOf(session: SessionSummary): string {
  const { sessionId, state, pendingApprovals, reason, approvalExpiredAt, pilot } = session;
  // A Pilot asks while its session rests, which may begin and end around the same question.
  if (pilotAsk(session) !== null) return `${sessionId} pilot ${pilot?.step}`;
  if (isExpiry(session)) return `${sessionId} expired ${approvalExpiredAt}`;
  const failure = wordOfState(state).tone === 'failed' ? reason : '';
  return [sessionId, state, pendingApprovals, failure].join(' ');
}

/** What its Pilot asks, while no approval waits: that one holds up more. */
const pilotAsk = ({ pendingApprovals, pilot }: SessionSummary) =>
  pendingApprovals > 0 ? null : askOfPilot(pilot);

function wordsOf(session: SessionSummary): Pick<Told, 'title' | 'body'> {
  const { word, meaning } = wordOfState(session.state);
  const ask = pilotAsk(session);
  if (ask !== null)
    return {
      title: `${PILOT_ASKS[ask]}: ${session.title}`,
      body: session.pilot?.reason ?? meaning,
    };
  if (isExpiry(session))
    return {
      title: `Approval expired: ${session.title}`,
      body: 'Nobody answered in time, so the engine was told no. Say what it should do now.',
    };
  return { title: `${word}: ${session.title}`, body: session.reason ?? meaning };
}

/** What the server tells of the same need with no page open; null where it tells nothing. */
function pushOf(session: SessionSummary): PushKind | null {
  const { state } = session;
  if (pilotAsk(session) !== null) return 'pilot';
  if (isExpiry(session)) return null;
  if (state === 'blocked' || state === 'halted') return state;
  return wordOfState(state).tone === 'failed' ? 'failed' : waits(session) ? 'approval' : null;
}

/**
 * Whether a page rings for it in a browser that is told by push, as that one chose: not for what
 * is pushed there, and in its quiet hours for nothing. Pure.
 */
export const decideRinging = ({ push }: Told, { kinds, quiet }: PushChoices, nowMs: number) =>
  !isQuiet(quiet, nowMs) && (push === null || !kinds.includes(push));

/** Decides the same of parts of budgets that are used. One that is used no more is taken back. */
export function decideWarning(
  warnings: readonly BudgetWarning[],
  known: ReadonlySet<string> | null,
): Telling {
  const tags = new Set(warnings.map(({ tag }) => tag));
  return {
    tell: warnings
      .filter(({ tag }) => known !== null && !known.has(tag))
      .map((warning) => ({ ...warning, sessionId: null, push: null })),
    withdraw: [...(known ?? [])].filter((tag) => !tags.has(tag)),
    known: tags,
  };
}

/** The session that a visible page shows; null when nobody looks at one. */
export function sessionLookedAt(pathname: string, visible: boolean): string | null {
  const sessionId = /^\/sessions\/(ses_[0-9a-z]+)$/.exec(pathname)?.[1];
  return visible && sessionId !== undefined ? sessionId : null;
}
