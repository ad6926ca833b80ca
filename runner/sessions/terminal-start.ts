import type { Engine } from '../engines/engine.ts';
import { messageOf } from '../failure.ts';
import type { ProcessIdentity } from '../process/process-table.ts';
import { TerminalRun } from '../takeover/terminal-run.ts';
import type { PtyExit } from '../takeover/pty.ts';
import { launchOf } from './engine-start.ts';
import { LaunchRefused } from './launcher.ts';
import type { Routed } from './meter-rules.ts';
import { openModel, routeOf } from './model-way.ts';
import type { SessionDeps, TerminalShown } from './session-deps.ts';
import { readBooks } from './settle-terminal.ts';
import type { SessionRow } from './session-store.ts';

/** A person's terminal on a session, and its way to whoever watches. */
export type DrivenTerminal = { run: TerminalRun; link: TerminalShown };

export type StartedTerminal =
  | {
      kind: 'opened';
      terminal: DrivenTerminal;
      process: { pid: number; argv: string[]; directory: string };
      /** Which way its calls go; null where it makes none that is paid for. */
      route: Routed | null;
      /** The engine's books before anything was typed. */
      books: unknown;
    }
  | { kind: 'failed'; message: string };

/**
 * Opens the engine's own terminal on the session's conversation, where the engine itself would
 * work and with the same environment. Never while another process has the conversation.
 */
export async function startTerminal(
  deps: SessionDeps,
  engine: Engine,
  row: SessionRow,
  epoch: () => number,
  exited: (exit: PtyExit, survivors: readonly ProcessIdentity[]) => void,
): Promise<StartedTerminal> {
  const { sessionId, takeover } = row.state;
  try {
    const { launch, resumes, seal } = await launchOf(deps, engine, row, null);
    if (!engine.interactivePlan || !takeover || !resumes)
      throw new Error('there is no terminal of this conversation');
    // It has what stands for the key, as the turns before and after it have.
    const model = await openModel(deps, engine, row, launch);
    const own = engine.interactivePlan(launch, deps.env);
    const plan = model ? model.lead(own, 'terminal') : own;
    const places = { marker: sessionId, nested: engine.nestedVariables };
    const books = await readBooks(deps, engine, row);
    const run = await TerminalRun.open(await seal(plan), takeover.size, places, exited);
    const link = deps.linkTerminal(sessionId, run, epoch);
    const process = { pid: run.pid, argv: [...plan.argv], directory: plan.directory };
    return { kind: 'opened', terminal: { run, link }, process, route: routeOf(model), books };
  } catch (error) {
    deps.log('error', 'a terminal could not be opened', {
      session: sessionId,
      reason: messageOf(error),
    });
    const words = error instanceof LaunchRefused ? error.refusal.error.message : messageOf(error);
    const message = `The engine’s terminal could not be opened: ${words} The session goes on with its next instruction.`;
    return { kind: 'failed', message };
  }
}
