import { z } from 'zod';
import { callForge, type ForgeAccess, type ForgeAnswer } from './github.ts';

const url = z.url({ protocol: /^https?$/ }).max(500);
const login = z.object({ login: z.string() }).nullish();

/** A pull request as GitHub's REST API tells of it; a list leaves out the last few. */
const pull = z.object({
  number: z.int().positive(),
  html_url: url,
  head: z.object({ ref: z.string(), sha: z.string().nullish() }),
  base: z.object({ ref: z.string() }).nullish(),
  title: z.string().default(''),
  body: z.string().nullish(),
  state: z.string().default('open'),
  draft: z.boolean().nullish(),
  user: login,
  labels: z.array(z.object({ name: z.string() })).nullish(),
  created_at: z.string().nullish(),
  updated_at: z.string().nullish(),
  closed_at: z.string().nullish(),
  merged_at: z.string().nullish(),
  mergeable: z.boolean().nullish(),
  additions: z.int().nullish(),
  deletions: z.int().nullish(),
  changed_files: z.int().nullish(),
  /** How many words of its conversation there are. */
  comments: z.int().nonnegative().nullish(),
});
export type Pull = z.infer<typeof pull>;

const comment = z.object({
  html_url: url,
  user: login,
  author_association: z.string().nullish(),
  body: z.string().nullish(),
  created_at: z.string().nullish(),
});
export type Comment = z.infer<typeof comment>;

export type NewPullRequest = {
  title: string;
  body: string;
  head: string;
  base: string;
  draft: boolean;
};
export type PullsWanted = {
  state: 'open' | 'closed' | 'all';
  head?: string | null;
  base?: string | null;
  most?: number;
};

const SEE = 'see pull requests';

/** Pull requests, the newest first. */
export async function listPulls(
  forge: ForgeAccess,
  { state, head = null, base = null, most = 30 }: PullsWanted,
): Promise<ForgeAnswer<Pull[]>> {
  const [owner = ''] = forge.repository.split('/');
  const query = new URLSearchParams({
    state,
    ...(head !== null && { head: `${owner}:${head}` }),
    ...(base !== null && { base }),
    sort: 'created',
    direction: 'desc',
    per_page: String(most),
  });
  const answer = await callForge(forge, {
    path: `/pulls?${query.toString()}`,
    schema: pull.array(),
    may: SEE,
  });
  if (answer.kind !== 'ok') return answer;
  // A forge that knows no such filter lists them all.
  const value = answer.value.filter(
    (each) =>
      (head === null || each.head.ref === head) && (base === null || each.base?.ref === base),
  );
  return { kind: 'ok', value };
}

/** The pull request that is open from a branch; null for none. */
export async function findOpen(
  forge: ForgeAccess,
  head: string,
): Promise<ForgeAnswer<Pull | null>> {
  const answer = await listPulls(forge, { state: 'open', head });
  return answer.kind === 'ok' ? { kind: 'ok', value: answer.value[0] ?? null } : answer;
}

export const openOne = (forge: ForgeAccess, body: NewPullRequest): Promise<ForgeAnswer<Pull>> =>
  callForge(forge, {
    method: 'POST',
    path: '/pulls',
    schema: pull,
    body,
    may: 'open pull requests',
  });

export const readPull = (forge: ForgeAccess, number: number): Promise<ForgeAnswer<Pull>> =>
  callForge(forge, { path: `/pulls/${number}`, schema: pull, may: `see #${number}` });

export const editPull = (
  forge: ForgeAccess,
  number: number,
  body: { title?: string; body?: string; base?: string },
): Promise<ForgeAnswer<Pull>> =>
  callForge(forge, {
    method: 'PATCH',
    path: `/pulls/${number}`,
    schema: pull,
    body,
    may: `change #${number}`,
  });

/** Most that is shown of a conversation: no more pages are asked for than have these. */
export const COMMENTS_MAX = 20;
const PAGE = 100;

/**
 * The newest of the conversation of one, the oldest of them first. GitHub lists the oldest first
 * and knows no other order here, so that the last page is found by how many there are.
 */
export async function listNewestComments(
  forge: ForgeAccess,
  { number, comments }: Pick<Pull, 'number' | 'comments'>,
): Promise<ForgeAnswer<Comment[]>> {
  const last = Math.max(1, Math.ceil((comments ?? 0) / PAGE));
  const newest: Comment[] = [];
  for (let page = last; page >= 1 && newest.length < COMMENTS_MAX; page--) {
    const answer = await callForge(forge, {
      path: `/issues/${number}/comments?per_page=${PAGE}&page=${page}`,
      schema: comment.array(),
      may: `see #${number}`,
    });
    if (answer.kind !== 'ok') return answer;
    newest.unshift(...answer.value);
  }
  return { kind: 'ok', value: newest.slice(-COMMENTS_MAX) };
}

export const commentOn = (
  forge: ForgeAccess,
  number: number,
  body: string,
): Promise<ForgeAnswer<Comment>> =>
  callForge(forge, {
    method: 'POST',
    path: `/issues/${number}/comments`,
    schema: comment,
    body: { body },
    may: `comment on #${number}`,
  });
