import { rmSync } from 'node:fs';
import type { Engine } from '../engines/engine.ts';
import { NOBODY } from '../process/descendants.ts';
import { isOfEarlierBoot } from '../process/process-table.ts';
import { endLeftovers } from '../process/terminate.ts';
import { EngineRun, type RunHandlers } from './engine-run.ts';
import { reopenModel } from './model-way.ts';
import type { SessionDeps } from './session-deps.ts';
import type { Standing } from './session-io.ts';
import { hasProcess } from './session-state.ts';
import type { SessionRow } from './session-store.ts';

/** How long an engine whose terminal closed may take to write down its figures, in ms. */
const DRIVEN_TERM_MS = 10_000;

/**
 * The process that an earlier runner left of a session, to be read on, or null where there is
 * none to go on with. Whatever of the session nobody can go on with is ended.
 */
export async function adoptEngine(
  deps: Pick<SessionDeps, 'spoolPaths' | 'ports' | 'log'>,
  engine: Engine,
  row: SessionRow,
  handlers: RunHandlers,
): Promise<EngineRun | null> {
  const { state, process, spoolOffset } = row;
  const { sessionId, phase, spawns } = state;
  if (!hasProcess(phase)) return null;
  const paths = deps.spoolPaths(sessionId, spawns);
  if (phase.kind === 'driven') {
    // Its terminal closed with the earlier runner; what ran in it may not know that yet, or be
    // writing down what it cost: nobody else can.
    await endLeftovers(sessionId, DRIVEN_TERM_MS);
    return null;
  }
  if (phase.kind === 'spawning' && engine.capabilities.turnEnd === 'event') {
    // It may have been started, and was given nothing yet: it ends, and another one starts.
    await endLeftovers(sessionId);
    for (const path of Object.values(paths)) rmSync(path, { force: true });
    return null;
  }
  await reopenModel(deps, engine, row);
  const record = process ?? { identity: NOBODY, descendants: [], out: paths.out, err: paths.err };
  return EngineRun.adopt(record, sessionId, process ? spoolOffset : 0, handlers);
}

/** How a process that an earlier runner left stands to this one. */
export function standingOf(run: EngineRun, { unwrittenBytes, process }: SessionRow): Standing {
  if (!run.running) return process && isOfEarlierBoot(process.identity) ? 'rebooted' : 'gone';
  // Of what was about to be written it may have a part: one more byte would make a broken line.
  return run.reachable && unwrittenBytes === 0 ? 'reachable' : 'unreachable';
}
