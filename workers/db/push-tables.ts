import {
  index,
  integer,
  primaryKey,
  sqliteTable,
  text,
  uniqueIndex,
} from 'drizzle-orm/sqlite-core';
import type { PushDeviceId } from '../../protocol/ids.ts';
import type { DeviceChoices, KeptChoices } from '../../protocol/push.ts';
import { owner } from './columns.ts';

/** The server's own key of each account, by which a push service knows who sends. */
export const pushKeys = sqliteTable(
  'push_keys',
  {
    ...owner,
    publicKey: text('public_key').notNull(),
    /** The private part under the server's secret, bound to the account and the public part. */
    sealed: text('sealed').notNull(),
    createdAt: integer('created_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.accountId] })],
);

/** Browsers that are told while no page is open. One that is taken off is gone. */
export const pushDevices = sqliteTable(
  'push_devices',
  {
    deviceId: text('device_id').$type<PushDeviceId>().primaryKey(),
    ...owner,
    /** The sign-in that it belongs to: nothing is sent once that has ended. */
    tokenHash: text('token_hash').notNull(),
    /** SHA-256 of its address, so that the same browser is one row without opening any. */
    endpointSha256: text('endpoint_sha256').notNull(),
    /** Address and keys of the subscription under the server's secret, bound to the row. */
    sealed: text('sealed').notNull(),
    name: text('name').notNull(),
    choices: text('choices', { mode: 'json' })
      .$type<KeptChoices & Partial<DeviceChoices>>()
      .notNull(),
    createdAt: integer('created_at').notNull(),
    lastAt: integer('last_at'),
    fault: text('fault'),
  },
  (table) => [
    uniqueIndex('push_devices_by_endpoint').on(table.accountId, table.endpointSha256),
    index('push_devices_by_account').on(table.accountId, table.deviceId),
  ],
);
