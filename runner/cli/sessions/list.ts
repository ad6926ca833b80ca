import type { Command } from 'commander';
import type { SessionSummary } from '../../../protocol/http.ts';
import { askOfPilot } from '../../../protocol/pilot-view.ts';
import { connect, type ConnectionOptions } from '../connect.ts';
import { formatAgo, formatSpend, formatTable, oneLine } from '../format.ts';
import { parseCount, withConnection } from '../options.ts';
import { print } from '../output.ts';

/** `pilothouse sessions list`: the newest first. */
export function addList(sessions: Command): void {
  withConnection(sessions.command('list'))
    .description('list sessions, the newest first')
    .option('--limit <count>', 'how many', parseCount, 20)
    .addHelpText(
      'after',
      '\nExample:\n  pilothouse sessions list --json | jq -r ".items[].sessionId"',
    )
    .action(async (options: ConnectionOptions & { limit: number }) => {
      const { api } = connect(options, process.env);
      const page = await api.listSessions({ limit: options.limit });
      print(options.json, page, () => describeSessions(page.items, Date.now()));
    });
}

function stateOf({ state, pendingApprovals, approvalExpiredAt, pilot }: SessionSummary): string {
  if (pendingApprovals > 0 || askOfPilot(pilot) !== null) return `${state} (needs you)`;
  return approvalExpiredAt === null ? state : `${state} (an approval expired)`;
}

function describeSessions(sessions: readonly SessionSummary[], nowMs: number): string {
  if (sessions.length === 0) return 'No sessions yet. `pilothouse launch "…"` starts one.';
  return formatTable(
    ['SESSION', 'STATE', 'ENGINE', 'GRADE', 'SPEND', 'ACTS', 'UPDATED', 'TITLE'],
    sessions.map((session) => [
      session.sessionId,
      stateOf(session),
      session.engineId,
      session.grade ?? '',
      formatSpend(session.spend),
      String(session.acts),
      formatAgo(session.updatedAt, nowMs),
      oneLine(session.title, 50),
    ]),
  );
}
