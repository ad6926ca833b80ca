import { verify } from '@octokit/webhooks-methods';
import { PilothouseError } from '../../protocol/errors.ts';
import type { GithubVerdict } from '../../protocol/github.ts';
import type { GithubChannelId } from '../../protocol/ids.ts';
import { openWebhookSecret, readChannel } from './channels.ts';
import { parseDelivery } from './event.ts';
import { takeEvent, type TakePorts } from './take.ts';

/** A delivery as it came: nothing of it is trusted yet. */
export type Delivery = {
  body: string;
  signature: string;
  /** Neither is signed: the one names the form of the body, the other only helps to find it. */
  name: string;
  deliveryId: string | null;
};

const DELIVERY_ID_MAX_CHARS = 100;

/**
 * Takes a delivery whose signature is right. Throws `github_webhook_refused` for any other, and the
 * same where no such repository is connected: a stranger learns nothing.
 */
export async function takeDelivery(
  ports: TakePorts,
  channelId: GithubChannelId,
  { body, signature, name, deliveryId }: Delivery,
): Promise<GithubVerdict> {
  const channel = await readChannel(ports.database, channelId);
  const secret = channel && (await openWebhookSecret(ports.env, channel));
  const signed = /^sha256=[0-9a-f]{64}$/.test(signature);
  if (!channel || !secret || !signed || !(await verify(secret, body, signature)))
    throw new PilothouseError('github_webhook_refused');
  const event = parseDelivery(name, parseJson(body), ports.nowMs);
  return takeEvent(ports, channel, event, deliveryId?.slice(0, DELIVERY_ID_MAX_CHARS) ?? null);
}

function parseJson(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    throw new PilothouseError('bad_request', {
      detail: 'the body is not JSON: choose application/json for the webhook on GitHub',
    });
  }
}
