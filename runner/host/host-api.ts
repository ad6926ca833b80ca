import { z } from 'zod';
import { errorBody } from '../../protocol/errors.ts';
import { runnerId, type RunnerId } from '../../protocol/ids.ts';
import { parseAnswer } from '../cli/api.ts';
import { EXIT, Failure, messageOf } from '../failure.ts';

const signInLink = z.object({ path: z.string().startsWith('/'), expiresAt: z.int() });
const cliToken = z.object({ token: z.string().min(1) });
const registered = z.object({ runnerId, token: z.string().min(1) });

/** What the host may ask of its own Worker, with the secret of this start. */
export type HostApi = {
  /** Path of a sign-in link that works once; its token is behind the `#`. */
  createLink(): Promise<string>;
  createCliToken(name: string): Promise<string>;
  /** Registers this machine's runner, or gives a known one a new token. */
  registerRunner(known: RunnerId | null, name: string): Promise<z.infer<typeof registered>>;
  /** Whether a command-line token of an earlier start still works. */
  isTokenValid(token: string): Promise<boolean>;
};

/** Longest that the Worker on this machine may take to answer, in ms; it may be migrating its data. */
const ANSWER_MS = 60_000;

/** The host's calls to the Worker at `url`. Each throws a {@link Failure} and nothing else. */
export function createHostApi(url: string, hostToken: string, answerMs = ANSWER_MS): HostApi {
  const ask = async (
    path: string,
    init: RequestInit,
  ): Promise<{ status: number; text: string }> => {
    try {
      const signal = AbortSignal.timeout(answerMs);
      const response = await fetch(new URL(path, url), { ...init, signal });
      return { status: response.status, text: await response.text() };
    } catch (error) {
      throw new Failure(
        EXIT.unreachable,
        'worker_silent',
        `The Worker on this machine did not answer ${path}: ${messageOf(error)}. Its log says why; start again with npm start.`,
        { cause: error },
      );
    }
  };
  const post = async <S extends z.ZodType>(
    path: string,
    body: unknown,
    schema: S,
  ): Promise<z.infer<S>> => {
    const { status, text } = await ask(path, {
      method: 'POST',
      headers: { authorization: `Bearer ${hostToken}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (!isOk(status)) throw hostFailure(path, status, text);
    return parseAnswer(schema, text, path);
  };
  return {
    createLink: async () => (await post('/v1/links', {}, signInLink)).path,
    createCliToken: async (name) => (await post('/v1/cli-tokens', { name }, cliToken)).token,
    registerRunner: (known, name) =>
      post('/v1/runners', { ...(known && { runnerId: known }), name }, registered),
    async isTokenValid(token) {
      const { status, text } = await ask('/v1/me', {
        headers: { authorization: `Bearer ${token}` },
      });
      if (isOk(status)) return true;
      if (status === 401 || status === 403) return false;
      // A Worker in trouble says nothing of the token: it is not replaced.
      throw hostFailure('/v1/me', status, text);
    },
  };
}

const isOk = (status: number): boolean => status >= 200 && status < 300;

function hostFailure(path: string, status: number, text: string): Failure {
  let message = text.slice(0, 300);
  try {
    message = errorBody.safeParse(JSON.parse(text)).data?.error.message ?? message;
  } catch {
    // Not JSON: the text itself says more than nothing.
  }
  return new Failure(
    EXIT.failed,
    'worker_refused',
    `The Worker refused ${path} (${status}): ${message}`,
  );
}
