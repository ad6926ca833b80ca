import type { Finding } from '../types.ts';

type Endpoint = { method: RegExp; path: RegExp; kind: Finding['kind']; uncertain?: boolean };

const WRITES = /^(POST|PUT|PATCH)$/;

/**
 * What calls to a forge's API do, by method and path, first match wins. GitHub REST
 * (docs.github.com/rest) and GitLab REST v4 (docs.gitlab.com/api).
 */
const ENDPOINTS: readonly Endpoint[] = [
  { method: WRITES, path: /\/pulls\/[^/]+\/merge$/, kind: 'merge' },
  { method: WRITES, path: /\/merge_requests\/[^/]+\/merge$/, kind: 'merge' },
  { method: /^POST$/, path: /\/(merges|merge-upstream)$/, kind: 'merge' },
  { method: /^DELETE$/, path: /\/git\/refs\//, kind: 'delete' },
  { method: /^DELETE$/, path: /\/repository\/(branches|tags)\//, kind: 'delete' },
  { method: WRITES, path: /\/git\/refs\/tags/, kind: 'tag' },
  { method: WRITES, path: /\/git\/refs/, kind: 'push' },
  { method: WRITES, path: /\/repository\/tags$/, kind: 'tag' },
  { method: WRITES, path: /\/repository\/(commits|branches|files)/, kind: 'push' },
  { method: /^(PUT|DELETE)$/, path: /\/contents\//, kind: 'push' },
  { method: WRITES, path: /\/releases(\/|$)/, kind: 'release' },
  { method: WRITES, path: /\/(pulls|merge_requests)(\/[^/]+)?$/, kind: 'pull_request' },
  {
    method: WRITES,
    path: /\/(collaborators|protection|deploy_keys|members|keys|rulesets|access_tokens)(\/|$)/,
    kind: 'permission',
  },
  {
    method: /^DELETE$/,
    path: /\/(collaborators|protection|members|rulesets|protected_branches)(\/|$)/,
    kind: 'permission',
  },
  { method: WRITES, path: /\/(comments|notes|reviews|labels)(\/[^/]+)?$/, kind: 'comment' },
  { method: WRITES, path: /\/issues(\/[^/]+)?$/, kind: 'comment' },
  { method: WRITES, path: /\/deployments(\/|$)/, kind: 'deploy' },
  {
    method: /^POST$/,
    path: /\/(dispatches|trigger\/pipeline|pipeline)$/,
    kind: 'deploy',
    uncertain: true,
  },
  { method: /^DELETE$/, path: /^/, kind: 'delete', uncertain: true },
];

/** GraphQL mutations of GitHub that merge. */
const MERGING_MUTATIONS = [
  'mergePullRequest',
  'enablePullRequestAutoMerge',
  'mergeBranch',
  'enqueuePullRequest',
];

/** Fields by which GitHub and GitLab are told to close a pull request. */
const CLOSING = /\bstate(_event)?\b"?\s*[=:]\s*"?close/;

export type ApiCall = { method: string; path: string; fields: readonly string[] };

/** What one call to a forge's API would do. */
export function readApiCall(call: ApiCall): Finding[] {
  const path = call.path.replace(/[?#].*$/, '').replace(/\/+$/, '');
  const method = call.method.toUpperCase();
  if (path === 'graphql' || path.endsWith('/graphql')) {
    const merges = call.fields.some((field) =>
      MERGING_MUTATIONS.some((mutation) => field.includes(mutation)),
    );
    return merges ? [{ kind: 'merge', target: 'graphql' }] : [];
  }
  const rooted = path.startsWith('/') ? path : `/${path}`;
  const endpoint = ENDPOINTS.find((known) => known.method.test(method) && known.path.test(rooted));
  if (!endpoint) return [];
  const tagged =
    endpoint.kind === 'push' && call.fields.some((field) => field.includes('refs/tags/'));
  const forced = endpoint.kind === 'push' && call.fields.some((field) => field === 'force=true');
  const closes =
    endpoint.kind === 'pull_request' && call.fields.some((field) => CLOSING.test(field));
  const kind = tagged
    ? 'tag'
    : forced
      ? 'force_push'
      : closes
        ? 'pull_request_close'
        : endpoint.kind;
  return [
    { kind, target: `${method} ${path}`, ...(endpoint.uncertain ? { uncertain: true } : {}) },
  ];
}
