import type { OpenAPIHono } from '@hono/zod-openapi';
import type { Context } from 'hono';
import type { ErrorCode } from '../../protocol/errors.ts';
import type { Principal } from '../access/principal.ts';
import type { Env } from '../env.ts';

/** What a request carries through its middleware. */
type RequestState = {
  requestId: string;
  /** Set before any handler that names who may call. */
  principal: Principal;
  operation: string;
  /** The id of what a request made: what is on record of it says where that can be found. */
  made?: string;
  errorCode: ErrorCode;
};

export type AppTypes = { Bindings: Env; Variables: RequestState };
export type App = OpenAPIHono<AppTypes>;
export type AppContext = Context<AppTypes>;

/** Methods that change nothing: neither logged for access nor bound to our own pages. */
export function isReading(method: string): boolean {
  return method === 'GET' || method === 'HEAD' || method === 'OPTIONS';
}

/**
 * Whether a request asks for a WebSocket: such a one is guarded like a change, although it is a GET.
 */
export function isUpgrade(context: AppContext): boolean {
  return context.req.header('upgrade')?.toLowerCase() === 'websocket';
}
