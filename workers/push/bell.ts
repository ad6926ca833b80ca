import { DurableObject } from 'cloudflare:workers';
import { eq } from 'drizzle-orm';
import pMap from 'p-map';
import { type AccountId, accountId } from '../../protocol/ids.ts';
import { type DigestChoice, type DigestView, hasNews, sayDigest } from '../../protocol/digest.ts';
import {
  isQuiet,
  type PushChoices,
  type PushMessage,
  pushMessage,
  withLater,
  withoutDetails,
} from '../../protocol/push.ts';
import type { MadeWebhook, SetWebhookRequest, WebhookView } from '../../protocol/webhook.ts';
import { openDatabase } from '../db/client.ts';
import { pushDevices } from '../db/schema.ts';
import type { Env } from '../env.ts';
import type { BellCalls } from '../lib/calls.ts';
import { describeFault, log } from '../lib/logger.ts';
import { type Outcome, refuse, succeed } from '../lib/outcome.ts';
import { migrateStorage } from '../lib/storage-migrations.ts';
import { type DeviceRow, forgetEnded, listDevices, openDevice } from './devices.ts';
import { readDigest } from './digest-read.ts';
import { DigestStore } from './digest-store.ts';
import { hasSecret, readServerKeys, type ServerKeys } from './keys.ts';
import { BELL_STEPS, PushQueue, type Waiting } from './queue.ts';
import { type Sent, sendMessage } from './send.ts';
import { type SlackPayload, slackPayloadOf, slackTestOf } from './slack.ts';
import { type OpenWebhook, outsideOf, type Posted, postWebhook, WebhookStore } from './webhook.ts';

/** Messages under way at once: as many connections as a Worker may have open. */
const AT_ONCE = 6;
/** Where the queue keeps what waits for the webhook: no browser has such an id. */
const WEBHOOK = 'webhook';

const isPost = (row: Waiting): boolean => row.device_id === WEBHOOK;

/** One who is told, what of, and whether they show what it is about. */
type Told = { placeId: string; choices: PushChoices; details: boolean };

