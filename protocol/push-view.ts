import { z } from 'zod';
import { pushDevice } from './push.ts';
import { webhookView } from './webhook.ts';

/** Who is told what needs a person. */
export const pushView = z.object({
  /** The server’s own key, as a browser needs it to subscribe. */
  publicKey: z.string(),
  devices: z.array(pushDevice),
  /** Null where none is told. */
  webhook: webhookView.nullable(),
});
export type PushView = z.infer<typeof pushView>;
