import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, it } from 'vitest';
import { accountId, decisionKeyId, instanceId, mcpKeyId } from '../../../protocol/ids.ts';
import { MCP_RATE } from '../../../protocol/mcp.ts';
import {
  admitDecisionKey,
  issueDecisionKey,
  listDecisionKeys,
  revokeDecisionKey,
} from '../../../workers/access/decision-keys.ts';
import {
  admitMcpKey,
  issueMcpKey,
  listMcpKeys,
  revokeMcpKey,
} from '../../../workers/access/mcp-keys.ts';
import {
  type Principal,
  readPrincipal,
  requirePersonOrCli,
} from '../../../workers/access/principal.ts';
import { startEmpty } from '../support/http.ts';
import { database } from '../support/ledger.ts';
import { SAVER } from '../support/operators.ts';

beforeAll(startEmpty);

const NOW = 1_700_000_000_000;
const STRANGER = { ...SAVER, accountId: accountId.parse('acc_other') };
const makeMcp = (maker = SAVER, at = NOW) =>
  issueMcpKey(database(), maker, { name: 'my agent', instanceId: null, scopes: ['read'] }, at);
const makeBuild = (repository: string, maker = SAVER, at = NOW) =>
  issueDecisionKey(database(), maker, { repository, name: 'CI' }, at);
const admit = (token: string, at: number) => admitMcpKey(database(), token, at);

describe('the rate of an MCP key', () => {
  it('lets so many requests into a window and not one more', async () => {
    const { token } = await makeMcp();
    const { results } = await env.DB.prepare('SELECT used FROM mcp_keys').all();
    expect(results).toContainEqual({ used: 0 });
    await env.DB.prepare('UPDATE mcp_keys SET used = ?')
      .bind(MCP_RATE.most - 1)
      .run();
    expect(await admit(token, NOW + 1)).toMatchObject({ used: MCP_RATE.most });
    await expect(admit(token, NOW + 2)).rejects.toMatchObject({ code: 'mcp_rate_limited' });
  });

  it('begins anew when the window is over, and not a moment before', async () => {
    const { token } = await makeMcp();
    await env.DB.prepare('UPDATE mcp_keys SET used = ?').bind(MCP_RATE.most).run();
    const over = NOW + MCP_RATE.windowMs;
    await expect(admit(token, over - 1)).rejects.toMatchObject({ code: 'mcp_rate_limited' });
    expect(await admit(token, over)).toMatchObject({ used: 1, windowAt: over });
    expect(await admit(token, over + 1)).toMatchObject({ used: 2, windowAt: over });
  });

  it('counts every one of many at once, each key for itself', async () => {
    const [busy, quiet] = [await makeMcp(), await makeMcp()];
    await Promise.all(Array.from({ length: 12 }, () => admit(busy.token, NOW + 5)));
    expect(await admit(busy.token, NOW + 6)).toMatchObject({ used: 13, lastUsedAt: NOW + 6 });
    expect(await admit(quiet.token, NOW + 6)).toMatchObject({ used: 1 });
  });
});

describe('a key that was revoked', () => {
  it('of MCP opens nothing, keeps its first end, and stays in the list', async () => {
    const { key, token } = await makeMcp();
    await revokeMcpKey(database(), SAVER.accountId, key.keyId, NOW + 1);
    await revokeMcpKey(database(), SAVER.accountId, key.keyId, NOW + 9);
    expect(await admit(token, NOW + 2)).toBeNull();
    const listed = await listMcpKeys(database(), SAVER.accountId);
    expect(listed.find(({ keyId }) => keyId === key.keyId)).toMatchObject({
      revokedAt: NOW + 1,
      lastUsedAt: null,
    });
  });

  it('of MCP leaves no live one out of the list, however many there are', async () => {
    const { key } = await makeMcp();
    await env.DB.prepare(
      `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 250)
       INSERT INTO mcp_keys (key_id, account_id, actor_id, name, instance_id, scopes, token_hash,
         made_by, created_at, last_used_at, revoked_at, window_at, used)
       SELECT 'mky_zzz' || (1000 + i), account_id, actor_id, name, instance_id, scopes, 'h' || i,
         made_by, created_at, NULL, created_at, 0, 0 FROM mcp_keys, n WHERE key_id = ?`,
    )
      .bind(key.keyId)
      .run();
    const listed = await listMcpKeys(database(), SAVER.accountId);
    expect(listed.map(({ keyId }) => keyId)).toContain(key.keyId);
    const many = listed.filter(({ keyId }) => keyId.startsWith('mky_zzz'));
    expect(many).toHaveLength(200);
    expect(many[0]?.keyId).toBe('mky_zzz1250');
  });

  it('of a build is not seen as used by what is refused', async () => {
    const { key, token } = await makeBuild('acme/revoked');
    await revokeDecisionKey(database(), SAVER.accountId, key.keyId, NOW + 1);
    expect(await admitDecisionKey(database(), token, NOW + 2)).toBeNull();
    const query = { limit: 9, repository: 'acme/revoked' };
    const { items } = await listDecisionKeys(database(), SAVER.accountId, query);
    expect(items).toMatchObject([{ lastUsedAt: null, revokedAt: NOW + 1 }]);
  });

  it('is revoked by its own account alone', async () => {
    const [mcp, build] = [await makeMcp(), await makeBuild('acme/own')];
    await expect(
      revokeMcpKey(database(), STRANGER.accountId, mcp.key.keyId, NOW),
    ).rejects.toMatchObject({ code: 'mcp_key_not_found' });
    await expect(
      revokeDecisionKey(database(), STRANGER.accountId, build.key.keyId, NOW),
    ).rejects.toMatchObject({ code: 'decision_key_not_found' });
    expect(await admit(mcp.token, NOW)).not.toBeNull();
    expect(await admitDecisionKey(database(), build.token, NOW)).not.toBeNull();
    const nobody = mcpKeyId.parse('mky_none');
    await expect(revokeMcpKey(database(), SAVER.accountId, nobody, NOW)).rejects.toMatchObject({
      code: 'mcp_key_not_found',
    });
  });

  it('is told to no other account, revoked or not', async () => {
    await makeMcp(STRANGER);
    await makeBuild('acme/theirs', STRANGER);
    expect(await listMcpKeys(database(), STRANGER.accountId)).toHaveLength(1);
    const theirs = await listDecisionKeys(database(), STRANGER.accountId, { limit: 9 });
    expect(theirs.items.map(({ repository }) => repository)).toEqual(['acme/theirs']);
  });
});