/** Tells the browsers of one account, and its webhook, what needs a person. */
export class PushBell extends DurableObject<Env> implements BellCalls {
  readonly #accountId: AccountId;
  readonly #queue: PushQueue;
  readonly #webhook: WebhookStore;
  readonly #digest: DigestStore;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    this.#accountId = accountId.parse(ctx.id.name);
    migrateStorage(ctx.storage, BELL_STEPS);
    this.#queue = new PushQueue(ctx.storage.sql);
    this.#webhook = new WebhookStore(ctx.storage.sql, this.#accountId);
    this.#digest = new DigestStore(ctx.storage.sql);
  }

  /** Takes messages for all who want them; a message that comes again is the same. */
  async ring(messages: readonly PushMessage[]): Promise<void> {
    this.#take(await this.#listTold(), messages);
    await this.#arm();
  }

  /** Browsers whose sign-in lasts, and what each shows. */
  async #listTold(): Promise<Told[]> {
    const nowMs = Date.now();
    const database = openDatabase(this.env.DB);
    const devices = await forgetEnded(database, this.#accountId, nowMs)
      .then(() => listDevices(database, this.#accountId, nowMs))
      .catch((fault: unknown) => {
        // The webhook is told all the same.
        log('warn', 'push.devices', { fault: describeFault(fault) });
        return [];
      });
    return devices.map(({ deviceId: placeId, choices }) => ({
      placeId,
      choices: { ...choices, ...withLater(choices) },
      // Kept from before there was a choice, it says nothing of it.
      details: choices.details === true,
    }));
  }

  /** Lets messages wait for those who want them. In one breath: all of it is kept, or nothing. */
  #take(browsers: readonly Told[], messages: readonly PushMessage[]): void {
    const nowMs = Date.now();
    const webhook = this.#webhook.read();
    const told = webhook
      ? [...browsers, { placeId: WEBHOOK, choices: webhook, details: false }]
      : browsers;
    const fresh = this.#queue.takeFresh(messages, nowMs);
    for (const { placeId, choices, details } of told.filter(
      (each) => !isQuiet(each.choices.quiet, nowMs),
    ))
      for (const message of fresh.filter(({ kind }) => choices.kinds.includes(kind))) {
        // A digest has counts and figures alone, which name nothing in a chat.
        const shown =
          details || (placeId === WEBHOOK && message.kind === 'digest')
            ? message
            : withoutDetails(message);
        this.#queue.add(placeId, shown, nowMs);
      }
  }

  readDigestChoice(): Promise<DigestChoice | null> {
    return Promise.resolve(this.#digest.readChoice());
  }

  async chooseDigest(choice: DigestChoice | null): Promise<void> {
    this.#digest.choose(choice, Date.now());
    await this.#arm();
  }

  /** The last digest; where none was made, what one would tell now. */
  async readDigest(): Promise<DigestView> {
    const choice = this.#digest.readChoice();
    const range = this.#digest.rangeAt(Date.now());
    const last = choice === null ? null : this.#digest.readLast();
    const digest = last ?? (await readDigest(openDatabase(this.env.DB), this.#accountId, range));
    return { digest, choice };
  }

  /** Makes the digest that is due. What it tells, and that it was told, is kept at once. */
  async #makeDigest(): Promise<void> {
    const nowMs = Date.now();
    const due = this.#digest.dueAt();
    if (due === null || due > nowMs) return;
    try {
      const range = this.#digest.rangeAt(nowMs);
      const digest = await readDigest(openDatabase(this.env.DB), this.#accountId, range);
      const told = await this.#listTold();
      // It may have been turned off, or moved, while the ledgers were read.
      const choice = this.#digest.readChoice();
      if (choice === null || (this.#digest.dueAt() ?? Infinity) > nowMs) return;
      const day = this.#digest.keep(digest, choice);
      const tag = `digest ${day}`;
      if (hasNews(digest))
        this.#take(told, [{ kind: 'digest', sessionId: null, tag, says: sayDigest(digest) }]);
    } catch (fault) {
      log('warn', 'push.digest', { fault: describeFault(fault) });
      this.#digest.postpone(nowMs);
    }
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
    const post = () => this.#post(id, ({ origin }) => slackTestOf(origin));
    await this.#webhook.noting(post, Date.now);
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
    try {
      await this.#makeDigest();
      await this.#sendDue();
    } finally {
      await this.#arm();
    }
  }

  async #sendDue(): Promise<void> {
    const nowMs = Date.now();
    const devices = await listDevices(openDatabase(this.env.DB), this.#accountId, nowMs);
    const due = this.#queue.listDue(nowMs);
    // A webhook that does not answer keeps no browser waiting.
    const [posts, pushes] = [due.filter(isPost), due.filter((row) => !isPost(row))];
    for (const rows of [pushes, posts])
      await pMap(
        rows,
        async (row) => {
          const device = devices.find(({ deviceId }) => deviceId === row.device_id);
          const sent = await this.#deliver(row, device);
          this.#queue.settle(row, sent.kind === 'later', Date.now());
        },
        { concurrency: AT_ONCE },
      );
  }

  /** Sends what waits, and notes with whom it was for what came of it. */
  async #deliver(row: Waiting, device: DeviceRow | undefined): Promise<Sent> {
    const message = pushMessage.parse(JSON.parse(row.message));
    if (row.device_id === WEBHOOK) {
      const post = () => this.#post(message.tag, ({ origin }) => slackPayloadOf(message, origin));
      return (await this.#webhook.noting(post, Date.now)).sent;
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
    const times = [this.#queue.nextAt(), this.#digest.dueAt()].filter((at) => at !== null);
    if (times.length > 0) await this.ctx.storage.setAlarm(Math.min(...times));
  }
}
