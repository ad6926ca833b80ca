import { sql } from 'drizzle-orm';
import {
  index,
  integer,
  primaryKey,
  sqliteTable,
  text,
  uniqueIndex,
} from 'drizzle-orm/sqlite-core';
import type { Association, GithubLaunch, GithubVerdict } from '../../protocol/github.ts';
import type { GithubChannelId, SessionId, TurnId } from '../../protocol/ids.ts';
import { owner } from './columns.ts';

const channel = { channelId: text('channel_id').$type<GithubChannelId>().notNull() };

/** Repositories whose issues start sessions. A removed one is gone, its secrets too. */
export const githubChannels = sqliteTable(
  'github_channels',
  {
    channelId: text('channel_id').$type<GithubChannelId>().primaryKey(),
    ...owner,
    repository: text('repository').notNull(),
    label: text('label').notNull(),
    associations: text('associations', { mode: 'json' }).$type<Association[]>().notNull(),
    delivery: text('delivery', { enum: ['webhook', 'poll'] }).notNull(),
    apiUrl: text('api_url').notNull(),
    launch: text('launch', { mode: 'json' }).$type<GithubLaunch>().notNull(),
    /** Both under the server's secret, bound to channel, repository and address. */
    sealedToken: text('sealed_token').notNull(),
    sealedSecret: text('sealed_secret'),
    polledAt: integer('polled_at').notNull(),
    fault: text('fault'),
    createdAt: integer('created_at').notNull(),
  },
  (table) => [uniqueIndex('github_channels_once').on(table.accountId, table.repository)],
);

/** What was asked on GitHub, kept before anything is done about it. */
export const githubAsks = sqliteTable(
  'github_asks',
  {
    ...channel,
    /** The issue or comment itself: however often and by whichever way it comes, it is one. */
    sourceKey: text('source_key').notNull(),
    ...owner,
    /** GitHub's own id of the delivery; null where it was polled. */
    deliveryId: text('delivery_id'),
    issue: integer('issue').notNull(),
    /** What the session is told, fenced. */
    instruction: text('instruction').notNull(),
    kind: text('kind', { enum: ['start', 'steer'] }).notNull(),
    turnId: text('turn_id').$type<TurnId>().notNull(),
    verdict: text('verdict').$type<GithubVerdict['verdict']>().notNull(),
    reason: text('reason').notNull(),
    sessionId: text('session_id').$type<SessionId>(),
    at: integer('at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.channelId, table.sourceKey] }),
    uniqueIndex('github_asks_by_delivery')
      .on(table.channelId, table.deliveryId)
      .where(sql`${table.deliveryId} IS NOT NULL`),
    index('github_asks_by_issue').on(table.channelId, table.issue, table.at),
    index('github_asks_waiting')
      .on(table.at)
      .where(sql`${table.verdict} = 'waiting'`),
  ],
);

/** What was told on GitHub, begun before it is sent so that it is not told twice. */
export const githubComments = sqliteTable(
  'github_comments',
  {
    ...channel,
    /** The turn that is told of, and whether it is over or waits for somebody. */
    tellKey: text('tell_key').notNull(),
    ...owner,
    issue: integer('issue').notNull(),
    sessionId: text('session_id').$type<SessionId>().notNull(),
    /** Null until GitHub said that it is there. */
    commentId: integer('comment_id'),
    at: integer('at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.channelId, table.tellKey] }),
    index('github_comments_by_id').on(table.channelId, table.commentId),
  ],
);
