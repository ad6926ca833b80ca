import { and, desc, eq } from 'drizzle-orm';
import type { z } from 'zod';
import { PilothouseError } from '../../protocol/errors.ts';
import type { connectGithubRequest, GithubChannel } from '../../protocol/github.ts';
import type { AccountId, ActorId, GithubChannelId } from '../../protocol/ids.ts';
import { secretOf } from '../access/brain-keys.ts';
import type { Database } from '../db/client.ts';
import { githubChannels } from '../db/schema.ts';
import type { Env } from '../env.ts';
import { newId } from '../lib/crypto.ts';
import { openText, sealText } from '../lib/secret-box.ts';
import { requireRunner } from '../runners/register.ts';

export type ChannelRow = typeof githubChannels.$inferSelect;
type Secrets = Pick<Env, 'BRAIN_KEYS_SECRET'>;

/** Connects a repository. Throws `github_connected`, `runner_not_found`, `brain_keys_unavailable`. */
export async function connectGithub(
  env: Secrets,
  database: Database,
  { accountId, actorId }: { accountId: AccountId; actorId: ActorId },
  { token, webhookSecret, ...input }: z.output<typeof connectGithubRequest>,
  nowMs: number,
): Promise<GithubChannel> {
  const secret = secretOf(env);
  await requireRunner(database, accountId, input.launch.runnerId);
  const channelId = newId('ghc', nowMs);
  const named = { accountId, channelId, repository: input.repository, apiUrl: input.apiUrl };
  const row: ChannelRow = {
    ...input,
    ...named,
    actorId,
    sealedToken: await sealText(secret, placeOf(named, 'token'), token),
    sealedSecret:
      webhookSecret && (await sealText(secret, placeOf(named, 'webhook'), webhookSecret)),
    // What was there before is not asked for.
    polledAt: nowMs,
    fault: null,
    createdAt: nowMs,
  };
  const kept = await database.insert(githubChannels).values(row).onConflictDoNothing().returning();
  if (kept.length === 0)
    throw new PilothouseError('github_connected', { repository: input.repository });
  return toChannel(row);
}

/** An account's repositories, newest first, without their secrets. */
export async function listGithub(
  database: Database,
  accountId: AccountId,
): Promise<GithubChannel[]> {
  const rows = await database
    .select()
    .from(githubChannels)
    .where(eq(githubChannels.accountId, accountId))
    .orderBy(desc(githubChannels.channelId));
  return rows.map(toChannel);
}

/** Forgets a repository and its secrets. Throws `github_channel_not_found`. */
export async function removeGithub(
  database: Database,
  accountId: AccountId,
  channelId: GithubChannelId,
): Promise<void> {
  const mine = and(
    eq(githubChannels.accountId, accountId),
    eq(githubChannels.channelId, channelId),
  );
  const gone = await database.delete(githubChannels).where(mine).returning();
  if (gone.length === 0) throw new PilothouseError('github_channel_not_found', { channelId });
}

/** A channel by its id, whoever asks; null when there is none. */
export async function readChannel(
  database: Database,
  channelId: GithubChannelId,
): Promise<ChannelRow | null> {
  const [row] = await database
    .select()
    .from(githubChannels)
    .where(eq(githubChannels.channelId, channelId));
  return row ?? null;
}

/** Opens the token of a channel. Throws `brain_key_unreadable` where the server's secret changed. */
export async function openToken(env: Secrets, row: ChannelRow): Promise<string> {
  const token = await openText(secretOf(env), placeOf(row, 'token'), row.sealedToken);
  if (token === null) throw new PilothouseError('brain_key_unreadable', { keyId: row.channelId });
  return token;
}

/** Opens the secret of a channel's webhook; null where it has none that opens. */
export async function openWebhookSecret(env: Secrets, row: ChannelRow): Promise<string | null> {
  if (row.sealedSecret === null) return null;
  return openText(secretOf(env), placeOf(row, 'webhook'), row.sealedSecret);
}

/** What a secret is bound to: changed in the table, a token goes to nobody else's address. */
const placeOf = (
  row: Pick<ChannelRow, 'accountId' | 'channelId' | 'repository' | 'apiUrl'>,
  what: 'token' | 'webhook',
): string => ['github', what, row.accountId, row.channelId, row.repository, row.apiUrl].join(' ');

function toChannel(row: ChannelRow): GithubChannel {
  const { channelId, repository, label, associations, delivery, apiUrl, launch } = row;
  const { polledAt, fault, createdAt } = row;
  const webhookPath = delivery === 'webhook' ? `/v1/github/webhooks/${channelId}` : null;
  const what = { channelId, repository, label, associations, delivery, apiUrl, launch };
  return { ...what, webhookPath, polledAt, fault, createdAt };
}
