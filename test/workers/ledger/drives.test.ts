import { env } from 'cloudflare:workers';
import { beforeEach, describe, expect, it } from 'vitest';
import type { DriveReport } from '../../../protocol/drive-report.ts';
import { usageSummary } from '../../../protocol/http.ts';
import { commandId, instanceId, LOCAL_ACCOUNT, runnerId } from '../../../protocol/ids.ts';
import { openDatabase } from '../../../workers/db/client.ts';
import { listGateDecisions } from '../../../workers/gate/read.ts';
import { appendDriveReport } from '../../../workers/ledger/drive-reports.ts';
import { ask, makeCliToken, startEmpty } from '../support/http.ts';
import { startOperating } from '../support/operators.ts';
import { until } from '../support/socket.ts';

const DAY_MS = 24 * 60 * 60_000;
let cli: string;
beforeEach(async () => {
  await startEmpty();
  cli = await makeCliToken();
});

const drive = (callId: string, at: number, aiCli: string | null, instance = 'ins_1') =>
  env.DB.prepare(
    `INSERT INTO drives (account_id, actor_id, instance_id, call_id, operator_id, runner_id, tool, at, bytes, sha256, receipt, metering, ai_cli)
     VALUES ('acc_local', 'usr_local', ?, ?, 'opr_1', 'run_1', 'tmux_send_keys', ?, 1, 'x', 'queued', 'unmetered', ?)`,
  )
    .bind(instance, callId, at, aiCli)
    .run();
const summary = async (query = '') =>
  usageSummary.parse((await ask('GET', `/v1/usage/summary${query}`, { bearer: cli })).body);

describe('what operators wrote', () => {
  it('is told beside the spend, and is in none of it', async () => {
    await drive('one', 1_000, null);
    await drive('two', 5_000, 'claude');
    await drive('three', 3_000, 'claude', 'ins_2');
    const { totals, unmetered } = await summary();
    expect(totals).toEqual({});
    expect(unmetered).toEqual({
      drives: 3,
      aiCliDrives: 2,
      instances: 2,
      lastAt: 5_000,
      windowDays: Math.ceil((Date.now() - 1_000) / DAY_MS),
    });
  });

  it('is of the time that is asked about', async () => {
    const now = Date.now();
    await drive('old', now - 10 * DAY_MS, null);
    await drive('new', now - DAY_MS, null);
    const { unmetered } = await summary(`?from=${now - 7 * DAY_MS}&to=${now}`);
    expect(unmetered).toMatchObject({ drives: 1, windowDays: 7, lastAt: now - DAY_MS });
  });

  it('is left out where nobody wrote', async () => {
    expect((await summary()).unmetered).toBeUndefined();
  });
});

const report = (callId: string, over: Partial<DriveReport> = {}): DriveReport => ({
  id: commandId.parse(`cmd_${callId}`),
  drive: { instanceId: instanceId.parse('ins_1'), callId },
  engine: 'claude',
  at: 9_000,
  models: [
    {
      model: 'claude-opus-5-5',
      inputTokens: 100,
      outputTokens: 50,
      cacheReadTokens: 0,
      cacheWriteTokens: 0,
      microUsd: 1_400,
    },
  ],
  ...over,
});
const allow = (callId: string, runnerId = 'run_1', effect = 'allow') =>
  env.DB.prepare(
    `INSERT INTO gate_decisions (account_id, actor_id, instance_id, call_id, step, operator_id, runner_id, tool, at, actor, definition_version, risk, call_sha256, call_bytes, effect, reason, acts)
     VALUES ('acc_local', 'usr_local', 'ins_1', ?, 0, 'opr_1', ?, 'tmux_send_keys', 1, '{"kind":"mcp","id":"k"}', 1, 'send', 'x', 1, ?, '', '[]')`,
  )
    .bind(callId, runnerId, effect)
    .run();
const tell = (told: DriveReport) =>
  appendDriveReport(
    openDatabase(env.DB),
    { accountId: LOCAL_ACCOUNT, runnerId: runnerId.parse('run_1') },
    told,
  );

describe('what a driven program says that it cost', () => {
  it('takes its write out of what nobody knows, and is in no sum of what was measured', async () => {
    await drive('one', 1_000, 'claude');
    await drive('two', 2_000, 'claude');
    await allow('one');
    await tell(report('one'));
    const { totals, unmetered, selfReported } = await summary();
    expect(totals).toEqual({});
    expect(unmetered).toMatchObject({ drives: 1, aiCliDrives: 1, lastAt: 2_000 });
    expect(selfReported).toEqual({
      drives: 1,
      microUsd: 1_400,
      unpriced: 0,
      inputTokens: 100,
      outputTokens: 50,
      cacheReadTokens: 0,
      cacheWriteTokens: 0,
    });
  });

  it('stands as it was said first', async () => {
    await drive('one', 1_000, 'claude');
    await allow('one');
    await tell(report('one'));
    const [model] = report('one').models;
    await tell(report('one', { models: model ? [{ ...model, microUsd: null }] : [] }));
    expect((await summary()).selfReported).toMatchObject({ microUsd: 1_400, unpriced: 0 });
  });

  it.each([
    ['was never made', () => Promise.resolve()],
    ['another machine carried out', () => allow('one', 'run_2')],
    ['the gate denied', () => allow('one', 'run_1', 'deny')],
  ])('is left out of a call that %s', async (_what, before) => {
    await drive('one', 1_000, 'claude');
    await before();
    await tell(report('one'));
    expect((await summary()).selfReported).toBeUndefined();
  });

  it('stands beside the decision on its call', async () => {
    await allow('one');
    await allow('two');
    await drive('one', 1_000, 'claude');
    await drive('two', 1_000, null);
    await tell(report('one'));
    const { items } = await listGateDecisions(
      openDatabase(env.DB),
      LOCAL_ACCOUNT,
      instanceId.parse('ins_1'),
      { limit: 10 },
    );
    expect(Object.fromEntries(items.map(({ callId, cost }) => [callId, cost]))).toEqual({
      one: { metering: 'self-reported', microUsd: 1_400, tokens: 150 },
      two: { metering: 'unmetered' },
    });
  });
});

it('comes over the link of its machine, and is confirmed once it is stored', async () => {
  const { peer, instanceId } = await startOperating();
  await env.DB.prepare(
    `INSERT INTO gate_decisions SELECT 'acc_local', 'usr_local', ?, 'one', 0, 'opr_watcher', 'run_operated', 'tmux_send_keys', NULL, 1, '{"kind":"mcp","id":"k"}', 1, 'send', 'x', 1, 'allow', NULL, '', '[]', 'claude', NULL, NULL`,
  )
    .bind(instanceId)
    .run();
  const told = report('one', { drive: { instanceId, callId: 'one' } });
  peer.send({ type: 'driveReport', report: told });
  await until(
    () => peer.frames.some((frame) => frame.type === 'driveReported' && frame.id === told.id),
    'the confirmation',
  );
  const { results } = await env.DB.prepare('SELECT call_id, micro_usd FROM drive_reports').all();
  expect(results).toEqual([{ call_id: 'one', micro_usd: 1_400 }]);
});
