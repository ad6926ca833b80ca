import { listPanes, type PaneFacts } from '../tmux/panes.ts';
import type { TmuxServer } from '../tmux/server.ts';
import { archiveLog, pruneRuns } from './archive.ts';
import { decideCare, decideLiveness, type Care } from './liveness.ts';

/** Kept by tmux with the session, so that a runner that was restarted knows it too. */
const ENDED = '@pilothouse-ended';

export type Sweeping = { server: TmuxServer; marker: string; root: string };
export type Swept = { session: string; care: Exclude<Care, 'leave'>; log: string | null };

/**
 * Looks after the sessions of this runner once: notes those that ended, and closes those that were
 * kept long enough, after their log is written. Throws `terminal_failed` where tmux does not answer;
 * nothing was closed then.
 */
export async function sweep(
  { server, marker, root }: Sweeping,
  keepMs: number,
  nowMs: number,
): Promise<Swept[]> {
  pruneRuns(root, nowMs);
  const panes = await listPanes(server);
  const sessions = Map.groupBy(panes, ({ sessionId }) => sessionId);
  const swept: Swept[] = [];
  for (const [first] of sessions.values()) {
    if (!first || first.marker !== marker) continue;
    const endedAtMs = await readEnd(server, first);
    const liveness = decideLiveness(panes, {
      server: server.name,
      born: first.server,
      id: first.sessionId,
    });
    const care = decideCare({ ours: true, liveness, endedAtMs }, keepMs, nowMs);
    if (care === 'leave') continue;
    const log = await carry(care, { server, marker, root }, first, nowMs);
    swept.push({ session: first.session, care, log });
  }
  return swept;
}

async function readEnd(server: TmuxServer, { sessionId }: PaneFacts): Promise<number | null> {
  const { ok, output } = await server.call(['show-options', '-qv', '-t', sessionId, ENDED]);
  const at = Number.parseInt(output.toString(), 10);
  return ok && Number.isSafeInteger(at) ? at : null;
}

async function carry(
  care: Exclude<Care, 'leave'>,
  { server, marker, root }: Sweeping,
  session: PaneFacts,
  nowMs: number,
): Promise<string | null> {
  const { sessionId } = session;
  switch (care) {
    case 'note_end':
      await server.call(['set-option', '-t', sessionId, ENDED, String(nowMs)]);
      return null;
    case 'forget_end':
      await server.call(['set-option', '-u', '-t', sessionId, ENDED]);
      return null;
    case 'close': {
      const panes = (await listPanes(server)).filter((pane) => pane.sessionId === sessionId);
      // Somebody may have begun something in it, or taken it for their own, since the first look.
      const same = panes.every(
        (pane) => pane.dead && pane.marker === marker && pane.server === session.server,
      );
      if (!same || panes.length === 0) return null;
      const shown = await Promise.all(panes.map((pane) => readAll(server, pane)));
      const path = archiveLog(root, session.session, shown.join('\n'), nowMs);
      await server.call(['kill-session', '-t', sessionId]);
      return path;
    }
    default:
      return care satisfies never;
  }
}

const readAll = async (server: TmuxServer, { pane }: PaneFacts): Promise<string> =>
  (await server.demand(['capture-pane', '-p', '-J', '-t', pane, '-S', '-'])).toString().trimEnd();
