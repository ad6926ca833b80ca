import { z } from 'zod';
import { errorBody } from '../../protocol/errors.ts';
import { runnerId, type RunnerId } from '../../protocol/ids.ts';
import { EXIT, Failure } from '../failure.ts';

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

/** The host's calls to the Worker at `url`. */
export function createHostApi(url: string, hostToken: string): HostApi {
  const post = async <S extends z.ZodType>(
    path: string,
    body: unknown,
    schema: S,
  ): Promise<z.infer<S>> => {
    const response = await fetch(new URL(path, url), {
      method: 'POST',
      headers: { authorization: `Bearer ${hostToken}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    const text = await response.text();
    if (!response.ok) throw hostFailure(path, response.status, text);
    return schema.parse(JSON.parse(text));
  };
  return {
    createLink: async () => (await post('/v1/links', {}, signInLink)).path,
    createCliToken: async (name) => (await post('/v1/cli-tokens', { name }, cliToken)).token,
    registerRunner: (known, name) =>
      post('/v1/runners', { ...(known && { runnerId: known }), name }, registered),
    async isTokenValid(token) {
      const response = await fetch(new URL('/v1/me', url), {
        headers: { authorization: `Bearer ${token}` },
      });
      await response.body?.cancel();
      return response.ok;
    },
  };
}

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
