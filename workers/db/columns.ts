import { integer, text } from 'drizzle-orm/sqlite-core';
import type { AccountId, ActorId, InstanceId, SessionId } from '../../protocol/ids.ts';

/** Every row says whose it is and who caused it, so that accounts need no second migration. */
export const owner = {
  accountId: text('account_id').$type<AccountId>().notNull(),
  actorId: text('actor_id').$type<ActorId>().notNull(),
};
export const flag = (name: string) => integer(name, { mode: 'boolean' });

/** Where a ledger's row comes from. */
export const source = {
  sessionId: text('session_id').$type<SessionId>().notNull(),
  /** The position in the session's feed that the row comes from; the content lives there. */
  position: integer('position').notNull(),
  at: integer('at').notNull(),
};

/** Whose row it is: a session's, or an operator's by its instance. */
export const ofSessionOrInstance = text('session_id').$type<SessionId | InstanceId>().notNull();
