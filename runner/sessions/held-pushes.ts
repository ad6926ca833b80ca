import { messageOf } from '../failure.ts';
import type { PushOutcome } from '../gate/receive.ts';
import type { Checkout } from '../guard/checkout.ts';
import type { SessionDeps } from './session-deps.ts';
import type { SessionEffect, SessionInput } from './session-io.ts';

type HeldEffect = Extract<SessionEffect, { kind: 'settlePush' | 'keepPushes' }>;

/** Passes on what a person allowed of a push, or deletes what nobody waits for any more. */
export async function attendHeld(
  { ports, log }: Pick<SessionDeps, 'ports' | 'log'>,
  checkout: Checkout | null,
  effect: HeldEffect,
  done: (input: SessionInput) => void,
): Promise<void> {
  const own = checkout?.mode === 'own' ? checkout : null;
  if (effect.kind === 'settlePush') {
    const { held } = effect;
    const outcomes = own
      ? await ports.settlePush(own, held)
      : held.refs.map((ref): PushOutcome => ({ ...ref, ...GONE }));
    return done({ kind: 'pushSettled', requestId: held.requestId, outcomes });
  }
  try {
    if (own) await ports.keepPushes(own, effect.requestIds);
  } catch (error) {
    // The next one that is answered deletes it too.
    const reason = messageOf(error);
    log('error', 'what was kept of a push could not be deleted', {
      session: own?.sessionId ?? null,
      reason,
    });
  }
}

const GONE = {
  outcome: 'not_done',
  by: 'policy',
  reason: 'the session’s checkout is gone, and what was kept with it',
} as const satisfies Partial<PushOutcome>;
