import { OpenAPIHono } from '@hono/zod-openapi';
import { bodyLimit } from 'hono/body-limit';
import { PilothouseError } from '../../protocol/errors.ts';
import type { App, AppTypes } from './context.ts';
import { onError, onNotFound } from './on-error.ts';
import { guardOrigin } from './origin.ts';
import { requestLog } from './request-log.ts';
import { registerRoutes } from './routes.ts';
import { securityHeaders } from './security-headers.ts';

/** Largest request body in bytes: an instruction of the longest kind, every character escaped. */
const BODY_MAX_BYTES = 2 * 1024 * 1024;

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
  app.use(
    bodyLimit({
      maxSize: BODY_MAX_BYTES,
      onError: () => {
        throw new PilothouseError('payload_too_large', { maxBytes: BODY_MAX_BYTES });
      },
    }),
  );
  app.onError(onError);
  app.notFound(onNotFound);
  registerRoutes(app);
  return app;
}
