import { applyD1Migrations, reset } from 'cloudflare:test';
import { env, exports } from 'cloudflare:workers';
import { z } from 'zod';
import { errorBody, type ErrorCode } from '../../../protocol/errors.ts';
import { runnerId as runnerIdSchema, type RunnerId } from '../../../protocol/ids.ts';

export const HOST = 'pilothouse.test';
export const HOST_TOKEN = 'host-token-of-the-tests';

export type Answer = { status: number; body: unknown; headers: Headers };
export type Ask = {
  bearer?: string;
  cookie?: string;
  body?: unknown;
  headers?: Record<string, string>;
};

/** An empty installation: no rows, no objects. */
export async function startEmpty(): Promise<void> {
  await reset();
  await applyD1Migrations(env.DB, env.TEST_MIGRATIONS);
}

/** Sends a request as a client of the API would, and reads its whole answer. */
export async function ask(method: string, path: string, options: Ask = {}): Promise<Answer> {
  const response = await exports.default.fetch(`http://${HOST}${path}`, {
    method,
    redirect: 'manual',
    headers: headersOf(options),
    ...(options.body === undefined ? {} : { body: JSON.stringify(options.body) }),
  });
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.includes('json') ?? false;
  return {
    status: response.status,
    body: isJson ? JSON.parse(text) : text,
    headers: response.headers,
  };
}

export function headersOf(options: Ask): Record<string, string> {
  return {
    ...(options.body === undefined ? {} : { 'content-type': 'application/json' }),
    ...(options.bearer ? { authorization: `Bearer ${options.bearer}` } : {}),
    ...(options.cookie ? { cookie: options.cookie } : {}),
    ...options.headers,
  };
}

/** The code of an error answer; fails when the answer is not an error of the one form. */
export function codeOf(answer: Answer): ErrorCode {
  return errorBody.parse(answer.body).error.code;
}

export async function makeCliToken(): Promise<string> {
  const answer = await ask('POST', '/v1/cli-tokens', {
    bearer: HOST_TOKEN,
    body: { name: 'test' },
  });
  return z.object({ token: z.string() }).parse(answer.body).token;
}

export type RegisteredRunner = { runnerId: RunnerId; token: string };

export async function registerRunner(runnerId?: RunnerId): Promise<RegisteredRunner> {
  const answer = await ask('POST', '/v1/runners', {
    bearer: HOST_TOKEN,
    body: { runnerId, name: 'desk' },
  });
  return z.object({ runnerId: runnerIdSchema, token: z.string() }).parse(answer.body);
}

/** Signs a person in by link; returns the Cookie header of their browser. */
export async function signIn(): Promise<string> {
  const link = await ask('POST', '/v1/links', { bearer: HOST_TOKEN, body: {} });
  const token = z.object({ path: z.string() }).parse(link.body).path.split('#')[1];
  const answer = await ask('POST', '/v1/sign-in', { body: { token } });
  return (answer.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
}
