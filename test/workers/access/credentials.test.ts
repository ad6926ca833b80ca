import { env } from 'cloudflare:workers';
import { beforeEach, describe, expect, it } from 'vitest';
import { accountId, actorId, LOCAL_ACCOUNT, LOCAL_ACTOR, runnerId } from '../../../protocol/ids.ts';
import {
  consumeOnce,
  endCredential,
  endRunnerCredentials,
  issueCredential,
  readCredential,
  VALID_FOR_MS,
  type CredentialKind,
} from '../../../workers/access/credentials.ts';
import { appendAccess } from '../../../workers/access/log.ts';
import { openDatabase } from '../../../workers/db/client.ts';
import { startEmpty } from '../support/http.ts';

const NOW = 1_000_000;
const KINDS = Object.keys(VALID_FOR_MS) as CredentialKind[];
const RUNNER = runnerId.parse('run_1');
const database = () => openDatabase(env.DB);
const issue = (kind: CredentialKind, over: Parameters<typeof issueCredential>[1] | object = {}) =>
  issueCredential(database(), { kind, name: kind, ...over }, NOW);

beforeEach(startEmpty);

describe.each(KINDS)('a credential of the kind %s', (kind) => {
  it('is read back by its token, as whose it is', async () => {
    const { token } = await issue(kind, { runnerId: RUNNER });
    expect(await readCredential(database(), token, NOW)).toMatchObject({
      kind,
      name: kind,
      accountId: LOCAL_ACCOUNT,
      actorId: LOCAL_ACTOR,
      runnerId: RUNNER,
      createdAt: NOW,
    });
  });

  it('is good until the moment it expires, and no longer', async () => {
    const { token, expiresAt } = await issue(kind);
    const validFor = VALID_FOR_MS[kind];
    expect(expiresAt).toBe(validFor === null ? null : NOW + validFor);
    const end = expiresAt ?? Number.MAX_SAFE_INTEGER;
    expect(await readCredential(database(), token, end - 1)).not.toBeNull();
    const late = await readCredential(database(), token, end);
    expect(late === null).toBe(expiresAt !== null);
  });

  it('is in the database as a hash alone', async () => {
    const { token } = await issue(kind);
    const { results } = await env.DB.prepare('SELECT * FROM credentials').all();
    expect(results).toHaveLength(1);
    expect(JSON.stringify(results)).not.toContain(token);
  });

  it('is worthless once it was withdrawn, and stays withdrawn at its first time', async () => {
    const { token } = await issue(kind);
    const held = await readCredential(database(), token, NOW);
    await endCredential(database(), held?.tokenHash ?? '', NOW + 5);
    await endCredential(database(), held?.tokenHash ?? '', NOW + 9);
    expect(await readCredential(database(), token, NOW + 5)).toBeNull();
    const row = await env.DB.prepare('SELECT ended_at FROM credentials').first();
    expect(row).toEqual({ ended_at: NOW + 5 });
  });

  it('signs somebody in only when it is a link', async () => {
    const { token } = await issue(kind);
    const used = await consumeOnce(database(), 'link', token, NOW);
    expect(used?.kind ?? null).toBe(kind === 'link' ? 'link' : null);
  });
});

describe('a token', () => {
  it.each(['', 'x', `' OR 1=1 --`, 'a'.repeat(43)])(
    'that nobody was given is nobody: %j',
    async (token) => {
      await issue('cli');
      expect(await readCredential(database(), token, NOW)).toBeNull();
      expect(await consumeOnce(database(), 'link', token, NOW)).toBeNull();
    },
  );

  it('is not its hash: who reads the table cannot come in', async () => {
    await issue('cli');
    const row = await env.DB.prepare('SELECT token_hash FROM credentials').first<{
      token_hash: string;
    }>();
    expect(await readCredential(database(), row?.token_hash ?? '', NOW)).toBeNull();
  });

  it('belongs to the account and the person that it was made for', async () => {
    const owner = { accountId: accountId.parse('acc_other'), actorId: actorId.parse('usr_other') };
    const { token } = await issue('cli', owner);
    expect(await readCredential(database(), token, NOW)).toMatchObject(owner);
  });
});

describe('a sign-in link', () => {
  it('is used once, at the same moment by many', async () => {
    const { token } = await issue('link');
    const used = await Promise.all(
      Array.from({ length: 5 }, () => consumeOnce(database(), 'link', token, NOW)),
    );
    expect(used.filter((credential) => credential !== null)).toHaveLength(1);
    expect(await consumeOnce(database(), 'link', token, NOW)).toBeNull();
  });

  it('is worthless when it is late, and is not used up by the attempt of another kind', async () => {
    const { token, expiresAt } = await issue('link');
    expect(await consumeOnce(database(), 'link', token, expiresAt ?? 0)).toBeNull();
    expect(await readCredential(database(), token, NOW)).not.toBeNull();
  });
});

describe('registering a machine again', () => {
  it('makes all its earlier tokens worthless, and those of no other', async () => {
    const mine = [
      await issue('runner', { runnerId: RUNNER }),
      await issue('runner', { runnerId: RUNNER }),
    ];
    const other = await issue('runner', { runnerId: runnerId.parse('run_2') });
    const cli = await issue('cli');
    await endRunnerCredentials(database(), LOCAL_ACCOUNT, RUNNER, NOW + 1);
    for (const { token } of mine)
      expect(await readCredential(database(), token, NOW + 1)).toBeNull();
    for (const { token } of [other, cli])
      expect(await readCredential(database(), token, NOW + 1)).not.toBeNull();
  });

  it('of another account under the same id changes nothing here', async () => {
    const { token } = await issue('runner', { runnerId: RUNNER });
    await endRunnerCredentials(database(), accountId.parse('acc_other'), RUNNER, NOW);
    expect(await readCredential(database(), token, NOW)).not.toBeNull();
  });
});

describe('the access log', () => {
  const principal = {
    kind: 'cli',
    name: 'laptop',
    accountId: LOCAL_ACCOUNT,
    actorId: LOCAL_ACTOR,
    runnerId: null,
    decisions: null,
    tokenHash: 'hash',
    expiresAt: null,
  } as const;
  const access = {
    requestId: 'request-1',
    operation: 'sessions.stop',
    target: '/v1/sessions/ses_1/stop',
    status: 202,
    errorCode: null,
  };

  it('has who asked for what and how it ended, and no secret', async () => {
    await appendAccess(database(), principal, access, NOW);
    const { results } = await env.DB.prepare('SELECT * FROM access_log').all();
    expect(results).toMatchObject([
      { principal_kind: 'cli', principal_name: 'laptop', operation: 'sessions.stop', at: NOW },
    ]);
    expect(JSON.stringify(results)).not.toContain('hash');
  });

  it('has one line for one request: the first one stays as it is', async () => {
    await appendAccess(database(), principal, access, NOW);
    await appendAccess(database(), principal, { ...access, status: 500 }, NOW + 1);
    const { results } = await env.DB.prepare('SELECT status, at FROM access_log').all();
    expect(results).toEqual([{ status: 202, at: NOW }]);
  });

  it('is not changed and not deleted by anybody', async () => {
    await appendAccess(database(), principal, access, NOW);
    await expect(env.DB.prepare('UPDATE access_log SET status = 200').run()).rejects.toThrow(
      /append-only/,
    );
    await expect(env.DB.prepare('DELETE FROM access_log').run()).rejects.toThrow(/append-only/);
  });
});
