import { env } from 'cloudflare:workers';
import { beforeEach, describe, expect, it } from 'vitest';
import { madeMcpKey, mcpKeyList, MCP_RATE, MCP_SCOPES } from '../../../protocol/mcp.ts';
import { ask, codeOf, makeCliToken, registerRunner, signIn, startEmpty } from '../support/http.ts';
import { connectMcp as connect, textOf } from '../support/mcp.ts';

let cli = '';
beforeEach(async () => {
  await startEmpty();
  cli = await makeCliToken();
});

const make = (body: object) => ask('POST', '/v1/mcp-keys', { bearer: cli, body });
async function keyOf(...scopes: string[]) {
  return madeMcpKey.parse((await make({ name: 'my agent', scopes })).body);
}

describe('the MCP server', () => {
  it('offers an official client what its scopes open, marked as what each does', async () => {
    const { token } = await keyOf('read', 'write', 'runtime', 'destructive');
    const client = await connect(token);
    const { tools } = await client.listTools();
    const hints = Object.fromEntries(
      tools.map(({ name, annotations }) => [
        name,
        [annotations?.readOnlyHint, annotations?.destructiveHint],
      ]),
    );
    expect(hints).toEqual({
      list_machines: [true, false],
      session_status: [true, false],
      usage_summary: [true, false],
      list_acts: [true, false],
      list_breaches: [true, false],
      say: [false, false],
      launch_session: [false, false],
      stop_session: [false, true],
    });
    await client.close();
  });

  it('offers nothing of a scope that the key lacks, and refuses such a call in words and on record', async () => {
    const { key, token } = await keyOf('read', 'write');
    const client = await connect(token);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).not.toContain('stop_session');
    const said = { name: 'stop_session', arguments: { sessionId: 'ses_1' } };
    const refused = await client.callTool(said);
    expect(refused.isError).toBe(true);
    expect(textOf(refused)).toMatch(/^mcp_scope_missing: .+nothing was done.+scope destructive/);
    const nowhere = client.callTool({ name: 'sell_house', arguments: {} });
    await expect(nowhere).rejects.toThrow('sell_house');
    await client.close();
    const { results } = await env.DB.prepare(
      `SELECT target, status, error_code, principal_name FROM access_log
       WHERE operation LIKE 'mcp.%' AND operation <> 'mcp.serve'`,
    ).all();
    const target = '/mcp/stop_session/ses_1';
    const ended = { status: 403, error_code: 'mcp_scope_missing', principal_name: key.name };
    expect(results).toEqual([{ target, ...ended }]);
  });

  it('tells a client at the first what its key opens, and what it would take for the rest', async () => {
    const told = async (...scopes: string[]) => {
      const client = await connect((await keyOf(...scopes)).token);
      const words = client.getInstructions();
      await client.close();
      return words;
    };
    expect(await told('write', 'destructive', 'read')).toMatch(
      /opens .*say, stop_session\. It does not open launch_session \(scope runtime\).+keys make/,
    );
    expect(await told(...MCP_SCOPES)).not.toContain('does not open');
  });

  it('answers by the very functions of the API, and a refusal with what to do', async () => {
    const { runnerId } = await registerRunner();
    const client = await connect((await keyOf('read', 'runtime')).token);
    const machines = await client.callTool({ name: 'list_machines', arguments: {} });
    expect(textOf(machines)).toContain(runnerId);
    const usage = await client.callTool({ name: 'usage_summary', arguments: { by: 'model' } });
    expect(JSON.parse(textOf(usage))).toMatchObject({ by: 'model', totals: {} });
    const status = await client.callTool({
      name: 'session_status',
      arguments: { sessionId: 'ses_none' },
    });
    expect(status.isError).toBe(true);
    expect(textOf(status)).toMatch(/^session_not_found: .+pilothouse sessions list/);
    const launch = await client.callTool({
      name: 'launch_session',
      arguments: { runnerId: 'run_none', engineId: 'claude', directory: '/x', objective: 'Go.' },
    });
    expect(textOf(launch)).toContain('runner_not_found');
    await client.close();
  });

  it('has each call that changes something on record, whatever came of it, and no other', async () => {
    const { key, token } = await keyOf('read', 'write', 'runtime', 'destructive');
    const client = await connect(token);
    const told = (name: string, said: object) =>
      client.callTool({ name, arguments: { ...said } }).then(textOf);
    await told('usage_summary', {});
    await told('stop_session', { sessionId: 'ses_none' });
    await told('launch_session', {
      runnerId: 'run_none',
      engineId: 'claude',
      directory: '/x',
      objective: 'canary-51f0',
    });
    await client.close();
    const { results } = await env.DB.prepare(
      `SELECT operation, target, status, error_code, principal_kind, principal_name FROM access_log
       WHERE operation LIKE 'mcp.%' AND operation <> 'mcp.serve' ORDER BY at, operation DESC`,
    ).all();
    const by = { principal_kind: 'mcpKey', principal_name: key.name, status: 404 };
    expect(results).toEqual([
      {
        ...by,
        operation: 'mcp.stop_session',
        target: '/mcp/stop_session/ses_none',
        error_code: 'session_not_found',
      },
      {
        ...by,
        operation: 'mcp.launch_session',
        target: '/mcp/launch_session',
        error_code: 'runner_not_found',
      },
    ]);
  });

  it('tells what operators wrote that nothing measures beside what was spent', async () => {
    await env.DB.prepare(
      `INSERT INTO drives (account_id, actor_id, instance_id, call_id, operator_id, runner_id, tool,
       at, bytes, sha256, receipt, metering) VALUES ('acc_local', 'usr_local', 'ins_1', 'one', 'opr_1',
       'run_1', 'tmux_send_keys', ?, 1, 'x', 'queued', 'unmetered')`,
    )
      .bind(Date.now())
      .run();
    const client = await connect((await keyOf('read')).token);
    const usage = await client.callTool({ name: 'usage_summary', arguments: {} });
    expect(JSON.parse(textOf(usage))).toMatchObject({ unmetered: { drives: 1 } });
    await client.close();
  });

  it('says which argument is wrong', async () => {
    const client = await connect((await keyOf('read')).token);
    const call = client.callTool({ name: 'usage_summary', arguments: { by: 'moon' } });
    expect(await call.then(textOf, (error: unknown) => String(error))).toMatch(/by/);
    await client.close();
  });

  it('serves nobody without a key of its own, and no page of another site', async () => {
    const body = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
    const cookie = await signIn();
    expect(codeOf(await ask('POST', '/mcp', { body }))).toBe('unauthenticated');
    expect(codeOf(await ask('POST', '/mcp', { body, bearer: cli }))).toBe('forbidden');
    expect(codeOf(await ask('POST', '/mcp', { body, cookie }))).toBe('forbidden');
    const { token } = await keyOf('read');
    const headers = { origin: 'https://elsewhere.example' };
    expect(codeOf(await ask('POST', '/mcp', { body, bearer: token, headers }))).toBe(
      'origin_refused',
    );
    await expect(connect('phm_nobody')).rejects.toThrow();
  });

  it('puts a client that asks too often off, and says for how long', async () => {
    const { token } = await keyOf('read');
    await env.DB.prepare('UPDATE mcp_keys SET used = ?, window_at = ?')
      .bind(MCP_RATE.most, Date.now())
      .run();
    const body = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
    const refused = await ask('POST', '/mcp', { body, bearer: token });
    expect([refused.status, codeOf(refused)]).toEqual([429, 'mcp_rate_limited']);
    await env.DB.prepare('UPDATE mcp_keys SET window_at = ?')
      .bind(Date.now() - MCP_RATE.windowMs - 1)
      .run();
    await (await connect(token)).close();
  });
});