describe('the keys of builds', () => {
  it('are told in pages, newest first, and go on from any of them', async () => {
    const maker = { ...SAVER, accountId: accountId.parse('acc_pages') };
    for (const at of [1, 2, 3, 4, 5]) await makeBuild(`acme/${at}`, maker, NOW + at * 1_000);
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await listDecisionKeys(database(), maker.accountId, { limit: 2, cursor });
      seen.push(...page.items.map(({ repository }) => repository));
      cursor = page.nextCursor ?? undefined;
    } while (cursor !== undefined);
    expect(seen).toEqual([5, 4, 3, 2, 1].map((at) => `acme/${at}`));
    const past = { limit: 2, cursor: decisionKeyId.parse('dky_0') };
    expect((await listDecisionKeys(database(), maker.accountId, past)).items).toEqual([]);
  });
});

describe('who presents a key', () => {
  const read = (token: string, by: 'bearer' | 'cookie' = 'bearer') =>
    readPrincipal(database(), { by, token }, undefined, NOW);

  it('is a build of that repository, or an MCP client with what its key opens', async () => {
    const [mcp, build] = [await makeMcp(), await makeBuild('acme/site')];
    expect(await read(build.token)).toMatchObject({
      kind: 'decisionKey',
      name: 'CI of acme/site',
      decisions: { repository: 'acme/site' },
    });
    expect(await read(mcp.token)).toMatchObject({
      kind: 'mcpKey',
      decisions: null,
      mcp: { keyId: mcp.key.keyId, instanceId: null, scopes: ['read'] },
    });
  });

  it('opens its instance alone with a key of one', async () => {
    const of = instanceId.parse('ins_mine');
    const asked = { name: 'x', instanceId: of, scopes: [] };
    const { token } = await issueMcpKey(database(), SAVER, asked, NOW);
    expect((await read(token))?.mcp).toMatchObject({ instanceId: of, scopes: [] });
  });

  it('is nobody where the key comes as a cookie, which is not counted as a use', async () => {
    const [mcp, build] = [await makeMcp(), await makeBuild('acme/cookie')];
    for (const { token } of [mcp, build]) expect(await read(token, 'cookie')).toBeNull();
    expect(await admit(mcp.token, NOW)).toMatchObject({ used: 1 });
  });

  it.each(['phm_', 'phd_', 'phm_guess', 'phd_guess', 'PHM_x'])(
    'is nobody with %s',
    async (token) => {
      expect(await read(token)).toBeNull();
    },
  );
});

describe('whoever changes what an account keeps', () => {
  it.each(['person', 'cli'] as const)('may be a %s', (kind) => {
    expect(requirePersonOrCli({ ...SAVER, kind })).toMatchObject({ kind, name: SAVER.name });
  });

  it.each(['host', 'runner', 'decisionKey', 'mcpKey'] as const)('is never a %s', (kind) => {
    const principal: Principal = { ...SAVER, kind };
    expect(() => requirePersonOrCli(principal)).toThrow(
      expect.objectContaining({ code: 'forbidden', context: { principal: kind } }),
    );
  });
});
