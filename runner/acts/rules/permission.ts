import { has, parseOptions, words } from '../arguments.ts';
import { type Argument, type Finding, NOTHING, type Rule } from '../types.ts';
import { reachesOut } from './remove.ts';
import { always, verbs } from './verbs.ts';

/** Writable for everybody, or run with its owner's power. */
const isWide = (mode: string): boolean =>
  /^[0-7]?[0-7]{2}[2367]$/.test(mode) ||
  /^[2467][0-7]{3}$/.test(mode) ||
  /(^|,)([ugo]*[oa][ugo]*|)[+=][rxX]*w/.test(mode) ||
  /(^|,)[ugoa]*[+=][rwxX]*s/.test(mode);

const chmod: Rule = (args, { outside }) => {
  // A mode such as `-w` looks like options; it only ever takes away.
  const options = parseOptions(args, ['--reference']);
  const [mode, ...targets] = options.operands;
  if (!mode || targets.length === 0 || has(options, '--help')) return NOTHING;
  const names = targets.map(({ text }) => text).join(' ');
  const away = outside || targets.some(reachesOut);
  return away || isWide(mode.text) ? [{ kind: 'permission', target: names }] : NOTHING;
};

/** `chown WHO FILE…`: whose a file is, is the machine's business and never the work's. */
const chown: Rule = (args) => {
  const options = parseOptions(args, ['--reference', '--from']);
  const [, ...targets] = words(options);
  return targets.length > 0 ? [{ kind: 'permission', target: targets.join(' ') }] : NOTHING;
};

/** Files that say who may come in, or what they may do then. */
const OF_POWER = /(^|\/)(authorized_keys2?|sudoers)$|^\/etc\/(sudoers\.d\/|passwd$|shadow$|group$)/;

/** What is written over or behind such a file changes who has power, whatever writes it. */
export const readWrites = (files: readonly Argument[]): readonly Finding[] =>
  files
    .filter(({ text }) => OF_POWER.test(text))
    .map(({ text }) => ({ kind: 'permission', target: text }));

const tee: Rule = (args) => readWrites(parseOptions(args).operands);

const gh: Rule = (args, surroundings) => {
  const options = parseOptions(args, ['-R', '--repo', '--visibility', '-t', '--title']);
  const [noun, verb, target = null] = words(options);
  if (noun === 'repo' && verb === 'edit' && has(options, '--visibility'))
    return [{ kind: 'permission', target: options.values.get('--visibility') ?? target }];
  return ghVerbs(args, surroundings);
};
const ghVerbs = verbs(
  {
    'repo deploy-key add': 'permission',
    'repo deploy-key delete': 'permission',
    'ssh-key add': 'permission',
    'ssh-key delete': 'permission',
    'gpg-key add': 'permission',
    'ruleset create': 'permission',
    'ruleset delete': 'permission',
    'auth refresh': 'permission',
    'secret set': 'permission',
    'secret delete': 'permission',
    'secret remove': 'permission',
    'variable set': 'permission',
    'variable delete': 'permission',
    'variable remove': 'permission',
  },
  [
    '-R',
    '--repo',
    '-t',
    '--title',
    '-s',
    '--scopes',
    '-b',
    '--body',
    '-e',
    '--env',
    '-o',
    '--org',
    '-f',
    '--env-file',
  ],
);

const aws: Rule = (args) => {
  const [service, verb = '', ...rest] = words(
    parseOptions(args, ['--profile', '--region', '--output']),
  );
  const grants =
    (service === 'iam' && /^(attach|detach|put|create|delete|add|remove|update)-/.test(verb)) ||
    /^(put|delete)-(bucket-policy|bucket-acl|object-acl|resource-policy|public-access-block)$/.test(
      verb,
    ) ||
    /^(add|remove)-permission$/.test(verb) ||
    /^(authorize|revoke)-security-group-/.test(verb);
  return grants ? [{ kind: 'permission', target: [service, verb, ...rest].join(' ') }] : NOTHING;
};

const gcloud: Rule = (args) => {
  const given = words(parseOptions(args, ['--project', '--member', '--role']));
  return given.some((word) => /^(add|remove|set)-iam-policy(-binding)?$/.test(word))
    ? [{ kind: 'permission', target: given.join(' ') }]
    : NOTHING;
};

const owners = verbs(
  {
    'owner add': 'permission',
    'owner rm': 'permission',
    'access set': 'permission',
    'access grant': 'permission',
    'access revoke': 'permission',
    'access public': 'permission',
    'access restricted': 'permission',
    'team add': 'permission',
  },
  ['--registry', '--otp'],
);

/** `cargo owner --add WHO`. */
const cargo: Rule = (args) => {
  const options = parseOptions(args, ['--add', '--remove', '-a', '-r']);
  const who = ['--add', '-a', '--remove', '-r'].flatMap((name) => options.values.get(name) ?? []);
  return words(options)[0] === 'owner' && who.length > 0
    ? [{ kind: 'permission', target: who.join(' ') }]
    : NOTHING;
};

const kubectl = verbs(
  {
    'create clusterrolebinding': 'permission',
    'create rolebinding': 'permission',
    'create clusterrole': 'permission',
    'create role': 'permission',
    'create serviceaccount': 'permission',
    'auth reconcile': 'permission',
  },
  ['-n', '--namespace', '--context', '--clusterrole', '--user', '-f'],
);

const account = always('permission', false);
const ACCOUNTS = ['usermod', 'useradd', 'userdel', 'adduser', 'deluser', 'groupadd', 'gpasswd'];

/** Programs that change who may do what. */
export const PERMISSION_RULES: Readonly<Record<string, Rule | undefined>> = {
  chmod,
  chown,
  chgrp: chown,
  setfacl: (args) => {
    const options = parseOptions(args, ['-m', '-x', '-M', '-X', '--modify', '--remove']);
    const target = words(options).join(' ') || null;
    return has(options, '-m', '-x', '-b', '--modify', '--remove', '--remove-all', '--set')
      ? [{ kind: 'permission', target }]
      : NOTHING;
  },
  setcap: account,
  passwd: account,
  visudo: account,
  'ssh-copy-id': account,
  tee,
  glab: verbs(
    {
      'variable set': 'permission',
      'variable update': 'permission',
      'variable delete': 'permission',
    },
    ['-R'],
  ),
  wrangler: verbs(
    { 'secret put': 'permission', 'secret delete': 'permission', 'secret bulk': 'permission' },
    ['-c', '--config', '-e', '--env', '--name'],
  ),
  vercel: verbs({ 'env add': 'permission', 'env rm': 'permission' }),
  vault: verbs(
    { 'kv put': 'permission', 'kv delete': 'permission', 'policy write': 'permission' },
    ['-mount'],
  ),
  ...Object.fromEntries(ACCOUNTS.map((name) => [name, account])),
  gh,
  aws,
  gcloud,
  az: verbs(
    {
      'role assignment create': 'permission',
      'role assignment delete': 'permission',
      'ad sp create-for-rbac': 'permission',
    },
    ['--assignee', '--role', '--scope'],
  ),
  kubectl,
  npm: owners,
  yarn: verbs({ 'npm owner add': 'permission' }),
  pnpm: owners,
  cargo,
  gem: (args, surroundings) =>
    has(parseOptions(args, ['-a', '--add', '-r', '--remove']), '-a', '--add', '-r', '--remove')
      ? verbs({ owner: 'permission' }, ['-a', '--add', '-r', '--remove'])(args, surroundings)
      : NOTHING,
};
