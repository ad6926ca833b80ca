import type { Checkpoint } from '../../protocol/checkpoints.ts';
import { messageOf } from '../failure.ts';
import type { Checkout } from '../guard/checkout.ts';
import type { SessionDeps } from './session-deps.ts';

/**
 * Keeps a session's files as they are, to go back to. A directory that is the person's own is not
 * kept; a failure is in the log, and costs the checkpoint alone.
 */
export async function keepFiles(
  { ports, log, now }: Pick<SessionDeps, 'ports' | 'log' | 'now'>,
  checkout: Checkout | null,
  mark: Pick<Checkpoint, 'kind' | 'turnId'>,
): Promise<void> {
  if (checkout?.mode !== 'own') return;
  try {
    await ports.keepCheckpoint(checkout, { ...mark, at: now() });
  } catch (error) {
    const { sessionId: session } = checkout;
    log('warning', 'a checkpoint was not kept', { session, reason: messageOf(error) });
  }
}
