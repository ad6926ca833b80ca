import { z } from 'zod';
import { PilothouseError } from '../../protocol/errors.ts';
import { githubRequest } from '../../protocol/github.ts';
import { commentFields, issueFields } from './event.ts';

const TIMEOUT_MS = 15_000;
const PAGE = 100;
const time = z.iso.datetime({ offset: true }).transform((text) => Date.parse(text));

const issueEvent = z.object({
  id: z.int(),
  event: z.string(),
  created_at: time,
  actor: z.object({ login: z.string(), type: z.string() }).nullish(),
  label: z.object({ name: z.string() }).optional(),
  issue: issueFields.nullish(),
});
const listedComment = commentFields.extend({ issue_url: z.string() });
const posted = z.object({ id: z.int().positive() });

/** Where a repository's API is, and what opens it. */
export type Forge = { apiUrl: string; token: string; repository: string };

/** The few endpoints of GitHub that are used. Each throws `github_failed` with what it answered. */
export function openForge(forge: Forge) {
  const path = (rest: string) => `/repos/${forge.repository}${rest}`;
  const since = (ms: number) => encodeURIComponent(new Date(ms).toISOString());
  return {
    /** What happened to issues, the newest first: one page, which is what a round can miss. */
    listIssueEvents: () =>
      call(forge, 'GET', path(`/issues/events?per_page=${PAGE}`), issueEvent.array()),
    /** Comments of all issues that were written or changed since then, the oldest first. */
    listComments: (ms: number) =>
      call(
        forge,
        'GET',
        path(`/issues/comments?per_page=${PAGE}&sort=updated&direction=asc&since=${since(ms)}`),
        listedComment.array(),
      ),
    listCommentsOf: (issue: number, ms: number) =>
      call(
        forge,
        'GET',
        path(`/issues/${issue}/comments?per_page=${PAGE}&since=${since(ms)}`),
        commentFields.array(),
      ),
    readIssue: (issue: number) => call(forge, 'GET', path(`/issues/${issue}`), issueFields),
    postComment: (issue: number, body: string) =>
      call(forge, 'POST', path(`/issues/${issue}/comments`), posted, { body }),
  };
}
export type ForgeApi = ReturnType<typeof openForge>;

async function call<S extends z.ZodType>(
  { apiUrl, token }: Forge,
  method: 'GET' | 'POST',
  path: string,
  schema: S,
  body?: unknown,
): Promise<z.output<S>> {
  const failed = (detail: string) => new PilothouseError('github_failed', { detail });
  const response = await fetch(`${apiUrl}${path}`, {
    ...githubRequest(token, method, body),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  }).catch(() => {
    throw failed(`${apiUrl} does not answer`);
  });
  if (!response.ok) {
    await response.body?.cancel();
    throw failed(`it answered ${response.status} to ${method} ${path.split('?')[0] ?? ''}`);
  }
  const read = schema.safeParse(await response.json().catch(() => null));
  if (!read.success)
    throw failed(`its answer to ${method} ${path.split('?')[0] ?? ''} is not understood`);
  return read.data;
}
