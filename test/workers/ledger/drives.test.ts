import { env } from 'cloudflare:workers';
import { beforeEach, describe, expect, it } from 'vitest';
import { usageSummary } from '../../../protocol/http.ts';
import { ask, makeCliToken, startEmpty } from '../support/http.ts';

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
