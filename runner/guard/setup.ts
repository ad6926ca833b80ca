import type { EventOf } from '../../protocol/engine-event.ts';
import { EVENT_TEXT_MAX_BYTES } from '../../protocol/text.ts';
import type { SpawnPlan } from '../engines/engine.ts';
import { findRepositoryLimits, type Limits } from '../limits.ts';
import { capText } from './cap.ts';
import type { Checkout } from './checkout.ts';
import type { Redactor } from './redact.ts';
import { runShell } from './shell.ts';

export type SetupRequest = {
  checkout: Checkout;
  limits: Limits;
  env: NodeJS.ProcessEnv;
  redactor: Pick<Redactor, 'text'>;
  /** The process as the session's grade lets it run. */
  seal?: (plan: SpawnPlan) => Promise<SpawnPlan>;
  /** Ends the set-up when the session is stopped. */
  signal?: AbortSignal;
};

/**
 * Runs the set-up command that limits.toml gives the repository, in a checkout of the session's
 * own; null when there is none. Its exit code is null when it was ended for exceeding its time or
 * because the session was stopped; the output's last line says which.
 */
export async function runSetup(request: SetupRequest): Promise<EventOf<'setup/ran'> | null> {
  const { checkout, limits } = request;
  if (checkout.mode !== 'own') return null;
  const repository = findRepositoryLimits(limits, checkout.source.top);
  if (repository === null || repository.setup === null) return null;
  const startedAt = performance.now();
  const { exitCode, output } = await runShell({
    command: repository.setup,
    directory: checkout.top,
    env: request.env,
    timeoutMs: repository.setupTimeoutMs,
    timeoutWords: 'the time that limits.toml allows',
    marker: checkout.sessionId,
    keep: 'first',
    seal: request.seal,
    signal: request.signal,
  });
  return {
    type: 'setup/ran',
    command: request.redactor.text(repository.setup),
    exitCode,
    output: capText(request.redactor.text(output), EVENT_TEXT_MAX_BYTES, { keep: 'headTail' }),
    durationMs: Math.round(performance.now() - startedAt),
  };
}
