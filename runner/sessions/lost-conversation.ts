import { beginTold, followTold } from '../../protocol/brief.ts';
import type { EngineEvent } from '../../protocol/engine-event.ts';
import type { TurnId } from '../../protocol/ids.ts';
import { beginsAsFork } from './forks.ts';
import { emit, patch, type Draft, type StartInput } from './session-io.ts';
import type { Lost, SessionState } from './session-state.ts';
import { endProcess, requeueHeld } from './session-steps.ts';

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
 * A turn of a conversation begins. What a conversation holds is kept here as well until a turn of it
 * ended by its engine's own word, or another process took it up: an engine writes down when it
 * likes, and one that is killed in its first turn may have written nothing.
 */
export function followUnkept(draft: Draft, turnId: TurnId, begins: boolean): void {
  const { held, launch, story, spawns, unkept = null } = draft.state;
  if (!begins && unkept?.spawns !== spawns)
    return unkept === null ? undefined : patch(draft, { unkept: null });
  // One that begins as a fork's copy is told nothing, and knows what the copy holds.
  const first = beginsAsFork(draft.state) ? (launch.from?.story ?? []) : story;
  const before = begins ? first : (unkept?.story ?? []);
  const text = held?.turnId === turnId ? held.text : '(not known)';
  patch(draft, { unkept: { story: beginTold(before, { turnId, text }), spawns } });
}

/** Learns what the conversation came to, and that its engine has it. */
export function learnKept(draft: Draft, event: EngineEvent): void {
  const { unkept } = draft.state;
  if (!unkept) return;
  if (event.type === 'turn/ended' && event.outcome === 'ok') return patch(draft, { unkept: null });
  const story = followTold(unkept.story, event);
  if (story !== unkept.story) patch(draft, { unkept: { ...unkept, story } });
}

/**
 * The engine does not know a conversation that it had no time to keep: it is begun anew by itself,
 * told what it held, with the instruction that waits. Whether it was so; anything else that is lost
 * is for a person to begin anew.
 */
export function beginUnkeptAnew(draft: Draft): boolean {
  const { unkept, launch } = draft.state;
  if (!unkept) return false;
  requeueHeld(draft);
  // With nothing to begin it for, a person says when.
  if (draft.state.queue.length === 0) return false;
  emit(draft, {
    type: 'notice/raised',
    level: 'warning',
    code: 'conversation_begun_anew',
    message:
      'The engine was ended before it had kept its conversation. Briefed, not resumed: a new one is begun, which is told the record of it.',
  });
  patch(draft, {
    conversationBegun: false,
    engineSessionId: null,
    story: unkept.story,
    unkept: null,
    // Else it would begin as the fork that it was.
    ...(launch.from?.fork && { begunAnew: true }),
  });
  endProcess(draft, { why: 'park', reason: 'compacted' });
  return true;
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
