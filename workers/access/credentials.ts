import { and, eq, gt, isNull, or } from 'drizzle-orm';
import {
  type AccountId,
  type ActorId,
  LOCAL_ACCOUNT,
  LOCAL_ACTOR,
  type RunnerId,
} from '../../protocol/ids.ts';
import type { Database } from '../db/client.ts';
import { credentials, type CREDENTIAL_KINDS } from '../db/schema.ts';
import { newToken, sha256Hex } from '../lib/crypto.ts';

export type CredentialKind = (typeof CREDENTIAL_KINDS)[number];
export type Credential = typeof credentials.$inferSelect;

/** How long a credential is good for, in ms; null is until it is withdrawn. */
export const VALID_FOR_MS: Record<CredentialKind, number | null> = {
  link: 10 * 60_000,
  session: 30 * 24 * 60 * 60_000,
  cli: null,
  runner: null,
  pairing: 10 * 60_000,
};

type Issue = {
  kind: CredentialKind;
  name: string;
  /** The secret, where it has a form of its own; else a new one is made. */
  token?: string;
  runnerId?: RunnerId;
  accountId?: AccountId;
  actorId?: ActorId;
};

/** Makes a credential. The token is returned once and kept nowhere; its hash is stored. */
export async function issueCredential(
  database: Database,
  issue: Issue,
  nowMs: number,
): Promise<{ token: string; expiresAt: number | null }> {
  const token = issue.token ?? newToken();
  const validFor = VALID_FOR_MS[issue.kind];
  const expiresAt = validFor === null ? null : nowMs + validFor;
  await database.insert(credentials).values({
    tokenHash: await sha256Hex(token),
    accountId: issue.accountId ?? LOCAL_ACCOUNT,
    actorId: issue.actorId ?? LOCAL_ACTOR,
    kind: issue.kind,
    name: issue.name,
    runnerId: issue.runnerId ?? null,
    createdAt: nowMs,
    expiresAt,
  });
  return { token, expiresAt };
}

/** Whether a credential is good at this time. */
export const isLive = (nowMs: number) =>
  and(
    isNull(credentials.endedAt),
    or(isNull(credentials.expiresAt), gt(credentials.expiresAt, nowMs)),
  );

/** The live credential that a token is; null for an unknown, expired or withdrawn one. */
export async function readCredential(
  database: Database,
  token: string,
  nowMs: number,
): Promise<Credential | null> {
  const rows = await database
    .select()
    .from(credentials)
    .where(and(eq(credentials.tokenHash, await sha256Hex(token)), isLive(nowMs)))
    .limit(1);
  return rows[0] ?? null;
}

/** Whether a credential that was live a moment ago still is. */
export async function isCredentialLive(
  database: Database,
  tokenHash: string,
  nowMs: number,
): Promise<boolean> {
  const rows = await database
    .select({ tokenHash: credentials.tokenHash })
    .from(credentials)
    .where(and(eq(credentials.tokenHash, tokenHash), isLive(nowMs)))
    .limit(1);
  return rows.length > 0;
}

/** Uses what works once: of many that try at once, one gets it. */
export async function consumeOnce(
  database: Database,
  kind: 'link' | 'pairing',
  token: string,
  nowMs: number,
): Promise<Credential | null> {
  const rows = await database
    .update(credentials)
    .set({ endedAt: nowMs })
    .where(
      and(
        eq(credentials.tokenHash, await sha256Hex(token)),
        eq(credentials.kind, kind),
        isLive(nowMs),
      ),
    )
    .returning();
  return rows[0] ?? null;
}

/** Withdraws one credential by its token's hash. */
export async function endCredential(
  database: Database,
  tokenHash: string,
  nowMs: number,
): Promise<void> {
  await database
    .update(credentials)
    .set({ endedAt: nowMs })
    .where(and(eq(credentials.tokenHash, tokenHash), isNull(credentials.endedAt)));
}

/** Withdraws every token of a runner: registering it again makes the earlier ones worthless. */
export async function endRunnerCredentials(
  database: Database,
  accountId: AccountId,
  runnerId: RunnerId,
  nowMs: number,
): Promise<void> {
  await database
    .update(credentials)
    .set({ endedAt: nowMs })
    .where(
      and(
        eq(credentials.accountId, accountId),
        eq(credentials.runnerId, runnerId),
        isNull(credentials.endedAt),
      ),
    );
}
