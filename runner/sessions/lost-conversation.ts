import { patch, type Draft, type StartInput } from './session-io.ts';
import type { Lost, SessionState } from './session-state.ts';

type Conversation = Pick<
  SessionState,
  | 'engineSessionId'
  | 'conversationBegun'
  | 'conversationSince'
  | 'story'
  | 'begunAnew'
  | 'placeAnew'
>;

/** The session's conversation cannot be resumed any more; its next launch begins it anew. */
export function loseConversation(draft: Draft, lost: Lost): void {
  if (draft.state.conversationBegun) patch(draft, { lost });
}

/**
 * What a launch goes on with: the conversation that there is, or, where that is lost, a new one
 * that is told the story of it. One that was begun by hand and has no turn here is no story: it is
 * asked for again, because the person named it. Pure.
 */
export function conversationOf(
  { engineSessionId, launch, story: told = [] }: StartInput,
  previous: SessionState | null,
  nowMs: number,
): Conversation {
  if (!previous) {
    const conversationBegun = engineSessionId !== null;
    // Nobody says when somebody else began it: that may be this very minute.
    const since = conversationBegun && { conversationSince: nowMs };
    return { engineSessionId, conversationBegun, ...since, story: launch.from?.story ?? [] };
  }
  const { lost, begunAnew, placeAnew, conversationSince } = previous;
  if (lost && (told.length > 0 || launch.conversation === null)) {
    const story = told.length > 0 ? told : previous.story;
    const anew = { begunAnew: told.length > 0, placeAnew: lost === 'seal' };
    return { engineSessionId: null, conversationBegun: false, story, ...anew };
  }
  return {
    engineSessionId: previous.engineSessionId ?? engineSessionId,
    conversationBegun: previous.conversationBegun,
    ...(conversationSince !== undefined && { conversationSince }),
    story: previous.story,
    ...(begunAnew && { begunAnew }),
    ...(placeAnew && { placeAnew }),
  };
}
