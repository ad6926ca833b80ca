import { z } from 'zod';
import { githubRequest } from '../../protocol/github.ts';

const TIMEOUT_MS = 15_000;

/** Where pull requests of a repository are opened, and with what. */
export type ForgeAccess = { apiUrl: string; token: string; repository: string };
export type NewPullRequest = {
  title: string;
  body: string;
  head: string;
  base: string;
  draft: boolean;
};

const pullRequest = z.object({
  html_url: z.url({ protocol: /^https?$/ }).max(500),
  head: z.object({ ref: z.string() }),
});
const failure = z.object({
  message: z.string(),
  errors: z.array(z.object({ message: z.string().optional() })).optional(),
});

export type ForgeAnswer<T> =
  | { kind: 'ok'; value: T }
  | { kind: 'refused'; status: number; reason: string }
  /** It did not answer: what it was asked to do may have been done. */
  | { kind: 'silent'; reason: string };

/** The pull request that is open from a branch; null for none. */
export async function findOpen(
  forge: ForgeAccess,
  head: string,
): Promise<ForgeAnswer<string | null>> {
  const [owner = ''] = forge.repository.split('/');
  const query = `state=open&head=${encodeURIComponent(`${owner}:${head}`)}`;
  const answer = await call(forge, 'GET', `/pulls?${query}`, pullRequest.array());
  if (answer.kind !== 'ok') return answer;
  // A forge that knows no such filter lists them all.
  const url = answer.value.find((each) => each.head.ref === head)?.html_url ?? null;
  return { kind: 'ok', value: url };
}

/** Opens one, and says where it is. */
export async function openOne(
  forge: ForgeAccess,
  request: NewPullRequest,
): Promise<ForgeAnswer<string>> {
  const answer = await call(forge, 'POST', '/pulls', pullRequest, request);
  return answer.kind === 'ok' ? { kind: 'ok', value: answer.value.html_url } : answer;
}

async function call<S extends z.ZodType>(
  { apiUrl, token, repository }: ForgeAccess,
  method: 'GET' | 'POST',
  path: string,
  schema: S,
  body?: unknown,
): Promise<ForgeAnswer<z.output<S>>> {
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
      return { kind: 'refused', status, reason: sayRefusal(status, told, repository) };
    }
    const parsed = schema.safeParse(told);
    if (parsed.success) return { kind: 'ok', value: parsed.data };
    return { kind: 'silent', reason: 'its answer is not understood' };
  } catch {
    return { kind: 'silent', reason: `${apiUrl} did not answer` };
  }
}

function sayRefusal(status: number, told: unknown, repository: string): string {
  switch (status) {
    case 401:
      return 'it does not take the login of this machine; a person renews it';
    case 403:
    case 404:
      return `the login of this machine may not open pull requests in ${repository}; a person gives it that right or opens it`;
    default: {
      const { message = '', errors = [] } = failure.safeParse(told).data ?? {};
      const words = [message, ...errors.map((each) => each.message ?? '')]
        .filter(Boolean)
        .join(': ');
      return `it answered ${status}: ${words.replaceAll(/\s+/g, ' ').slice(0, 200)}`;
    }
  }
}
