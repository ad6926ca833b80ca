import { beginEnding } from './endings.ts';
import type { Draft } from './session-io.ts';
import { findLeaving, refuse } from './session-steps.ts';

/**
 * A person wants the engine's process gone and the conversation kept: it hangs, or its login or its
 * settings are others by now. The turn under way is interrupted in the engine's own way, then by
 * force; what waits goes on in a new process, which is looked at anew before it starts. One that is
 * about to end in any case ends as it was going to.
 */
export function restart(draft: Draft): void {
  const leaving = findLeaving(draft);
  if (leaving) return refuse(draft, leaving);
  const { phase, takeover } = draft.state;
  if (takeover || phase.kind === 'driven') return refuse(draft, 'taken_over');
  switch (phase.kind) {
    case 'ready':
      return beginEnding(draft, { why: 'park', reason: 'restarted' });
    case 'interrupting':
      // An interrupt of the turn alone would leave a process that hangs.
      return phase.ending.why === 'turn'
        ? beginEnding(draft, { why: 'park', reason: 'restarted' })
        : undefined;
    case 'ending':
      return;
    case 'preparing':
    case 'spawning':
    case 'booting':
    case 'backoff':
    case 'resting':
    case 'over':
      return refuse(draft, 'nothing_to_restart');
    default:
      return phase satisfies never;
  }
}
