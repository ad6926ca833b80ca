import { z } from 'zod';
import { digestChoice } from './digest.ts';
import { pushDevice } from './push.ts';
import { webhookView } from './webhook.ts';

/** Who is told what needs a person. */
export const pushView = z.object({
  /** The server’s own key, as a browser needs it to subscribe. */
  publicKey: z.string(),
  devices: z.array(pushDevice),
  /** Null where none is told. */
  webhook: webhookView.nullable(),
  /** When the digest comes; null where none does. */
  digest: digestChoice.nullable(),
});
export type PushView = z.infer<typeof pushView>;
