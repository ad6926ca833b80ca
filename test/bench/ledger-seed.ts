import { convertV4MiniflareOptions, Miniflare } from 'miniflare';
import { LOCAL_ACCOUNT, LOCAL_ACTOR } from '../../protocol/ids.ts';
import { readBundle } from '../../runner/host/bundle.ts';
import { applyMigrations, type MigrationDatabase } from '../../runner/host/migrations.ts';

/** Entries of one session: as many as forty turns of two models leave. */
export const PER_SESSION = 80;
/** The last moment of the year over which every ledger is spread. */
export const NOW_MS = Date.parse('2026-11-01T00:00:00Z');
const YEAR_MS = 365 * 24 * 60 * 60_000;
/** Rows of one statement: workerd keeps a transaction in memory until it is whole. */
const CHUNK = 50_000;

/** An id as SQL makes it, of fixed width so that ids sort as their numbers do. */
const id = (prefix: string, number: string): string => `'${prefix}_' || printf('%010d', ${number})`;

/** A whole ledger of `count` entries and as many acts, row by row what sessions write. */
function statementsOf(count: number): string[] {
  const sessions = Math.ceil(count / PER_SESSION);
  const start = NOW_MS - YEAR_MS;
  const owner = `'${LOCAL_ACCOUNT}', '${LOCAL_ACTOR}'`;
  const statements: string[] = [
    `WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < ${sessions})
     INSERT INTO sessions (session_id, account_id, actor_id, runner_id, title, engine_id, rehearsal, directory, state, pending_approvals, spend, acts, position, created_at, updated_at)
     SELECT ${id('ses', 'i')}, ${owner}, 'run_1', 'Session ' || i, 'claude', 0, '/srv/site', 'finished', 0, '{}', ${PER_SESSION}, 2, ${start} + i * ${YEAR_MS} / ${sessions}, ${start} + i * ${YEAR_MS} / ${sessions} FROM n`,
  ];
  for (let from = 0; from < count; from += CHUNK) {
    const rows = `WITH RECURSIVE n(i) AS (SELECT ${from} UNION ALL SELECT i + 1 FROM n WHERE i + 1 < ${Math.min(count, from + CHUNK)})`;
    const at = `${start} + i * ${YEAR_MS} / ${count}`;
    const session = id('ses', `i / ${PER_SESSION}`);
    statements.push(
      `${rows} INSERT INTO usage_entries (account_id, actor_id, session_id, position, at, turn_id, model, source_seq, ordinal, engine_id, directory, provenance, payer, bucket, input_tokens, output_tokens, cache_read_tokens, cache_write_tokens, micro_usd)
       SELECT ${owner}, ${session}, i, ${at}, 'trn_' || (i / 2), iif(i % 2, 'opus', 'haiku'), i, 0, 'claude', '/srv/' || (i / ${PER_SESSION} % 8), iif(i % 7, 'reported', 'estimated'), iif(i / ${PER_SESSION} % 3, 'api-key', 'subscription'), iif(i / ${PER_SESSION} % 3, iif(i % 7, 'reported', 'estimated'), 'notional'), i % 1000, 200, 3000, 40, iif(i % 11, i % 5000, NULL) FROM n`,
      `${rows} INSERT INTO acts (account_id, actor_id, session_id, position, at, act_id, engine_id, rehearsal, kind, target, command, command_sha256, witness, uncertain)
       SELECT ${owner}, ${session}, i, ${at}, ${id('act', 'i')}, 'claude', 0, iif(i % 4, 'push', 'delete'), 'origin', 'git push origin main', 'x', 'stream', 0 FROM n`,
    );
  }
  return statements;
}

/** Makes a data directory with a ledger of that size, through workerd and its local D1. */
export async function seedLedger(
  bundleDirectory: string,
  dataDirectory: string,
  count: number,
): Promise<void> {
  const { options, migrations } = readBundle(bundleDirectory);
  const miniflare = new Miniflare(
    convertV4MiniflareOptions({
      resourcePersistencePath: dataDirectory,
      telemetry: { enabled: false },
      workers: [
        {
          name: 'seed',
          modules: true,
          script: 'export default { fetch: () => new Response() }',
          compatibilityDate: String(options['compatibilityDate']),
          d1Databases: options['d1Databases'] as Record<string, { id: string }>,
        },
      ],
    }),
  );
  try {
    const database: MigrationDatabase = await miniflare.getD1Database('DB');
    await applyMigrations(database, migrations);
    for (const statement of statementsOf(count))
      await database.batch([database.prepare(statement)]);
  } finally {
    await miniflare.dispose();
  }
}
