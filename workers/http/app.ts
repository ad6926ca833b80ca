import { OpenAPIHono } from '@hono/zod-openapi';
import { PilothouseError } from '../../protocol/errors.ts';
import { limitBody } from './body-limit.ts';
import type { App, AppTypes } from './context.ts';
import { onError, onNotFound } from './on-error.ts';
import { guardOrigin } from './origin.ts';
import { requestLog } from './request-log.ts';
import { registerRoutes } from './routes.ts';
import { securityHeaders } from './security-headers.ts';

/** The Worker's HTTP side: what every request passes, then the operations, then the console's files. */
export function createApp(): App {
  const app: App = new OpenAPIHono<AppTypes>({
    defaultHook: (result) => {
      if (result.success) return;
      const issue = result.error.issues[0];
      const field = issue?.path.join('.') ?? '';
      throw new PilothouseError('bad_request', {
        field,
        detail: `${field || result.target}: ${issue?.message ?? 'malformed'}`,
      });
    },
  });
  app.use(requestLog);
  app.use(securityHeaders);
  app.use(guardOrigin);
  app.use(limitBody);
  app.onError(onError);
  app.notFound(onNotFound);
  registerRoutes(app);
  return app;
}
