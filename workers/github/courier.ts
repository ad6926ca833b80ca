import { DurableObject } from 'cloudflare:workers';
import { and, asc, eq } from 'drizzle-orm';
import { openDatabase } from '../db/client.ts';
import { githubAsks, githubChannels } from '../db/schema.ts';
import type { Env } from '../env.ts';
import type { CourierCalls } from '../lib/calls.ts';
import { describeFault, log } from '../lib/logger.ts';
import { openForge } from './api.ts';
import { type ChannelRow, openToken } from './channels.ts';
import { pollChannel } from './poll.ts';
import { settleAsk, type TakePorts } from './take.ts';
import { tellChannel } from './tell.ts';

/** Between two rounds while any repository is connected, in ms. */
const ROUND_MS = 15_000;
/** Between two looks at a repository that is polled, in ms. */
export const POLL_EVERY_MS = 60_000;

/** Goes between the connected repositories and their sessions: asks, does what waits, tells. */
export class GithubCourier extends DurableObject<Env> implements CourierCalls {
  async watch(): Promise<void> {
    if ((await this.ctx.storage.getAlarm()) === null)
      await this.ctx.storage.setAlarm(Date.now() + ROUND_MS);
  }

  override async alarm(): Promise<void> {
    // Set first: a round that fails, or dies, is followed by another one.
    await this.ctx.storage.setAlarm(Date.now() + ROUND_MS);
    const database = openDatabase(this.env.DB);
    const channels = await database.select().from(githubChannels);
    if (channels.length === 0) {
      await this.ctx.storage.deleteAlarm();
      return;
    }
    const ports = { env: this.env, database, nowMs: Date.now() };
    for (const channel of channels) await goRound(ports, channel);
  }
}

/** One round for one repository. What goes wrong is kept with it, and hinders no other. */
export async function goRound(ports: TakePorts, channel: ChannelRow): Promise<void> {
  const fault = await visit(ports, channel).then(
    () => null,
    (error: unknown) => {
      const { repository } = channel;
      log('warn', 'github.round', { repository, fault: describeFault(error) });
      return error instanceof Error ? error.message : String(error);
    },
  );
  if (fault === channel.fault) return;
  await ports.database
    .update(githubChannels)
    .set({ fault })
    .where(eq(githubChannels.channelId, channel.channelId));
}

async function visit(ports: TakePorts, channel: ChannelRow): Promise<void> {
  const { apiUrl, repository } = channel;
  const forge = openForge({ apiUrl, repository, token: await openToken(ports.env, channel) });
  const waiting = await ports.database
    .select()
    .from(githubAsks)
    .where(and(eq(githubAsks.channelId, channel.channelId), eq(githubAsks.verdict, 'waiting')))
    .orderBy(asc(githubAsks.at));
  for (const ask of waiting) await settleAsk(ports, channel, ask);
  if (channel.delivery === 'poll' && ports.nowMs - channel.polledAt >= POLL_EVERY_MS)
    await pollChannel(ports, channel, forge);
  await tellChannel(ports, channel, forge);
}
