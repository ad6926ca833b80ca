import { createRoute, z } from '@hono/zod-openapi';
import type { JSONValue } from 'hono/utils/types';
import type { App } from '../context.ts';
import { calledBy, ERROR_ANSWER, PERSON_AND_CLI } from '../describe.ts';
import { describeApi } from '../openapi-document.ts';

const route = createRoute({
  ...calledBy('api.readOpenapi', ...PERSON_AND_CLI),
  method: 'get',
  path: '/v1/openapi.json',
  summary: 'This API as an OpenAPI document',
  responses: {
    200: {
      description: 'The document',
      content: { 'application/json': { schema: z.record(z.string(), z.unknown()) } },
    },
    ...ERROR_ANSWER,
  },
});

/** Described anew from the routes themselves, so that it cannot drift from them. */
export function registerOpenapi(app: App): void {
  app.openapi(route, (context) => {
    const document = JSON.parse(JSON.stringify(describeApi(app, context.env.VERSION))) as Record<
      string,
      JSONValue
    >;
    return context.json(document, 200);
  });
}
