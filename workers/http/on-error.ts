import { HTTPException } from 'hono/http-exception';
import { ERRORS, type ErrorBody, type ErrorCode, PilothouseError } from '../../protocol/errors.ts';
import { describeFault, log } from '../lib/logger.ts';
import type { AppContext } from './context.ts';

/** What any thrown value is to a caller: a known refusal as it is, everything else `internal`. */
export function toPilothouseError(fault: unknown): PilothouseError {
  if (fault instanceof PilothouseError) return fault;
  if (fault instanceof HTTPException) {
    const codes: Partial<Record<number, ErrorCode>> = {
      400: 'bad_request',
      413: 'payload_too_large',
      415: 'bad_request',
    };
    const code = codes[fault.status];
    if (code) return new PilothouseError(code, fault.message ? { detail: fault.message } : {});
  }
  const code = isStorageFull(fault) ? 'storage_full' : 'internal';
  return new PilothouseError(code, {}, { cause: fault });
}

/** SQLite's own name for a full disk; the platform hands it on in the words of an error alone. */
function isStorageFull(fault: unknown): boolean {
  return describeFault(fault).includes('SQLITE_FULL');
}

/** Answers an error: the code's status and sentence, and the id under which the log has the cause. */
export function onError(fault: Error, context: AppContext): Response {
  const error = toPilothouseError(fault);
  const requestId = context.get('requestId');
  context.set('errorCode', error.code);
  if (error.code === 'internal' || error.code === 'storage_full') {
    log('error', 'http.fault', {
      requestId,
      fault: describeFault(error.cause ?? fault),
      stack: fault.stack,
    });
  }
  const { status, retryable } = ERRORS[error.code];
  const body: ErrorBody = {
    error: {
      code: error.code,
      message: error.message,
      retryable,
      context: { ...error.context },
      requestId,
    },
  };
  return context.json(body, status);
}

/** Answers what no route takes, in the same form as every other refusal. */
export function onNotFound(context: AppContext): Response {
  return onError(new PilothouseError('not_found'), context);
}
