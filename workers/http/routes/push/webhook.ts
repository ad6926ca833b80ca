import { createRoute } from '@hono/zod-openapi';
import { accepted } from '../../../../protocol/http.ts';
import { pushChoices } from '../../../../protocol/push.ts';
import { madeWebhook, setWebhookRequest, webhookView } from '../../../../protocol/webhook.ts';
import { unwrap } from '../../../lib/outcome.ts';
import { bellOf } from '../../../lib/stubs.ts';
import type { App, AppContext } from '../../context.ts';
import { calledBy, ERROR_ANSWER, json, jsonBody, PERSON_AND_CLI } from '../../describe.ts';

const set = createRoute({
  ...calledBy('push.setWebhook', ...PERSON_AND_CLI),
  method: 'post',
  path: '/v1/push/webhook',
  summary: 'Tell a webhook, in the form of Slack, what needs a person; in place of the one before',
  request: { body: jsonBody(setWebhookRequest) },
  responses: {
    201: json(madeWebhook, 'The webhook, and the secret of its signatures, shown this once'),
    ...ERROR_ANSWER,
  },
});

const change = createRoute({
  ...calledBy('push.changeWebhook', ...PERSON_AND_CLI),
  method: 'post',
  path: '/v1/push/webhook/choices',
  summary: 'Choose what the webhook is told of, and in which hours it is left alone',
  request: { body: jsonBody(pushChoices) },
  responses: { 200: json(webhookView, 'The webhook as it is shown'), ...ERROR_ANSWER },
});

const test = createRoute({
  ...calledBy('push.testWebhook', ...PERSON_AND_CLI),
  method: 'post',
  path: '/v1/push/webhook/test',
  summary: 'Send the webhook a message now, to see whether it arrives',
  responses: { 200: json(webhookView, 'The webhook, with what it answered'), ...ERROR_ANSWER },
});

const remove = createRoute({
  ...calledBy('push.removeWebhook', ...PERSON_AND_CLI),
  method: 'post',
  path: '/v1/push/webhook/remove',
  summary: 'Tell the webhook nothing any more, and forget its address',
  responses: { 200: json(accepted, 'It is gone'), ...ERROR_ANSWER },
});

const bell = (context: AppContext) => bellOf(context.env, context.get('principal').accountId);

/** Where the caller has the console: a page says so itself, also behind a proxy that ends HTTPS. */
const originOf = ({ req }: AppContext): string => req.header('origin') ?? new URL(req.url).origin;

/** Throws `push_unavailable` where the server has nothing to keep it with. */
export function registerSetWebhook(app: App): void {
  app.openapi(set, async (context) => {
    const made = await bell(context).setWebhook(context.req.valid('json'), originOf(context));
    return context.json(unwrap(made), 201);
  });
}

/** Holds for the next message. Throws `webhook_not_found`. */
export function registerChangeWebhook(app: App): void {
  app.openapi(change, async (context) =>
    context.json(unwrap(await bell(context).changeWebhook(context.req.valid('json'))), 200),
  );
}

/** An answer that is no success stands in the webhook. Throws `webhook_not_found`. */
export function registerTestWebhook(app: App): void {
  app.openapi(test, async (context) =>
    context.json(unwrap(await bell(context).testWebhook()), 200),
  );
}

/** Throws `webhook_not_found`. */
export function registerRemoveWebhook(app: App): void {
  app.openapi(remove, async (context) => {
    unwrap(await bell(context).removeWebhook());
    return context.json({ accepted: true as const }, 200);
  });
}
