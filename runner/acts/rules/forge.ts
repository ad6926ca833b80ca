import { has, parseOptions, words } from '../arguments.ts';
import { type Argument, type Finding, NOTHING, type Rule } from '../types.ts';
import { readApiCall } from './forge-api.ts';

const VALUED = [
  '-R',
  '--repo',
  '--hostname',
  '-t',
  '--title',
  '-b',
  '--body',
  '-F',
  '--body-file',
  '-B',
  '--base',
  '-H',
  '--head',
  '-l',
  '--label',
  '-a',
  '--assignee',
  '-r',
  '--reviewer',
  '-m',
  '--message',
  '--notes',
  '--notes-file',
  '-n',
  '--target',
  '--add-label',
  '--remove-label',
  '--subject',
  '--match-head-commit',
  '-A',
  '--author-email',
];

/** GitHub's `gh`. */
export const gh: Rule = (args) => {
  const options = parseOptions(args, VALUED);
  const [noun = '', verb = '', target = null] = words(options);
  if (has(options, '--help') || has(options, '--dry-run')) return NOTHING;
  if (noun === 'api') return api(args);
  switch (noun) {
    case 'pr':
      return pullRequest(verb, target, options);
    case 'issue':
      return ['create', 'comment', 'close', 'reopen', 'edit', 'delete', 'transfer'].includes(verb)
        ? comment(target, options)
        : NOTHING;
    case 'release':
      if (verb === 'delete' || verb === 'delete-asset') return [{ kind: 'delete', target }];
      return ['create', 'upload', 'edit'].includes(verb) ? [{ kind: 'release', target }] : NOTHING;
    case 'repo':
      if (verb === 'delete') return [{ kind: 'delete', target }];
      if (verb === 'sync') return [{ kind: 'push', target }];
      return verb === 'create' && has(options, '--push') ? [{ kind: 'push', target }] : NOTHING;
    case 'workflow':
      return verb === 'run' ? [{ kind: 'deploy', target, uncertain: true }] : NOTHING;
    default:
      return NOTHING;
  }
};

function pullRequest(
  verb: string,
  target: string | null,
  options: ReturnType<typeof parseOptions>,
): readonly Finding[] {
  const deletes: Finding[] = has(options, '--delete-branch', '-d', '--remove-source-branch')
    ? [{ kind: 'delete', target: 'its branch' }]
    : [];
  switch (verb) {
    case 'merge':
    case 'accept':
      return has(options, '--disable-auto') ? NOTHING : [{ kind: 'merge', target }, ...deletes];
    case 'create':
    case 'new':
    case 'ready':
    case 'reopen':
    case 'update':
    case 'update-branch':
    case 'revert':
      return [{ kind: 'pull_request', target }];
    case 'close':
      return [{ kind: 'pull_request_close', target }, ...deletes];
    case 'comment':
    case 'note':
    case 'review':
    case 'approve':
      return comment(target, options);
    case 'edit':
      return has(options, '--add-label', '--remove-label')
        ? [{ kind: 'comment', target }]
        : [{ kind: 'pull_request', target }];
    default:
      return NOTHING;
  }
}

/** Words by which bots are told to merge: a comment of one of them is more than a comment. */
const MERGE_ORDER =
  /^\s*(\/(merge|automerge|lgtm|approve)\b|bors r\+|@\w[\w-]*\s+(merge|squash and merge)\b)/m;

function comment(
  target: string | null,
  options: ReturnType<typeof parseOptions>,
): readonly Finding[] {
  const body =
    options.values.get('--body') ??
    options.values.get('-b') ??
    options.values.get('--message') ??
    options.values.get('-m') ??
    '';
  return MERGE_ORDER.test(body)
    ? [{ kind: 'merge', target, uncertain: true }]
    : [{ kind: 'comment', target }];
}

const FIELD_OPTIONS = ['-f', '-F', '--field', '--raw-field', '--input'];

function api(args: readonly Argument[]): readonly Finding[] {
  const options = parseOptions(args, [
    '-X',
    '--method',
    '-H',
    '--header',
    '-q',
    '--jq',
    '-t',
    '--template',
    '--cache',
    '--hostname',
    '-p',
    '--preview',
    ...FIELD_OPTIONS,
  ]);
  const path = words(options)[1] ?? '';
  const fields = args.flatMap(({ text }, index) =>
    FIELD_OPTIONS.includes(args[index - 1]?.text ?? '') ? [text] : [],
  );
  const implied = has(options, ...FIELD_OPTIONS) ? 'POST' : 'GET';
  const method = options.values.get('-X') ?? options.values.get('--method') ?? implied;
  return readApiCall({ method, path, fields });
}

/** GitLab's `glab` and Gitea's `tea`, which name the same things alike. */
export const glab: Rule = (args, surroundings) => {
  const options = parseOptions(args, VALUED);
  const [noun = '', verb = '', target = null] = words(options);
  if (noun === 'mr' || noun === 'pr' || noun === 'pulls')
    return has(options, '--help') ? NOTHING : pullRequest(verb, target, options);
  if (noun === 'issue' && verb === 'note') return comment(target, options);
  return gh(args, surroundings);
};

const CURL_VALUED = [
  '-X',
  '--request',
  '--method',
  '--post-data',
  '--body-data',
  '-H',
  '--header',
  '-d',
  '--data',
  '--data-raw',
  '--data-binary',
  '--json',
  '-o',
  '--output',
  '-u',
  '--user',
  '-F',
  '--form',
  '-A',
  '--user-agent',
  '-w',
  '--write-out',
  '--max-time',
  '-m',
  '--url',
  '-b',
  '-c',
  '-e',
  '--retry',
  '-T',
  '--upload-file',
];
const BODY_OPTIONS = [
  '--post-data',
  '--body-data',
  '-d',
  '--data',
  '--data-raw',
  '--data-binary',
  '--json',
  '-F',
  '--form',
];

/** Services whose one purpose is to deploy when called. */
const DEPLOY_HOOKS = [
  'api.vercel.com/v1/integrations/deploy',
  'api.render.com/deploy',
  'api.netlify.com/build_hooks',
];

/** A plain HTTP client: what it does to a forge shows in method and path, never for certain. */
export const httpClient: Rule = (args) => {
  const options = parseOptions(args, CURL_VALUED);
  const urls = [...words(options), options.values.get('--url') ?? ''].filter((text) =>
    /^https?:\/\//.test(text),
  );
  const body = BODY_OPTIONS.some((name) => has(options, name));
  // `http PUT ADDRESS` says it as its first word.
  const word = words(options).find((text) => /^(GET|POST|PUT|PATCH|DELETE)$/.test(text));
  const given = ['-X', '--request', '--method'].map((name) => options.values.get(name));
  const method = given.find(Boolean) ?? word ?? (body ? 'POST' : 'GET');
  const fields = args.map(({ text }) => text);
  return urls.flatMap((url) => {
    const address = url.replace(/^https?:\/\//, '');
    if (DEPLOY_HOOKS.some((hook) => address.startsWith(hook)))
      return [{ kind: 'deploy' as const, target: address, uncertain: true }];
    const forge = /^api\.github\.com\/|\/api\/v[34]\/|^gitlab\.|^codeberg\.org\/api\//.test(
      address,
    );
    const path = address.replace(/^[^/]*/, '');
    return forge
      ? readApiCall({ method, path, fields }).map((finding) => ({ ...finding, uncertain: true }))
      : [];
  });
};
