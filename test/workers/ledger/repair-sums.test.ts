import { env } from 'cloudflare:workers';
import { beforeEach, describe, expect, it } from 'vitest';
import { accountId, LOCAL_ACCOUNT } from '../../../protocol/ids.ts';
import { repairSums } from '../../../workers/ledger/repair-sums.ts';
import { aUsage, TURN } from '../../support/protocol-builders.ts';
import { startEmpty } from '../support/http.ts';
import { database, project } from '../support/ledger.ts';

const TABLES = ['usage_days', 'usage_session_days', 'usage_sessions'];
const OTHER = accountId.parse('acc_other');

const readAll = async () => {
  const tables: Record<string, unknown[]> = {};
  for (const table of [...TABLES, 'usage_entries']) {
    const { results } = await env.DB.prepare(`SELECT * FROM ${table} ORDER BY 1, 2, 3, 4`).all();
    tables[table] = results;
  }
  return tables;
};

beforeEach(async () => {
  await startEmpty();
  const event = {
    type: 'usage/recorded' as const,
    turnId: TURN,
    entries: [aUsage({ microUsd: 5 }), aUsage({ model: 'other', microUsd: null })],
  };
  await project('a', [{ at: 1, event }]);
  await project('b', [{ at: 90_000_000, event }], { launch: { directory: null } });
  await project('c', [{ at: 1, event }], { accountId: OTHER });
});

describe('the sums of usage', () => {
  it('are right as the database keeps them, and stay as they are', async () => {
    const before = await readAll();
    expect(await repairSums(database(), LOCAL_ACCOUNT)).toEqual({ entries: 4, wrong: 0 });
    expect(await readAll()).toEqual(before);
  });

  it.each(TABLES)(
    'of %s are made anew when one differs, is missing or is too many',
    async (table) => {
      const before = await readAll();
      for (const harm of [
        `UPDATE ${table} SET micro_usd = micro_usd + 1 WHERE account_id = '${LOCAL_ACCOUNT}'`,
        `DELETE FROM ${table} WHERE account_id = '${LOCAL_ACCOUNT}'`,
        `UPDATE ${table} SET payer = 'unknown' WHERE account_id = '${LOCAL_ACCOUNT}'`,
      ]) {
        await env.DB.prepare(harm).run();
        expect((await repairSums(database(), LOCAL_ACCOUNT)).wrong).toBeGreaterThan(0);
        expect(await readAll()).toEqual(before);
      }
    },
  );

  it('of another account are not looked at', async () => {
    await env.DB.prepare(`DELETE FROM usage_days WHERE account_id = '${OTHER}'`).run();
    expect((await repairSums(database(), LOCAL_ACCOUNT)).wrong).toBe(0);
    expect((await repairSums(database(), OTHER)).wrong).toBeGreaterThan(0);
  });
});
