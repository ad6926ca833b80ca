/** A comment as GitHub lists it, as far as it is looked at. */
export type ForgeComment = {
  id: number;
  issue: number;
  body: string;
  login: string;
  association: string;
  createdAt: string;
  updatedAt: string;
};

/** One repository on the stand-in for GitHub, and what was asked of it. */
export type ForgeRoom = {
  token: string;
  issues: Record<string, unknown>[];
  events: Record<string, unknown>[];
  comments: ForgeComment[];
  seen: { method: string; path: string; token: string | null }[];
  /** Answered instead, to so many posts of comments, after they were kept. */
  breakPosts: number;
};

type Reply = { status: number; body: unknown };

/** Answers the few endpoints that are used, by the rules of GitHub's own. Pure but for the room. */
export function answerForge(
  room: ForgeRoom,
  request: { method: string; path: string; query: URLSearchParams; token: string | null },
  body: string,
  root: string,
): Reply {
  const { method, path, query, token } = request;
  room.seen.push({ method, path, token });
  if (token !== room.token) return { status: 401, body: { message: 'Bad credentials' } };
  const [, owner, name, rest = ''] = /^\/repos\/([^/]+)\/([^/]+)(.*)$/.exec(path) ?? [];
  const base = `${root}/repos/${owner ?? ''}/${name ?? ''}`;
  const since = query.get('since');
  const fresh = room.comments.filter(({ updatedAt }) => since === null || updatedAt >= since);
  const list = (comments: readonly ForgeComment[]): Reply => ({
    status: 200,
    body: comments.map((comment) => toComment(comment, base)),
  });
  if (method === 'GET' && rest === '/issues/events') return { status: 200, body: room.events };
  if (method === 'GET' && rest === '/issues/comments') return list(fresh);
  const [, number = '', what = ''] = /^\/issues\/(\d+)(\/comments)?$/.exec(rest) ?? [];
  const issue = room.issues.find((each) => each['number'] === Number(number));
  if (!issue) return { status: 404, body: { message: 'Not Found' } };
  if (method === 'GET' && what === '') return { status: 200, body: issue };
  if (method === 'GET') return list(fresh.filter((comment) => comment.issue === Number(number)));
  if (method !== 'POST' || what === '') return { status: 404, body: { message: 'Not Found' } };
  return postComment(room, Number(number), body, base);
}

function postComment(room: ForgeRoom, issue: number, body: string, base: string): Reply {
  const now = new Date().toISOString();
  const comment: ForgeComment = {
    id: 1_000 + room.comments.length,
    issue,
    body: (JSON.parse(body) as { body: string }).body,
    login: 'octo',
    association: 'OWNER',
    createdAt: now,
    updatedAt: now,
  };
  room.comments.push(comment);
  if (room.breakPosts-- > 0) return { status: 502, body: { message: 'Server Error' } };
  return { status: 201, body: toComment(comment, base) };
}

function toComment(comment: ForgeComment, base: string) {
  return {
    id: comment.id,
    body: comment.body,
    user: { login: comment.login, type: 'User' },
    author_association: comment.association,
    created_at: comment.createdAt,
    updated_at: comment.updatedAt,
    issue_url: `${base}/issues/${comment.issue}`,
  };
}

declare module 'vitest' {
  interface ProvidedContext {
    /** Root of the stand-in for GitHub on loopback. */
    githubApi: string;
  }
}