describe('a key of an MCP client', () => {
  it('is told once, opens nothing else, and is worthless once revoked', async () => {
    const { key, token } = await keyOf('read');
    const listed = await ask('GET', '/v1/mcp-keys', { bearer: cli });
    const { results } = await env.DB.prepare('SELECT * FROM mcp_keys').all();
    expect(mcpKeyList.parse(listed.body).items).toHaveLength(1);
    expect(JSON.stringify([listed.body, results])).not.toContain(token);
    for (const path of ['/v1/sessions', '/v1/mcp-keys', '/v1/instances'])
      expect(codeOf(await ask('GET', path, { bearer: token }))).toBe('forbidden');
    await (await connect(token)).close();
    for (const status of [200, 200])
      expect((await ask('POST', `/v1/mcp-keys/${key.keyId}/revoke`, { bearer: cli })).status).toBe(
        status,
      );
    await expect(connect(token)).rejects.toThrow();
    const again = await ask('POST', '/v1/mcp-keys/mky_none/revoke', { bearer: cli });
    expect(codeOf(again)).toBe('mcp_key_not_found');
  });

  it('is of an instance that is there, or has scopes; never both, never neither', async () => {
    for (const said of [{}, { instanceId: 'ins_1', scopes: ['read'] }])
      expect(codeOf(await make({ name: 'x', ...said }))).toBe('bad_request');
    expect(codeOf(await make({ name: 'x', instanceId: 'ins_none' }))).toBe('instance_not_found');
  });
});
