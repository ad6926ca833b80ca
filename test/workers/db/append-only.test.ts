import { env } from 'cloudflare:workers';
import { beforeEach, describe, expect, it } from 'vitest';
import { startEmpty } from '../support/http.ts';

/** One row of each ledger; every column that may not be null has a value. */
const ROWS: Record<string, Record<string, string | number | null>> = {
  pane_records: {
    id: 'one',
    runner_id: 'run_1',
    target: 'tmux:own:1.2:%3',
    channel: 'console',
    kind: 'typed',
    bytes: 3,
    batches: 1,
    at: 1,
  },
  usage_entries: {
    session_id: 'ses_1',
    turn_id: 'trn_1',
    model: 'm',
    source_seq: 1,
    ordinal: 0,
    position: 1,
    at: 1,
    engine_id: 'claude',
    directory: null,
    provenance: 'reported',
    payer: 'api-key',
    bucket: 'reported',
    input_tokens: 1,
    output_tokens: 1,
    cache_read_tokens: 0,
    cache_write_tokens: 0,
    micro_usd: 5,
  },
  acts: {
    session_id: 'ses_1',
    act_id: 'act_1',
    position: 1,
    at: 1,
    engine_id: 'claude',
    rehearsal: 0,
    kind: 'push',
    command: 'git push',
    command_sha256: 'x',
    witness: 'stream',
    uncertain: 0,
  },
  act_outcomes: { session_id: 'ses_1', act_id: 'act_1', position: 2, at: 1, outcome: 'done' },
  gate_decisions: {
    instance_id: 'ins_1',
    call_id: 'one',
    step: 0,
    operator_id: 'opr_1',
    runner_id: 'run_1',
    tool: 'tmux_send_keys',
    at: 1,
    actor: '{"kind":"mcp","id":"k"}',
    definition_version: 1,
    risk: 'send',
    call_sha256: 'x',
    call_bytes: 1,
    effect: 'allow',
    reason: '',
    acts: '[]',
  },
  gate_answers: { instance_id: 'ins_1', call_id: 'one', answer: 'once', channel: 'cli', at: 1 },
  gate_outcomes: { instance_id: 'ins_1', call_id: 'one', status: 'done', at: 1 },
  drives: {
    instance_id: 'ins_1',
    call_id: 'one',
    operator_id: 'opr_1',
    runner_id: 'run_1',
    tool: 'tmux_send_keys',
    at: 1,
    bytes: 1,
    sha256: 'x',
    receipt: 'queued',
    metering: 'unmetered',
  },
  drive_reports: {
    instance_id: 'ins_1',
    call_id: 'one',
    runner_id: 'run_1',
    engine: 'claude',
    at: 1,
    models: '[]',
    micro_usd: 1,
    unpriced: 0,
    input_tokens: 1,
    output_tokens: 1,
    cache_read_tokens: 1,
    cache_write_tokens: 1,
  },
  drive_looks: {
    instance_id: 'ins_1',
    call_id: 'one',
    runner_id: 'run_1',
    at: 1,
    directory: '/code/shop',
    look: '{}',
  },
  merge_policies: {
    scope_key: 'account',
    version: 1,
    scope: '{"kind":"account"}',
    part: '{}',
    saved_by: 'cli',
    at: 1,
  },
  act_witnesses: {
    session_id: 'ses_1',
    act_id: 'act_1',
    position: 3,
    at: 1,
    witness: 'git',
    finding: 'confirmed',
    evidence: 'It was pushed from here.',
  },
  breaches: {
    session_id: 'ses_1',
    act_id: 'act_1',
    position: 4,
    at: 1,
    engine_id: 'claude',
    kind: 'merge',
    seen_by: 'git',
    command: 'git push origin main',
    rule: 'main is protected',
    undo: '{}',
    policy: '[]',
  },
  breach_overrides: {
    session_id: 'ses_1',
    act_id: 'act_1',
    position: 5,
    at: 1,
    reason: 'it was me',
    channel: 'cli',
  },
  chain_links: {
    session_id: 'ses_1',
    number: 1,
    position: 1,
    at: 1,
    ledger: 'act',
    row_key: 'act_1',
    row_sha256: 'x',
    hash: 'x',
  },
  approval_requests: {
    session_id: 'ses_1',
    request_id: 'apr_1',
    position: 1,
    at: 1,
    kind: 'tool',
    tool_name: 'Bash',
    acts: '[]',
    input_sha256: 'x',
  },
  approval_decisions: {
    session_id: 'ses_1',
    request_id: 'apr_1',
    position: 2,
    at: 1,
    origin: 'person',
    decision: 'allow',
  },
  pilot_steps: {
    session_id: 'ses_1',
    step: 1,
    at: 1,
    event: '{"type":"began"}',
    status: 'waiting_turn',
    reason: 'r',
    effect: null,
  },
  pilot_decisions: {
    session_id: 'ses_1',
    step: 2,
    at: 1,
    next: 'finish',
    reason: 'r',
    evidence: '[]',
    status: 'finished',
    outcome: 'r',
  },
  engine_presets: { preset_id: 'mine', version: 1, preset: '{}', saved_by: 'cli', at: 1 },
  operator_definitions: { operator_id: 'opr_1', version: 1, body: '{}', saved_by: 'cli', at: 1 },
  operator_instances: {
    instance_id: 'ins_1',
    revision: 1,
    operator_id: 'opr_1',
    runner_id: 'run_1',
    owner_id: 'usr_local',
    created_at: 1,
    body: '{}',
    saved_by: 'cli',
    at: 1,
  },
  access_log: {
    request_id: 'r1',
    principal_kind: 'cli',
    principal_name: 'x',
    operation: 'sessions.stop',
    target: '/v1',
    status: 202,
    at: 1,
  },
};
const LEDGERS = Object.keys(ROWS);

