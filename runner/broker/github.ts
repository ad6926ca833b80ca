import { z } from 'zod';
import { githubRequest } from '../../protocol/github.ts';
import type { KeptPace, Late } from './pace.ts';

const TIMEOUT_MS = 15_000;

/** Where pull requests of a repository are, and with what they are reached. */
export type ForgeAccess = {
  host: string;
  apiUrl: string;
  token: string;
  repository: string;
  /** Charges a call to the pace that whoever asks keeps; absent: a person asks. */
  charge?: KeptPace['charge'] | undefined;
};

const failure = z.object({
  message: z.string(),
  errors: z.array(z.object({ message: z.string().optional() })).optional(),
});

export type ForgeAnswer<T> =
  | { kind: 'ok'; value: T }
  | { kind: 'refused'; status: number; reason: string }
  /** It did not answer: what it was asked to do may have been done. */
  | { kind: 'silent'; reason: string }
  /** It was not asked, because it was asked too often. */
  | ({ kind: 'late' } & Late);

export type ForgeCall<S extends z.ZodType> = {
  method?: 'GET' | 'POST' | 'PATCH';
  /** Below the repository. */
  path: string;
  schema: S;
  body?: unknown;
  /** What the login may not, for a person to see to: `open pull requests`. */
  may: string;
};

/**
 * Asks GitHub's REST API for something of one repository, and follows no redirect (docs.github.com,
 * REST API, 2022-11-28). What it answers is parsed and nothing else of it is believed.
 */
export async function callForge<S extends z.ZodType>(
  { apiUrl, token, repository, charge }: ForgeAccess,
  { method = 'GET', path, schema, body, may }: ForgeCall<S>,
): Promise<ForgeAnswer<z.output<S>>> {
  const late = charge?.() ?? null;
  if (late !== null) return { kind: 'late', ...late };
  try {
    const response = await fetch(`${apiUrl}/repos/${repository}${path}`, {
      ...githubRequest(token, method, body),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const told: unknown = await response.json().catch(() => null);
    if (!response.ok) {
      const { status } = response;
      // A server that broke may have done it before it did.
      if (status >= 500) return { kind: 'silent', reason: `it answered ${status}` };
      return { kind: 'refused', status, reason: sayRefusal(status, told, may, repository) };
    }
    const parsed = schema.safeParse(told);
    if (parsed.success) return { kind: 'ok', value: parsed.data };
    return { kind: 'silent', reason: 'its answer is not understood' };
  } catch {
    return { kind: 'silent', reason: `${apiUrl} did not answer` };
  }
}

function sayRefusal(status: number, told: unknown, may: string, repository: string): string {
  switch (status) {
    case 401:
      return 'it does not take the login of this machine; a person renews it';
    case 403:
    case 404:
      return `the login of this machine may not ${may} in ${repository}; a person gives it that right or does it`;
    default: {
      const { message = '', errors = [] } = failure.safeParse(told).data ?? {};
      const words = [message, ...errors.map((each) => each.message ?? '')]
        .filter(Boolean)
        .join(': ');
      return `it answered ${status}: ${words.replaceAll(/\s+/g, ' ').slice(0, 200)}`;
    }
  }
}
