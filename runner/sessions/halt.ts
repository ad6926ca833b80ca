import type { EventOf } from '../../protocol/engine-event.ts';
import { emit, patch, type Draft } from './session-io.ts';
import { endProcess } from './session-steps.ts';

/** Ends the session’s work for a reason that a person has to look at; nothing that waits is done. */
export function halt(
  draft: Draft,
  reason: EventOf<'session/halted'>['reason'],
  message: string,
): void {
  emit(draft, { type: 'session/halted', reason, message });
  patch(draft, { halted: true });
  const { queue } = draft.state;
  for (const { turnId } of queue)
    emit(draft, { type: 'turn/delivered', turnId, delivery: 'undelivered', reason: message });
  patch(draft, { queue: [] });
  if (draft.state.phase.kind === 'ready') endProcess(draft, { why: 'halt' });
}
