import type { Story } from '../../protocol/story.ts';
import { beginEnding } from './endings.ts';
import { type Draft, patch } from './session-io.ts';
import { isAtWork } from './session-state.ts';
import { findLeaving, refuse } from './session-steps.ts';

/**
 * Forgets the engine's conversation and keeps the session: the next turn begins a new one, in the
 * same checkout, and is told the story. Between turns alone, and of a conversation that there is;
 * one that waits to be begun anew already is as short as it was asked for.
 */
export function compact(draft: Draft, story: Story): void {
  const leaving = findLeaving(draft);
  if (leaving) return refuse(draft, leaving);
  const { phase, takeover, queue, conversationBegun, begunAnew } = draft.state;
  if (!conversationBegun && !begunAnew) return refuse(draft, 'nothing_to_go_on_from');
  const rests = phase.kind === 'ready' || phase.kind === 'resting';
  if (!rests || takeover || queue.length > 0 || isAtWork(draft.state))
    return refuse(draft, 'session_busy');
  if (!conversationBegun) return;
  patch(draft, { conversationBegun: false, engineSessionId: null, story, begunAnew: true });
  // A process that has the old conversation would go on with it.
  if (phase.kind === 'ready') beginEnding(draft, { why: 'park', reason: 'compacted' });
}
