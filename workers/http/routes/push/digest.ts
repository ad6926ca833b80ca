import { createRoute } from '@hono/zod-openapi';
import { digestView, saveDigestRequest } from '../../../../protocol/digest.ts';
import { bellOf } from '../../../lib/stubs.ts';
import type { App } from '../../context.ts';
import { calledBy, ERROR_ANSWER, json, jsonBody, PERSON_AND_CLI } from '../../describe.ts';

const save = createRoute({
  ...calledBy('push.saveDigest', ...PERSON_AND_CLI),
  method: 'post',
  path: '/v1/push/digest',
  summary: 'Choose when one message a day tells what happened, or that none does',
  request: { body: jsonBody(saveDigestRequest) },
  responses: { 200: json(saveDigestRequest, 'What is chosen'), ...ERROR_ANSWER },
});

const read = createRoute({
  ...calledBy('push.readDigest', ...PERSON_AND_CLI),
  method: 'get',
  path: '/v1/push/digest',
  summary: 'The last digest; what one would tell now, where none was made',
  responses: { 200: json(digestView, 'The digest, and when it comes'), ...ERROR_ANSWER },
});

/** A day that had a digest gets no other. */
export function registerSaveDigest(app: App): void {
  app.openapi(save, async (context) => {
    const { digest } = context.req.valid('json');
    await bellOf(context.env, context.get('principal').accountId).chooseDigest(digest);
    return context.json({ digest }, 200);
  });
}

export function registerReadDigest(app: App): void {
  app.openapi(read, async (context) =>
    context.json(await bellOf(context.env, context.get('principal').accountId).readDigest(), 200),
  );
}
