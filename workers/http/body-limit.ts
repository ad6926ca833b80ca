import { bodyLimit } from 'hono/body-limit';
import { createMiddleware } from 'hono/factory';
import { REPORT_MAX_BYTES, REPORTS_PATH } from '../../protocol/decisions.ts';
import { PilothouseError } from '../../protocol/errors.ts';
import type { AppTypes } from './context.ts';

/** Largest request body in bytes: an instruction of the longest kind, every character escaped. */
const BODY_MAX_BYTES = 2 * 1024 * 1024;

const usual = bodyLimit({
  maxSize: BODY_MAX_BYTES,
  onError: () => {
    throw new PilothouseError('payload_too_large', { maxBytes: BODY_MAX_BYTES });
  },
});

const ofReports = bodyLimit({
  maxSize: REPORT_MAX_BYTES,
  onError: () => {
    throw new PilothouseError('report_too_large', { maxBytes: REPORT_MAX_BYTES });
  },
});

/** Refuses a body that is too large, in the words of what was sent. */
export const limitBody = createMiddleware<AppTypes>((context, next) =>
  (context.req.path === REPORTS_PATH ? ofReports : usual)(context, next),
);
