import type { RunnerSummary, SessionDetail } from '../../protocol/http.ts';
import type { Api } from './api.ts';
import { findSession } from './sessions/find.ts';

/** The session that a launch goes on from. Throws `session_not_found`. */
export async function readEarlier(
  api: Api,
  session: string | undefined,
): Promise<SessionDetail | null> {
  if (session === undefined) return null;
  return api.readSession((await findSession(api, session)).sessionId);
}

/** What goes along of the work of another session, and what does not. */
export function aboutEarlier({ summary, view }: SessionDetail, runner: RunnerSummary): string {
  const told = `Briefed, not resumed: its engine is told the record of ${summary.sessionId}.`;
  const branch = view.checkout?.branch;
  if (!branch || summary.runnerId === runner.runnerId) return told;
  return `${told} Commits stay where they were made: push ${branch} from ${summary.runnerName} to have them here.`;
}
