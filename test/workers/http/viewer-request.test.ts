import { Hono } from 'hono';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { LOCAL_ACCOUNT, LOCAL_ACTOR } from '../../../protocol/ids.ts';
import type { Principal } from '../../../workers/access/principal.ts';
import type { AppTypes } from '../../../workers/http/context.ts';
import { onError } from '../../../workers/http/on-error.ts';
import { machineRequest, viewerRequest } from '../../../workers/http/viewer-request.ts';
import { MACHINE_HEADER, VIEWER_HEADER, viewerIdentity } from '../../../workers/lib/calls.ts';
import { errorBody } from '../../../protocol/errors.ts';

const PERSON: Principal = {
  kind: 'person',
  name: 'console',
  accountId: LOCAL_ACCOUNT,
  actorId: LOCAL_ACTOR,
  runnerId: null,
  decisions: null,
  tokenHash: 'hash-of-a-token',
  expiresAt: 1_700_000_000_000,
};
const seen = z.object({ viewer: z.string().nullable(), machine: z.string().nullable() });

/** What reaches a durable object of a request that this caller sends. */
async function pass(
  as: 'viewer' | 'machine',
  headers: Record<string, string>,
  principal: Partial<Principal> = {},
) {
  const app = new Hono<AppTypes>();
  app.onError(onError);
  app.get('/socket', (context) => {
    context.set('requestId', 'req-1');
    context.set('principal', { ...PERSON, ...principal });
    const { headers: told } =
      as === 'viewer' ? viewerRequest(context).request : machineRequest(context);
    return context.json({ viewer: told.get(VIEWER_HEADER), machine: told.get(MACHINE_HEADER) });
  });
  const answer = await app.request('/socket', { headers });
  const body: unknown = await answer.json();
  return { status: answer.status, body };
}
const UPGRADE = { upgrade: 'websocket' };

describe('the request for a socket, as a durable object gets it', () => {
  it('says whose it is, with the credential and its end', async () => {
    const { body } = await pass('viewer', UPGRADE);
    const told = seen.parse(body);
    expect(viewerIdentity.parse(JSON.parse(told.viewer ?? ''))).toEqual({
      credential: 'hash-of-a-token',
      actorId: LOCAL_ACTOR,
      channel: 'console',
      expiresAt: 1_700_000_000_000,
    });
    expect(told.machine).toBeNull();
  });

  it('says that it looks from a command line, and that its token never ends', async () => {
    const { body } = await pass('viewer', UPGRADE, { kind: 'cli', expiresAt: null });
    expect(JSON.parse(seen.parse(body).viewer ?? '')).toMatchObject({
      channel: 'cli',
      expiresAt: null,
    });
  });

  it('takes nobody’s word for who they are, nor for being a machine', async () => {
    const forged = JSON.stringify({ credential: 'x', actorId: 'usr_admin', expiresAt: null });
    const headers = { ...UPGRADE, [VIEWER_HEADER]: forged, [MACHINE_HEADER]: '1' };
    const told = seen.parse((await pass('viewer', headers)).body);
    expect(told.viewer).not.toContain('usr_admin');
    expect(told.machine).toBeNull();
    expect(seen.parse((await pass('machine', headers)).body)).toEqual({
      viewer: null,
      machine: '1',
    });
  });

  it('is a machine’s by this Worker’s own word', async () => {
    const { body } = await pass('machine', UPGRADE);
    expect(seen.parse(body)).toEqual({ viewer: null, machine: '1' });
  });

  it('is refused to whoever has nothing that could be withdrawn', async () => {
    const { status, body } = await pass('viewer', UPGRADE, { tokenHash: null });
    expect([status, errorBody.parse(body).error.code]).toEqual([403, 'forbidden']);
  });

  it.each(['viewer', 'machine'] as const)('is refused to a %s that asks for a page', async (as) => {
    for (const headers of [{}, { upgrade: 'h2c' }]) {
      const { status, body } = await pass(as, headers);
      expect(status).toBe(400);
      expect(errorBody.parse(body).error).toMatchObject({
        code: 'bad_request',
        context: { detail: 'this address is a WebSocket' },
      });
    }
  });

  it('is one however the client spells the upgrade', async () => {
    expect((await pass('viewer', { upgrade: 'WebSocket' })).status).toBe(200);
  });
});