async function insert(
  table: string,
  verb: string,
  over: Record<string, string | number> = {},
): Promise<void> {
  const row = { account_id: 'acc_local', actor_id: 'usr_local', ...ROWS[table], ...over };
  const columns = Object.keys(row);
  await env.DB.prepare(
    `${verb} INTO ${table} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`,
  )
    .bind(...Object.values(row))
    .run();
}

/** Sums of a ledger's entries, kept by a trigger: one row holds what many actors caused. */
const SUMS = ['usage_days', 'usage_session_days', 'usage_sessions'];

describe('a ledger', () => {
  beforeEach(startEmpty);

  it.each(LEDGERS)('%s refuses an update', async (table) => {
    await insert(table, 'INSERT');
    await expect(env.DB.exec(`UPDATE ${table} SET at = 9`)).rejects.toThrow('append-only');
  });

  it.each(LEDGERS)('%s refuses a deletion', async (table) => {
    await insert(table, 'INSERT');
    await expect(env.DB.exec(`DELETE FROM ${table}`)).rejects.toThrow('append-only');
  });

  it.each(LEDGERS)('%s keeps its row against INSERT OR REPLACE', async (table) => {
    await insert(table, 'INSERT');
    await insert(table, 'INSERT OR REPLACE', { at: 9 });
    const { results } = await env.DB.prepare(`SELECT at FROM ${table}`).all();
    expect(results).toEqual([{ at: 1 }]);
  });

  it('is every table but the few that are named as mutable', async () => {
    const { results } = await env.DB.prepare(
      `SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%' AND name NOT LIKE '_cf%' AND name NOT LIKE 'd1_%'`,
    ).all<{ name: string }>();
    const tables = results.map(({ name }) => name).toSorted();
    expect(tables).toEqual(
      [
        ...LEDGERS,
        'accounts',
        'gate_waiting',
        'github_asks',
        'github_channels',
        'github_comments',
        'brain_keys',
        'pilot_runs',
        'credentials',
        'decision_keys',
        'mcp_keys',
        'push_devices',
        'push_keys',
        'decision_reports',
        'runners',
        'sessions',
        'viewed_feeds',
        ...SUMS,
      ].toSorted(),
    );
  });

  it('and every other table but sums say whose each row is and who caused it', async () => {
    const { results } = await env.DB.prepare(
      `SELECT t.name FROM sqlite_master AS t WHERE t.type = 'table' AND t.name NOT LIKE 'sqlite%' AND t.name NOT LIKE '_cf%'
         AND t.name NOT LIKE 'd1_%' AND 2 > (SELECT count(*) FROM pragma_table_info(t.name) WHERE name IN ('account_id', 'actor_id'))`,
    ).all<{ name: string }>();
    expect(results.map(({ name }) => name).toSorted()).toEqual(SUMS);
  });
});
