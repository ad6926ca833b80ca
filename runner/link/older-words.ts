import type { EngineEvent, SequencedEvent } from '../../protocol/engine-event.ts';

const NEWER = /"guard"|"conversation_lost"/;

/**
 * An event of the outbox as a cloud reads it that does not say it knows of the guard. It would refuse
 * the whole frame, at each connection anew. `line` is JSON of this runner's own.
 */
export function inOlderWords(line: string): string {
  // Nearly all are as they were, and are not read.
  if (!NEWER.test(line)) return line;
  const told = JSON.parse(line) as SequencedEvent;
  return JSON.stringify({ ...told, event: older(told.event) });
}

function older(event: EngineEvent): EngineEvent {
  if (event.type === 'act/seen' && event.act.witness === 'guard')
    return { ...event, act: { ...event.act, witness: 'stream' } };
  // The guard asks the gate, whose word it is.
  if (event.type === 'act/witnessed' && event.by === 'guard') return { ...event, by: 'gate' };
  if ('error' in event && event.error?.code === 'conversation_lost')
    return { ...event, error: { ...event.error, code: 'unknown' } };
  return event;
}
