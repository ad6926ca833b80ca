import { and, eq } from 'drizzle-orm';
import { PilothouseError } from '../../protocol/errors.ts';
import type { RunnerId } from '../../protocol/ids.ts';
import { parsePairingCode } from '../../protocol/pairing.ts';
import { consumeOnce, isLive, issueCredential } from '../access/credentials.ts';
import type { Principal } from '../access/principal.ts';
import type { Database } from '../db/client.ts';
import { credentials } from '../db/schema.ts';
import type { Env } from '../env.ts';
import { newId, newPairingCode, sha256Hex } from '../lib/crypto.ts';
import { registerRunner, requireRunner } from './register.ts';

type Paired = { runnerId: RunnerId; token: string };

/**
 * Makes a code with which one machine may come: a new one, or one that is known and may come again.
 * The id of a new one is settled here, so that whoever waits knows whom to wait for. Throws
 * `runner_not_found`.
 */
export async function makePairing(
  database: Database,
  { accountId, actorId }: Principal,
  known: RunnerId | undefined,
  nowMs: number,
): Promise<{ code: string; runnerId: RunnerId; expiresAt: number }> {
  if (known) await requireRunner(database, accountId, known);
  const runnerId = known ?? newId('run', nowMs);
  const code = newPairingCode();
  const issue = { kind: 'pairing', name: 'pairing code', accountId, actorId } as const;
  const { expiresAt } = await issueCredential(
    database,
    { ...issue, runnerId, token: parsePairingCode(code) },
    nowMs,
  );
  return { code, runnerId, expiresAt: expiresAt ?? nowMs };
}

/**
 * Lets the machine in that brings a code, once. `known` is whom its directory is paired as already.
 * Throws `pairing_used`, and `pairing_other_machine` with the code still good.
 */
export async function claimPairing(
  env: Env,
  database: Database,
  { code, name, known }: { code: string; name: string; known: RunnerId | null },
  nowMs: number,
): Promise<Paired & { principal: Principal }> {
  const token = parsePairingCode(code);
  const offered = await database
    .select({ runnerId: credentials.runnerId })
    .from(credentials)
    .where(
      and(
        eq(credentials.tokenHash, await sha256Hex(token)),
        eq(credentials.kind, 'pairing'),
        isLive(nowMs),
      ),
    );
  const runnerId = offered[0]?.runnerId;
  if (!runnerId) throw new PilothouseError('pairing_used');
  if (known !== null && known !== runnerId) throw new PilothouseError('pairing_other_machine');
  const pairing = await consumeOnce(database, 'pairing', token, nowMs);
  if (!pairing) throw new PilothouseError('pairing_used');
  const { accountId, actorId, tokenHash, expiresAt } = pairing;
  const principal: Principal = {
    kind: 'runner',
    name,
    accountId,
    actorId,
    runnerId,
    decisions: null,
    tokenHash,
    expiresAt,
  };
  const made = await registerRunner(env, database, principal, { runnerId, name }, nowMs);
  return { ...made, principal };
}
