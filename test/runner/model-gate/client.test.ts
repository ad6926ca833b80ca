import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { sessionId } from '../../../protocol/ids.ts';
import { ModelGateClient } from '../../../runner/model-gate/client.ts';
import { says } from '../../support/model-api/script.ts';
import { startModelApi, type ModelApi } from '../../support/model-api/server.ts';
import { until } from '../../support/until.ts';
import { asks, REAL_KEY } from './gate-room.ts';

const SESSION = sessionId.parse('ses_one');
let root: string;
let api: ModelApi;
let client: ModelGateClient;
const clientOf = () =>
  new ModelGateClient(root, { ...process.env, MY_SECRET: 'do-not-tell' }, () => undefined);
beforeEach(async () => {
  root = mkdtempSync(join(tmpdir(), 'pilothouse-gate-client-'));
  api = await startModelApi({ hello: [says('hi')] });
  client = clientOf();
});
afterEach(async () => {
  await client.close();
  await api.close();
  rmSync(root, { recursive: true });
});

const open = (grantMicroUsd: number | null = null, from = client) =>
  from.open(SESSION, {
    protocol: 'anthropic',
    upstream: api.url,
    headers: { 'x-api-key': REAL_KEY },
    grantMicroUsd,
  });
const call = async (url: string) => {
  const response = await fetch(`${url}/v1/messages`, {
    method: 'POST',
    headers: { 'x-api-key': client.placeholderOf(SESSION) },
    body: JSON.stringify(asks('hello')),
  });
  // Its end comes after the call was written down.
  await response.text();
  return response.status;
};

describe('the gate', () => {
  it('is a process of its own, which goes on without the runner that started it', async () => {
    const url = await open();
    expect(await call(url)).toBe(200);
    const { entries, offset } = client.readCalls(SESSION, 0);
    expect(entries).toMatchObject([{ microUsd: 1_215 }]);

    // The next runner finds the same gate, with the session in it, and the same placeholder.
    const next = clientOf();
    expect(next.placeholderOf(SESSION)).toBe(client.placeholderOf(SESSION));
    expect(await call(url)).toBe(200);
    expect(await open(null, next)).toBe(url);
    expect(next.readCalls(SESSION, offset).entries).toHaveLength(1);
    await next.close();
    await until('the gate to end', async () => (await call(url).catch(() => 'gone')) === 'gone');
  });

  it('is told when a grant changes, and forgets a session that is over', async () => {
    const url = await open(0);
    expect(await call(url)).toBe(400);
    client.grant(SESSION, 1_000_000);
    await until('the grant to count', async () => (await call(url)) === 200);
    client.leave(SESSION);
    await until('the session to be forgotten', async () => (await call(url)) === 401);
  });

  it('listens where it did before, when it has to be started again', async () => {
    const url = await open();
    await client.close();
    await until('it to be gone', async () => (await call(url).catch(() => 'gone')) === 'gone');
    expect(await open()).toBe(url);
    expect(await call(url)).toBe(200);
  });

  it('keeps no key on the disk, and nothing that another user could read', async () => {
    await open();
    expect(existsSync(join(root, 'port'))).toBe(true);
    for (const name of ['port', 'key'])
      expect(readFileSync(join(root, name), 'latin1')).not.toContain(REAL_KEY);
  });
});
