import { DurableObject } from 'cloudflare:workers';
import { eq } from 'drizzle-orm';
import pMap from 'p-map';
import { type AccountId, accountId } from '../../protocol/ids.ts';
import { isQuiet, type PushChoices, type PushMessage, pushMessage } from '../../protocol/push.ts';
import type { MadeWebhook, SetWebhookRequest, WebhookView } from '../../protocol/webhook.ts';
import { openDatabase } from '../db/client.ts';
import { pushDevices } from '../db/schema.ts';
import type { Env } from '../env.ts';
import type { BellCalls } from '../lib/calls.ts';
import { describeFault, log } from '../lib/logger.ts';
import { type Outcome, refuse, succeed } from '../lib/outcome.ts';
import { migrateStorage } from '../lib/storage-migrations.ts';
import { type DeviceRow, forgetEnded, listDevices, openDevice } from './devices.ts';
import { hasSecret, readServerKeys, type ServerKeys } from './keys.ts';
import { BELL_STEPS, PushQueue, type Waiting } from './queue.ts';
import { type Sent, sendMessage } from './send.ts';
import { type SlackPayload, slackPayloadOf, slackTestOf } from './slack.ts';
import { type OpenWebhook, outsideOf, type Posted, postWebhook, WebhookStore } from './webhook.ts';

/** Messages under way at once: as many connections as a Worker may have open. */
const AT_ONCE = 6;
/** Where the queue keeps what waits for the webhook: no browser has such an id. */
const WEBHOOK = 'webhook';

/** Tells the browsers of one account, and its webhook, what needs a person. */
export class PushBell extends DurableObject<Env> implements BellCalls {
  readonly #accountId: AccountId;
  readonly #queue: PushQueue;
  readonly #webhook: WebhookStore;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    this.#accountId = accountId.parse(ctx.id.name);
    migrateStorage(ctx.storage, BELL_STEPS);
    this.#queue = new PushQueue(ctx.storage.sql);
    this.#webhook = new WebhookStore(ctx.storage.sql, this.#accountId);
  }

  /** Takes messages for all who want them; a message that comes again is the same. */
  async ring(messages: readonly PushMessage[]): Promise<void> {
    const nowMs = Date.now();
    const database = openDatabase(this.env.DB);
    await forgetEnded(database, this.#accountId, nowMs);
    const devices = await listDevices(database, this.#accountId, nowMs);
    const webhook = this.#webhook.read();
    const told: { placeId: string; choices: PushChoices }[] = [
      ...devices.map(({ deviceId: placeId, choices }) => ({ placeId, choices })),
      ...(webhook ? [{ placeId: WEBHOOK, choices: webhook }] : []),
    ];
    const fresh = this.#queue.takeFresh(messages, nowMs);
    for (const { placeId, choices } of told.filter((each) => !isQuiet(each.choices.quiet, nowMs)))
      for (const message of fresh.filter(({ kind }) => choices.kinds.includes(kind)))
        this.#queue.add(placeId, message, nowMs);
    await this.#arm();
  }

  readWebhook(): Promise<WebhookView | null> {
    return Promise.resolve(this.#webhook.read());
  }

  /** Keeps an address in place of the one before. Its secret is in this answer and in no other. */
  async setWebhook(request: SetWebhookRequest, origin: string): Promise<Outcome<MadeWebhook>> {
    if (!hasSecret(this.env)) return refuse('push_unavailable');
    const secret = await this.#webhook.set(this.env, request, origin, Date.now());
    this.#queue.forget(WEBHOOK);
    const webhook = this.#webhook.read();
    return webhook ? succeed({ webhook, secret }) : refuse('webhook_not_found');
  }

  changeWebhook(choices: PushChoices): Promise<Outcome<WebhookView>> {
    this.#webhook.change(choices);
    const webhook = this.#webhook.read();
    return Promise.resolve(webhook ? succeed(webhook) : refuse('webhook_not_found'));
  }

  /** Sends something to see whether it arrives, once and now. */
  async testWebhook(): Promise<Outcome<WebhookView>> {
    if (!this.#webhook.read()) return refuse('webhook_not_found');
    const id = `test ${crypto.randomUUID()}`;
    this.#webhook.note(await this.#post(id, ({ origin }) => slackTestOf(origin)), Date.now());
    const webhook = this.#webhook.read();
    return webhook ? succeed(webhook) : refuse('webhook_not_found');
  }

  removeWebhook(): Promise<Outcome<null>> {
    if (!this.#webhook.read()) return Promise.resolve(refuse('webhook_not_found'));
    this.#webhook.remove();
    this.#queue.forget(WEBHOOK);
    return Promise.resolve(succeed(null));
  }

  override async alarm(): Promise<void> {
    const database = openDatabase(this.env.DB);
    const nowMs = Date.now();
    const devices = await listDevices(database, this.#accountId, nowMs);
    await pMap(
      this.#queue.listDue(nowMs),
      async (row) => {
        const device = devices.find(({ deviceId }) => deviceId === row.device_id);
        const sent = await this.#deliver(row, device);
        this.#queue.settle(row, sent.kind === 'later', Date.now());
      },
      { concurrency: AT_ONCE },
    );
    await this.#arm();
  }

  /** Sends what waits, and notes with whom it was for what came of it. */
  async #deliver(row: Waiting, device: DeviceRow | undefined): Promise<Sent> {
    const message = pushMessage.parse(JSON.parse(row.message));
    if (row.device_id === WEBHOOK) {
      const posted = await this.#post(message.tag, ({ origin }) => slackPayloadOf(message, origin));
      this.#webhook.note(posted, Date.now());
      return posted.sent;
    }
    if (!device) return { kind: 'gone' };
    const sent = await this.#send(device, message);
    await this.#note(device, sent);
    return sent;
  }

  async #post(id: string, say: (open: OpenWebhook) => SlackPayload): Promise<Posted> {
    try {
      const open = await this.#webhook.open(this.env);
      if (!open)
        return {
          sent: { kind: 'refused', fault: 'it was kept with another secret' },
          status: null,
        };
      const ports = { fetching: outsideOf(this.env), nowMs: Date.now() };
      return await postWebhook(open, id, say(open), ports);
    } catch (fault) {
      log('warn', 'push.post', { fault: describeFault(fault) });
      return { sent: { kind: 'refused', fault: 'it could not be told' }, status: null };
    }
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
    const due = this.#queue.nextAt();
    if (due !== null) await this.ctx.storage.setAlarm(due);
  }
}
