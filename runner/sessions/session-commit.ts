import type { Redactor } from '../guard/redact.ts';
import { startResult } from './engine-start.ts';
import { countCalls } from './model-way.ts';
import { countUnreached } from './network-rules.ts';
import type { SessionDeps } from './session-deps.ts';
import type { SessionPass } from './session-pass.ts';
import type { ProcessRecord, SessionRow } from './session-store.ts';

export type CommitOptions = {
  /** Writes the whole row, whether or not the session's state changed. */
  whole: boolean;
  /** Everything of the spool up to here became events in this pass; null when it read nothing. */
  spoolOffset: number | null;
  /** The engine's process as it stands when the row is stored. */
  process(): ProcessRecord | null;
  /** What of earlier passes is still on its way to it, in bytes. */
  unwrittenBytes: number;
};

/**
 * Runs `work` as one transaction: events, spool offset, parser state and session state are stored
 * together or not at all. Returns the row as stored and the last seq given, 0 when there was no
 * event.
 */
export function commitPass(
  deps: Pick<SessionDeps, 'store' | 'outbox' | 'sessions' | 'commands' | 'ports' | 'now'>,
  from: SessionRow,
  tools: { pass: SessionPass; redactor: Redactor },
  work: (pass: SessionPass) => void,
  { whole, spoolOffset, process, unwrittenBytes }: CommitOptions,
): { row: SessionRow; lastSeq: number } {
  const { store, outbox, sessions, commands, now } = deps;
  const { pass, redactor } = tools;
  const { sessionId } = from.state;
  return store.transaction(() => {
    countCalls(deps, pass);
    countUnreached(deps, pass, from.checkout);
    if (spoolOffset !== null) pass.input({ kind: 'keptGrew', chars: from.keptChars ?? 0 });
    work(pass);
    const row: SessionRow = {
      ...from,
      state: pass.state,
      engineState: pass.engineState,
      carried: pass.carried,
      spoolOffset: spoolOffset ?? from.spoolOffset,
      process: process(),
      unwrittenBytes: unwrittenBytes + bytesOf(pass.writes),
    };
    for (const effect of pass.later) {
      if (effect.kind === 'spawn' && pass.state.startCommandId)
        commands.record(pass.state.startCommandId, 'handed');
      if (effect.kind === 'settleStart')
        commands.record(effect.commandId, startResult(effect.refusal));
    }
    const kept = { ...row, engineState: redactor.event(row.engineState) };
    const keptChars =
      whole || row.state !== from.state
        ? sessions.save({ ...kept, carried: redactor.event(row.carried) }, now())
        : sessions.saveProgress(sessionId, kept);
    const lastSeq = pass.events.length > 0 ? outbox.append(sessionId, now(), pass.events) : 0;
    for (const path of pass.spent)
      sessions.addSpentSpool(path, sessionId, outbox.read(sessionId).lastSeq);
    return { row: { ...row, keptChars }, lastSeq };
  });
}

/** Lines as they are written, each with its end. */
const bytesOf = (lines: readonly string[]): number =>
  lines.reduce((sum, line) => sum + Buffer.byteLength(line) + 1, 0);
