import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import type { BrainProvider } from '../../protocol/brain-keys.ts';
import type { BrainKeyId } from '../../protocol/ids.ts';
import type { OwnPrice } from '../../protocol/own-price.ts';
import { owner } from './columns.ts';

/** Keys of model APIs, encrypted. A removed one is gone: nothing is worth keeping of it. */
export const brainKeys = sqliteTable(
  'brain_keys',
  {
    keyId: text('key_id').$type<BrainKeyId>().primaryKey(),
    ...owner,
    name: text('name').notNull(),
    provider: text('provider').$type<BrainProvider>().notNull(),
    baseUrl: text('base_url').notNull(),
    /** The key under the server's secret, bound to account, provider and address. */
    sealed: text('sealed').notNull(),
    createdAt: integer('created_at').notNull(),
    /** What its models cost, as a person says; null: their list prices. */
    price: text('price', { mode: 'json' }).$type<OwnPrice>(),
  },
  (table) => [index('brain_keys_by_account').on(table.accountId, table.keyId)],
);
