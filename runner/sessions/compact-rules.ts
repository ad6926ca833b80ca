import type { Story } from '../../protocol/story.ts';
import { beginEnding } from './endings.ts';
import { type Draft, patch } from './session-io.ts';
import { isAtWork } from './session-state.ts';
import { findLeaving, refuse } from './session-steps.ts';

/**
 * Forgets the engine's conversation and keeps the session: the next turn begins a new one, in the
 * same checkout, and is told the story. Between turns alone, and of a conversation that there is.
 */
export function compact(draft: Draft, story: Story): void {
  const leaving = findLeaving(draft);
  if (leaving) return refuse(draft, leaving);
  const { phase, takeover, queue, conversationBegun } = draft.state;
  if (!conversationBegun) return refuse(draft, 'nothing_to_go_on_from');
  const rests = phase.kind === 'ready' || phase.kind === 'resting';
  if (!rests || takeover || queue.length > 0 || isAtWork(draft.state))
    return refuse(draft, 'session_busy');
  patch(draft, { conversationBegun: false, engineSessionId: null, story });
  // A process that has the old conversation would go on with it.
  if (phase.kind === 'ready') beginEnding(draft, { why: 'park', reason: 'compacted' });
}
