import { sessionId as sessionIdSchema, type SessionId } from '../../../protocol/ids.ts';
import { ERRORS } from '../../../protocol/errors.ts';
import { EXIT, Failure } from '../../failure.ts';
import type { Api } from '../api.ts';

/** How far back a part of an id is looked for. */
const SEARCHED_SESSIONS = 500;
/** Length of a whole id: `ses_` and 22 characters. */
const WHOLE_ID_CHARS = 26;

/** The session that a person means: its whole id, or a part that only one session's id has. */
export async function findSession(api: Api, text: string): Promise<{ sessionId: SessionId }> {
  const whole = sessionIdSchema.safeParse(text);
  if (whole.success && text.length === WHOLE_ID_CHARS) return { sessionId: whole.data };
  const { items } = await api.listSessions({ limit: SEARCHED_SESSIONS });
  const found = items.filter((session) => session.sessionId.includes(text));
  const [first, ...others] = found;
  if (first && others.length === 0) return { sessionId: first.sessionId };
  throw new Failure(
    EXIT.refused,
    'session_not_found',
    first
      ? `${found.length} sessions have ${text} in their id. Give more of it: ${found
          .slice(0, 5)
          .map((session) => session.sessionId)
          .join(', ')}.`
      : ERRORS.session_not_found.sentence,
  );
}
