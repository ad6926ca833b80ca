import { env } from 'cloudflare:workers';
import { beforeEach, describe, expect, it } from 'vitest';
import { readPrincipal } from '../../../workers/access/principal.ts';
import { openDatabase } from '../../../workers/db/client.ts';
import { makeCliToken, registerRunner, startEmpty } from '../support/http.ts';

describe('who presents a secret', () => {
  beforeEach(startEmpty);

  const read = (token: string, hostToken: string | undefined, nowMs = Date.now()) =>
    readPrincipal(openDatabase(env.DB), { by: 'bearer', token }, hostToken, nowMs);

  it('is the host with the host’s secret', async () => {
    expect(await read('secret', 'secret')).toMatchObject({ kind: 'host', tokenHash: null });
  });

  it.each([undefined, '', 'undefined', 'null'])(
    'is nobody with that text when the host’s secret is absent: %j',
    async (token) => {
      expect(await read(token ?? 'undefined', undefined)).toBeNull();
      expect(await read(token ?? 'undefined', '')).toBeNull();
    },
  );

  it('is not the host when its secret comes as a cookie', async () => {
    const presented = { by: 'cookie', token: 'secret' } as const;
    expect(await readPrincipal(openDatabase(env.DB), presented, 'secret', 0)).toBeNull();
  });

  it('is a runner with the token of that runner and no other', async () => {
    const { runnerId, token } = await registerRunner();
    expect(await read(token, undefined)).toMatchObject({ kind: 'runner', runnerId });
  });

  it('is nobody once the credential has ended or expired', async () => {
    const token = await makeCliToken();
    expect(await read(token, undefined)).toMatchObject({ kind: 'cli' });
    await env.DB.exec('UPDATE credentials SET expires_at = 10');
    expect(await read(token, undefined, 9)).toMatchObject({ kind: 'cli' });
    expect(await read(token, undefined, 10)).toBeNull();
    await env.DB.exec('UPDATE credentials SET expires_at = NULL, ended_at = 5');
    expect(await read(token, undefined)).toBeNull();
  });
});
