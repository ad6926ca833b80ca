import { CHAT_STEPS_MAX, type ChatCall, type ChatEntry } from '../../../protocol/operator-chat.ts';

/** What the agent does next. */
export type Step =
  | { do: 'ask' }
  | { do: 'call'; call: ChatCall }
  | { do: 'halt'; reason: string }
  | { do: 'rest' };

const REST: Step = { do: 'rest' };

/**
 * Decides the next step from the record alone, so that it is the same whoever died in between:
 * calls that have no result come first, in their order, then the model, until it has nothing to do.
 * Pure.
 */
export function decideStep(entries: readonly ChatEntry[]): Step {
  const open = openCalls(entries);
  const [call] = open;
  const last = entries.findLast(({ event }) => event.type !== 'called' && event.type !== 'lost');
  if (!last || last.event.type === 'stopped' || last.event.type === 'halted') return REST;
  if (call) return { do: 'call', call };
  const said = entries.findLastIndex(({ event }) => event.type === 'said');
  const since = entries.slice(said + 1).map(({ event }) => event);
  const answers = since.filter(({ type }) => type === 'answered' || type === 'lost').length;
  if (last.event.type === 'answered' && last.event.calls.length === 0) {
    // What was said while the model was thinking is still to be read by it.
    const { upTo } = last.event;
    if (!entries.some(({ seq, event }) => event.type === 'said' && seq > upTo)) return REST;
  }
  if (answers >= CHAT_STEPS_MAX)
    return {
      do: 'halt',
      reason: `It has asked its model ${CHAT_STEPS_MAX} times for this. Say whether it should go on.`,
    };
  return { do: 'ask' };
}

/** Calls of the model that have no result yet, in the order in which it made them. */
export function openCalls(entries: readonly ChatEntry[]): ChatCall[] {
  const settled = new Set(
    entries.map(({ event }) => (event.type === 'called' ? event.callId : null)),
  );
  return entries
    .flatMap(({ event }) => (event.type === 'answered' ? event.calls : []))
    .filter(({ callId }) => !settled.has(callId));
}
