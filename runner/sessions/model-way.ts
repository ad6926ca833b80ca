import type { Engine, FoundEngine } from '../engines/engine.ts';
import { messageOf } from '../failure.ts';
import type { ModelOpened } from './launcher.ts';
import type { Routed } from './meter-rules.ts';
import type { SessionDeps } from './session-deps.ts';
import type { SessionPass } from './session-pass.ts';
import type { SessionRow } from './session-store.ts';
import { grantOfSession } from './spent.ts';

/** Opens the way of a session's calls of its model, as far as its budget goes, or as is said. */
export function openModel(
  { ports }: Pick<SessionDeps, 'ports'>,
  engine: Engine,
  { state }: Pick<SessionRow, 'state'>,
  found: Pick<FoundEngine, 'payer' | 'credential'>,
  grantMicroUsd = grantOfSession(state),
): Promise<ModelOpened | null> {
  const { sessionId } = state;
  return ports.openModel({ sessionId, engine, found, grantMicroUsd });
}

/** What a session keeps of its way. */
export const routeOf = (model: ModelOpened | null): Routed | null =>
  model && { through: model.through, reason: model.reason, credential: model.credential };

/**
 * Opens the way again after a restart of the runner, for an engine that is at work. A gate that
 * cannot be opened is in the log: the engine's calls fail, and nothing is spent that nobody sees.
 */
export async function reopenModel(
  deps: Pick<SessionDeps, 'ports' | 'log'>,
  engine: Engine,
  row: Pick<SessionRow, 'state' | 'process'>,
): Promise<void> {
  const { model, sessionId } = row.state;
  if (model?.through !== 'gate' || row.process === null) return;
  try {
    await openModel(deps, engine, row, { payer: 'api-key', credential: model.credential });
  } catch (error) {
    deps.log('error', 'the model gate of a session could not be opened again', {
      session: sessionId,
      reason: messageOf(error),
    });
  }
}

/**
 * Counts what the gate wrote down. It does so before an engine has the end of its answer, so that
 * what a call led to comes after it.
 */
export function countCalls({ ports }: Pick<SessionDeps, 'ports'>, pass: SessionPass): void {
  const { model, sessionId } = pass.state;
  if (model?.through !== 'gate') return;
  const read = ports.readCalls(sessionId, model.offset);
  if (read.entries.length > 0) pass.input({ kind: 'called', ...read });
}
