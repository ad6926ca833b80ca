import type { Command } from 'commander';
import {
  type AccessRow,
  accessPage,
  type ApprovalRow,
  approvalPage,
} from '../../../protocol/audit.ts';
import { EXIT, Failure } from '../../failure.ts';
import { withQuery, type Call } from '../api.ts';
import { connect, type ConnectionOptions } from '../connect.ts';
import { formatAgo, formatTable, oneLine } from '../format.ts';
import { parseCount, parseTime, withConnection } from '../options.ts';
import { print } from '../output.ts';
import { findSession } from '../sessions/find.ts';
import { exportLedger, type ExportOptions } from './export.ts';
import { addVerify } from './verify.ts';

/** The ledgers of who answered and who changed what, as the command line asks for them. */
export type AuditApi = {
  listApprovals(query: Query): Promise<{ items: ApprovalRow[]; nextCursor: string | null }>;
  listAccess(query: Query): Promise<{ items: AccessRow[]; nextCursor: string | null }>;
};
type Query = Readonly<Record<string, string | number | undefined>>;

export function createAuditApi(call: Call): AuditApi {
  return {
    listApprovals: (query) => call('GET', withQuery('/v1/approvals', query), approvalPage),
    listAccess: (query) => call('GET', withQuery('/v1/access', query), accessPage),
  };
}

/** Rows that are shown where nobody says how many. */
const SHOWN = 50;

type AuditOptions = ConnectionOptions &
  ExportOptions & { from?: number; to?: number; limit?: number; csv?: true; session?: string };

/** `pilothouse audit`: who answered what from where, and who changed what. */
export function addAudit(program: Command): void {
  const audit = program
    .command('audit')
    .description(
      'show who answered and changed what, and whether the ledgers are what was recorded',
    );
  addVerify(audit);
  ledger(audit, 'approvals', 'show what engines asked for, who answered from where, how soon')
    .option('--session <session>', 'of one session alone')
    .action(async (options: AuditOptions) => {
      const connection = connect(options, process.env);
      const { from, to, limit = SHOWN, session } = options;
      const found = session === undefined ? null : await findSession(connection.api, session);
      const query = { from, to, sessionId: found?.sessionId };
      if (isExport(options))
        return exportLedger(connection, '/v1/approvals/export', query, options);
      const page = await connection.api.listApprovals({ ...query, limit });
      print(options.json, page, () => describeApprovals(page.items, Date.now()));
    });
  ledger(audit, 'access', 'show every request that changed something, and who made it').action(
    async (options: AuditOptions) => {
      const connection = connect(options, process.env);
      const { from, to, limit = SHOWN } = options;
      if (isExport(options))
        return exportLedger(connection, '/v1/access/export', { from, to }, options);
      const page = await connection.api.listAccess({ from, to, limit });
      print(options.json, page, () => describeAccess(page.items, Date.now()));
    },
  );
}

function ledger(audit: Command, name: string, description: string): Command {
  const time = (text: string) => parseTime(text, Date.now());
  return withConnection(audit.command(name))
    .description(description)
    .option('--from <time>', 'from this date on, or for the last 24h, 7d', time)
    .option('--to <time>', 'up to this date, not including it', time)
    .option('--limit <count>', `how many (default: ${SHOWN})`, parseCount)
    .option('--csv', 'write all of them as CSV; with --json as well, all of them as JSON')
    .option('-o, --output <file>', 'file to write all of them into')
    .option('--force', 'write over a file that is there')
    .addHelpText(
      'after',
      `\nExamples:\n  pilothouse audit ${name} --from 7d\n  pilothouse audit ${name} -o ${name}.csv`,
    );
}

/** Whether all of a ledger is asked for. Throws where only a part of that is. */
function isExport({ csv, output, limit }: AuditOptions): boolean {
  const wanted = csv === true || output !== undefined;
  if (wanted && limit !== undefined) throw new Failure(EXIT.usage, 'usage', WHOLE);
  return wanted;
}

const WHOLE =
  'What is written as CSV or into a file is all there is: leave --limit out, or say from when with --from.';

function describeApprovals(rows: readonly ApprovalRow[], nowMs: number): string {
  if (rows.length === 0) return 'Nothing was asked in this time.';
  return formatTable(
    ['ASKED', 'FOR', 'SESSION', 'ANSWER', 'BY', 'FROM', 'BECAME'],
    rows.map((row) => [
      formatAgo(row.requestedAt, nowMs),
      row.acts.length > 0 ? row.acts.join(', ').replaceAll('_', ' ') : oneLine(row.toolName, 30),
      oneLine(row.sessionTitle, 30),
      row.answer?.decision ?? (row.resolution ? 'nobody answered' : 'waits'),
      row.answer?.actorId ?? '',
      oneLine(row.answer?.channel ?? '', 20),
      row.resolution?.outcome ?? 'not confirmed',
    ]),
  );
}

function describeAccess(rows: readonly AccessRow[], nowMs: number): string {
  if (rows.length === 0) return 'Nobody changed anything in this time.';
  return formatTable(
    ['WHEN', 'WHO', 'DID', 'ON', 'ENDED'],
    rows.map((row) => [
      formatAgo(row.at, nowMs),
      oneLine(`${row.principalName} (${row.principalKind})`, 30),
      row.operation,
      oneLine(row.target, 60),
      row.errorCode ?? String(row.status),
    ]),
  );
}
