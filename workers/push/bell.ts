import { DurableObject } from 'cloudflare:workers';
import { eq } from 'drizzle-orm';
import { type AccountId, accountId } from '../../protocol/ids.ts';
import { isQuiet, type PushMessage, pushMessage } from '../../protocol/push.ts';
import { openDatabase } from '../db/client.ts';
import { pushDevices } from '../db/schema.ts';
import type { Env } from '../env.ts';
import type { BellCalls } from '../lib/calls.ts';
import { describeFault, log } from '../lib/logger.ts';
import { migrateStorage } from '../lib/storage-migrations.ts';
import { type DeviceRow, listDevices, openDevice } from './devices.ts';
import { readServerKeys, type ServerKeys } from './keys.ts';
import { type Sent, sendMessage } from './send.ts';

const STEPS = [
  `
  CREATE TABLE queue (
    tag TEXT NOT NULL,
    device_id TEXT NOT NULL,
    message TEXT NOT NULL,
    attempts INTEGER NOT NULL,
    next_at INTEGER NOT NULL,
    PRIMARY KEY (tag, device_id)
  );
  `,
];

/** Times that a message is tried; the last one comes about a quarter of an hour after the first. */
const ATTEMPTS = 6;
const FIRST_RETRY_MS = 15_000;
/** Messages that wait at once; the oldest go first. Nobody reads a thousand of them. */
const QUEUE_MAX = 500;

type QueueRow = { tag: string; device_id: string; message: string; attempts: number };

/** Tells the browsers of one account what needs a person, whether or not a page is open. */
export class PushBell extends DurableObject<Env> implements BellCalls {
  readonly #accountId: AccountId;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    this.#accountId = accountId.parse(ctx.id.name);
    migrateStorage(ctx.storage, STEPS);
  }

  /** Takes messages for every browser that wants them; a message that comes again is the same. */
  async ring(messages: readonly PushMessage[]): Promise<void> {
    const nowMs = Date.now();
    const devices = await listDevices(openDatabase(this.env.DB), this.#accountId, nowMs);
    const { sql } = this.ctx.storage;
    for (const { deviceId, choices } of devices) {
      if (isQuiet(choices.quiet, nowMs)) continue;
      for (const message of messages.filter(({ kind }) => choices.kinds.includes(kind)))
        sql.exec(
          'INSERT OR IGNORE INTO queue (tag, device_id, message, attempts, next_at) VALUES (?, ?, ?, 0, ?)',
          message.tag,
          deviceId,
          JSON.stringify(message),
          nowMs,
        );
    }
    sql.exec(
      'DELETE FROM queue WHERE rowid NOT IN (SELECT rowid FROM queue ORDER BY rowid DESC LIMIT ?)',
      QUEUE_MAX,
    );
    await this.#arm();
  }

  override async alarm(): Promise<void> {
    const database = openDatabase(this.env.DB);
    const nowMs = Date.now();
    const due = this.ctx.storage.sql
      .exec<QueueRow>('SELECT * FROM queue WHERE next_at <= ? ORDER BY rowid', nowMs)
      .toArray();
    const devices = await listDevices(database, this.#accountId, nowMs);
    for (const row of due) {
      const device = devices.find(({ deviceId }) => deviceId === row.device_id);
      const sent = device
        ? await this.#send(device, pushMessage.parse(JSON.parse(row.message)))
        : ({ kind: 'gone' } as const);
      this.#settle(row, sent);
      if (device) await this.#note(device, sent);
    }
    await this.#arm();
  }

  async #send(device: DeviceRow, message: PushMessage): Promise<Sent> {
    try {
      const database = openDatabase(this.env.DB);
      const keys: ServerKeys = await readServerKeys(this.env, database, device, Date.now());
      const subscription = await openDevice(this.env, device);
      if (!subscription) return { kind: 'refused', fault: 'it was kept with another secret' };
      return await sendMessage(subscription, keys, message);
    } catch (fault) {
      log('warn', 'push.send', { deviceId: device.deviceId, fault: describeFault(fault) });
      return { kind: 'refused', fault: 'it could not be told' };
    }
  }

  #settle({ tag, device_id: id, attempts }: QueueRow, { kind }: Sent): void {
    const { sql } = this.ctx.storage;
    if (kind === 'later' && attempts + 1 < ATTEMPTS)
      sql.exec(
        'UPDATE queue SET attempts = ?, next_at = ? WHERE tag = ? AND device_id = ?',
        attempts + 1,
        Date.now() + FIRST_RETRY_MS * 2 ** attempts,
        tag,
        id,
      );
    else sql.exec('DELETE FROM queue WHERE tag = ? AND device_id = ?', tag, id);
  }

  async #note({ deviceId }: DeviceRow, sent: Sent): Promise<void> {
    const database = openDatabase(this.env.DB);
    const mine = eq(pushDevices.deviceId, deviceId);
    if (sent.kind === 'gone') await database.delete(pushDevices).where(mine);
    else
      await database
        .update(pushDevices)
        .set('fault' in sent ? { fault: sent.fault } : { lastAt: Date.now(), fault: null })
        .where(mine);
  }

  async #arm(): Promise<void> {
    const row = this.ctx.storage.sql
      .exec<{ due: number | null }>('SELECT MIN(next_at) AS due FROM queue')
      .toArray()[0];
    const due = row?.due ?? null;
    if (due !== null) await this.ctx.storage.setAlarm(due);
  }
}
