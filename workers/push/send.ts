import { buildPushPayload } from '@block65/webcrypto-web-push';
import { isPushEndpoint, type PushMessage } from '../../protocol/push.ts';
import type { Subscription } from './devices.ts';
import type { ServerKeys } from './keys.ts';

/** What became of a message: `gone` is a browser that takes none any more, `later` may be tried again. */
export type Sent = { kind: 'sent' | 'gone' } | { kind: 'later' | 'refused'; fault: string };

/** How long a push service keeps a message for a browser that is away, in seconds. */
const KEPT_SECONDS = 12 * 60 * 60;
const TIMEOUT_MS = 10_000;
/** Who to ask about these messages (RFC 8292): no address of a person leaves with them. */
const SUBJECT = 'https://github.com/pilothouse/pilothouse';

/**
 * Hands a message to a browser's push service, encrypted for that browser alone. It goes to push
 * services that browsers have and nowhere else, and follows no answer to another address.
 */
export async function sendMessage(
  subscription: Subscription,
  keys: ServerKeys,
  message: PushMessage,
  fetching: typeof fetch = fetch,
): Promise<Sent> {
  if (!isPushEndpoint(subscription.endpoint))
    return { kind: 'refused', fault: 'its address is not one of a push service' };
  const request = await buildPushPayload(
    {
      data: jsonOf(message),
      options: { ttl: KEPT_SECONDS, urgency: message.kind === 'finished' ? 'normal' : 'high' },
    },
    { ...subscription, expirationTime: null },
    { subject: SUBJECT, ...keys },
  );
  try {
    const { status } = await fetching(subscription.endpoint, {
      ...request,
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    return standingOf(status);
  } catch {
    return { kind: 'later', fault: 'its push service did not answer' };
  }
}

/** What an answer of a push service means (RFC 8030). Pure. */
export function standingOf(status: number): Sent {
  if (status >= 200 && status < 300) return { kind: 'sent' };
  if (status === 404 || status === 410) return { kind: 'gone' };
  const fault = `its push service answered ${status}`;
  return { kind: status === 429 || status >= 500 ? 'later' : 'refused', fault };
}

/** A message without what is not in it. */
function jsonOf({ kind, sessionId, tag, instanceId, asks, says }: PushMessage) {
  return {
    kind,
    sessionId,
    tag,
    ...(instanceId !== undefined && { instanceId }),
    ...(asks !== undefined && { asks }),
    ...(says !== undefined && { says }),
  };
}
