import { createRoute, z } from '@hono/zod-openapi';
import type { App } from '../context.ts';
import { calledBy, ERROR_ANSWER, PERSON_AND_CLI } from '../describe.ts';
import { describeApi } from '../openapi-document.ts';
import { renderReference } from '../reference-page.ts';

const route = createRoute({
  ...calledBy('api.readReference', ...PERSON_AND_CLI),
  method: 'get',
  path: '/v1/reference',
  summary: 'This API as a page to read',
  responses: {
    200: { description: 'The page', content: { 'text/html': { schema: z.string() } } },
    ...ERROR_ANSWER,
  },
});

/** The document of the API as a page without any script. */
export function registerReference(app: App): void {
  app.openapi(route, (context) =>
    context.html(renderReference(describeApi(app, context.env.VERSION)), 200),
  );
}
