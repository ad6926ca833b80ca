import { z } from 'zod';
import { addedKinds, pushChoices } from './push.ts';

/** Names that mean this machine, or one of a network of one's own (RFC 6761, RFC 6762, RFC 8375). */
const PRIVATE_NAME = /(^|\.)(localhost|local|internal|intranet|private|lan|home|corp|home\.arpa)$/;
/**
 * An https address at its own port, by a name of at least two labels whose last one no number is:
 * no address of digits, in whatever form a browser would read it, and no name or password in it.
 */
const PUBLIC_URL =
  /^https:\/\/((?:[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?\.)+(?:[a-z]{2,}|xn--[a-z0-9-]+))(?:[/?][\x21\x22\x24-\x5b\x5d-\x7e]*)?$/i;

/** The host to which messages may be sent; null where none may. */
export function webhookHost(text: string): string | null {
  const host = PUBLIC_URL.exec(text)?.[1]?.toLowerCase();
  return host === undefined || PRIVATE_NAME.test(host) ? null : host;
}

/**
 * Whether messages may be sent there, as far as its name says. What that resolves to is looked at
 * when something is sent.
 */
export const isWebhookUrl = (text: string): boolean => webhookHost(text) !== null;

/** Where one is told: the address as Slack, Mattermost or a program of one's own gives it. */
export const setWebhookRequest = z.object({
  url: z
    .string()
    .trim()
    .max(1_000)
    .refine(isWebhookUrl, 'give an https:// address on the public internet, at its own port'),
  ...pushChoices.shape,
});
export type SetWebhookRequest = z.infer<typeof setWebhookRequest>;

/** The webhook as it is shown. Its path is often a password, so it is shown to nobody. */
export const webhookView = z.object({
  host: z.string(),
  ...pushChoices.shape,
  added: addedKinds,
  createdAt: z.int(),
  /** When it last took a message, Unix ms. */
  lastAt: z.int().nullable(),
  /** The HTTP status of its last answer; null where it gave none. */
  status: z.int().nullable(),
  /** Why the last message was not taken; null while all is well. */
  fault: z.string().nullable(),
});
export type WebhookView = z.infer<typeof webhookView>;

/** A webhook that was just set, with the secret that signs its messages: it is shown this once. */
export const madeWebhook = z.object({ webhook: webhookView, secret: z.string() });
export type MadeWebhook = z.infer<typeof madeWebhook>;
