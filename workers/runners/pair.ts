import { and, desc, eq } from 'drizzle-orm';
import { PilothouseError } from '../../protocol/errors.ts';
import type { AccountId, RunnerId } from '../../protocol/ids.ts';
import { type OpenPairing, parsePairingCode } from '../../protocol/pairing.ts';
import { consumeOnce, isLive, issueCredential } from '../access/credentials.ts';
import type { Principal } from '../access/principal.ts';
import type { Database } from '../db/client.ts';
import { credentials, runners } from '../db/schema.ts';
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

const isOpen = (accountId: AccountId, nowMs: number) =>
  and(eq(credentials.accountId, accountId), eq(credentials.kind, 'pairing'), isLive(nowMs));

/** Codes of an account that wait to be used, the newest first; of a machine that has several, the newest. */
export async function listPairings(
  database: Database,
  accountId: AccountId,
  nowMs: number,
): Promise<OpenPairing[]> {
  const rows = await database
    .select({
      runnerId: credentials.runnerId,
      machine: runners.name,
      madeAt: credentials.createdAt,
      expiresAt: credentials.expiresAt,
    })
    .from(credentials)
    .leftJoin(
      runners,
      and(eq(runners.accountId, accountId), eq(runners.runnerId, credentials.runnerId)),
    )
    .where(isOpen(accountId, nowMs))
    .orderBy(desc(credentials.createdAt));
  const newest = new Map<RunnerId, OpenPairing>();
  for (const { runnerId, expiresAt, ...row } of rows)
    if (runnerId !== null && !newest.has(runnerId))
      newest.set(runnerId, { runnerId, expiresAt: expiresAt ?? nowMs, ...row });
  return [...newest.values()];
}

/** Makes every code worthless that would let this machine in. Throws `pairing_not_found` where none waits. */
export async function withdrawPairing(
  database: Database,
  accountId: AccountId,
  runnerId: RunnerId,
  nowMs: number,
): Promise<void> {
  const ended = await database
    .update(credentials)
    .set({ endedAt: nowMs })
    .where(and(isOpen(accountId, nowMs), eq(credentials.runnerId, runnerId)))
    .returning({ runnerId: credentials.runnerId });
  if (ended.length === 0) throw new PilothouseError('pairing_not_found', { runnerId });
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
