import { createRoute } from '@hono/zod-openapi';
import { health } from '../../../protocol/http.ts';
import type { App } from '../context.ts';
import { calledBy, ERROR_ANSWER, json } from '../describe.ts';

const route = createRoute({
  ...calledBy('health.read'),
  method: 'get',
  path: '/v1/health',
  summary: 'Whether the Worker runs, and which version',
  responses: { 200: json(health, 'It runs'), ...ERROR_ANSWER },
});

/**
 * Tells a waiting host that it may go on. Asks no database, so it answers whatever else is wrong.
 */
export function registerHealth(app: App): void {
  app.openapi(route, (context) =>
    context.json({ ok: true as const, version: context.env.VERSION }, 200),
  );
}
