import { Webhook } from 'standardwebhooks';
import { z } from 'zod';
import { type SetWebhookRequest, isWebhookUrl, type WebhookView } from '../../protocol/webhook.ts';
import type { AccountId } from '../../protocol/ids.ts';
import { chosenNow, keptChoices, type PushChoices, withLater } from '../../protocol/push.ts';
import type { Env } from '../env.ts';
import { openText, sealText } from '../lib/secret-box.ts';
import { secretOf } from './keys.ts';
import type { Sent } from './send.ts';
import type { SlackPayload } from './slack.ts';

/** A webhook that is open: where it is, the secret that signs, and where the console was. */
const openWebhook = z.object({ url: z.string(), secret: z.string(), origin: z.string() });
export type OpenWebhook = z.infer<typeof openWebhook>;

type WebhookRow = {
  host: string;
  sealed: string;
  choices: string;
  created_at: number;
  last_at: number | null;
  status: number | null;
  fault: string | null;
};

const TIMEOUT_MS = 10_000;
/** Bytes of a secret, as Standard Webhooks asks: between 24 and 64. */
const SECRET_BYTES = 32;

/** What came of a message: as of one to a browser, and with the status of the answer. */
export type Posted = { sent: Sent; status: number | null };

/** The webhook of an account, kept in its bell: the address and the secret under the server's own. */
export class WebhookStore {
  readonly #sql: SqlStorage;
  readonly #accountId: AccountId;

  constructor(sql: SqlStorage, accountId: AccountId) {
    this.#sql = sql;
    this.#accountId = accountId;
  }

  #row(): WebhookRow | null {
    return this.#sql.exec<WebhookRow>('SELECT * FROM webhook').toArray()[0] ?? null;
  }

  /** As it is shown; null where there is none. */
  read(): WebhookView | null {
    const row = this.#row();
    if (!row) return null;
    const { host, choices, created_at: createdAt, last_at: lastAt, status, fault } = row;
    const kept = keptChoices.parse(JSON.parse(choices));
    const told = { ...withLater(kept), quiet: kept.quiet };
    return { host, ...told, createdAt, lastAt, status, fault };
  }

  /** Keeps another webhook in place of the one before, and answers its new secret. */
  async set(
    env: Pick<Env, 'BRAIN_KEYS_SECRET'>,
    { url, kinds, quiet }: SetWebhookRequest,
    origin: string,
    nowMs: number,
  ): Promise<string> {
    const { host } = new URL(url);
    const secret = `whsec_${btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(SECRET_BYTES))))}`;
    const open: OpenWebhook = { url, secret, origin };
    const sealed = await sealText(secretOf(env), this.#place(host), JSON.stringify(open));
    this.#sql.exec(
      'INSERT OR REPLACE INTO webhook (one, host, sealed, choices, created_at) VALUES (1, ?, ?, ?, ?)',
      host,
      sealed,
      JSON.stringify(chosenNow({ kinds, quiet })),
      nowMs,
    );
    return secret;
  }

  /** What it takes to send; null where there is none, or it was kept with another secret. */
  async open(env: Pick<Env, 'BRAIN_KEYS_SECRET'>): Promise<OpenWebhook | null> {
    const row = this.#row();
    const text = row && (await openText(secretOf(env), this.#place(row.host), row.sealed));
    return text === null ? null : openWebhook.parse(JSON.parse(text));
  }

  change(choices: PushChoices): void {
    this.#sql.exec('UPDATE webhook SET choices = ?', JSON.stringify(chosenNow(choices)));
  }

  remove(): void {
    this.#sql.exec('DELETE FROM webhook');
  }

  /**
   * Notes what came of a message with the webhook that it went to. Another may be kept before the
   * answer is there, in the same millisecond too; no two of them are sealed alike.
   */
  async noting(post: () => Promise<Posted>, now: () => number): Promise<Posted> {
    const of = this.#row()?.sealed ?? '';
    const posted = await post();
    const { sent, status } = posted;
    const isFault = 'fault' in sent;
    this.#sql.exec(
      'UPDATE webhook SET status = ?, fault = ?, last_at = coalesce(?, last_at) WHERE sealed = ?',
      status,
      isFault ? sent.fault : null,
      isFault ? null : now(),
      of,
    );
    return posted;
  }

  readonly #place = (host: string) => `webhook ${this.#accountId} ${host}`;
}

/**
 * Posts a message, signed as Standard Webhooks has it: HMAC-SHA256 over id, time and body. Who
 * receives it twice knows by the id. No answer to another address is followed.
 */
export async function postWebhook(
  { url, secret }: OpenWebhook,
  id: string,
  payload: SlackPayload,
  { fetching, nowMs }: { fetching: typeof fetch; nowMs: number },
): Promise<Posted> {
  if (!isWebhookUrl(url))
    return { sent: { kind: 'refused', fault: 'its address is not a public one' }, status: null };
  const body = JSON.stringify(payload);
  const at = new Date(nowMs);
  try {
    const { status } = await fetching(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'webhook-id': id,
        'webhook-timestamp': String(Math.floor(nowMs / 1_000)),
        'webhook-signature': new Webhook(secret).sign(id, at, body),
      },
      body,
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    return { sent: postedAs(status), status };
  } catch {
    const fault = 'it did not answer, or its name leads to no public address';
    return { sent: { kind: 'later', fault }, status: null };
  }
}

/** What an answer means. A webhook that is gone stays until its person takes it off. Pure. */
export function postedAs(status: number): Sent {
  if (status >= 200 && status < 300) return { kind: 'sent' };
  const fault = `it answered ${status}`;
  return { kind: status === 429 || status >= 500 ? 'later' : 'refused', fault };
}

/**
 * What fetches from the public internet alone, whatever a name resolves to. A host on somebody's own
 * machine binds it; on Cloudflare a Worker reaches no other network.
 */
export const outsideOf = ({ OUTSIDE }: Pick<Env, 'OUTSIDE'>): typeof fetch =>
  OUTSIDE ? (input, init) => OUTSIDE.fetch(input, init) : fetch;
