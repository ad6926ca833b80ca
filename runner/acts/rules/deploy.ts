import { has, isDryRun, parseOptions, words } from '../arguments.ts';
import { NOTHING, type Rule } from '../types.ts';
import { always, verbs } from './verbs.ts';

const KUBE_VALUED = [
  '-n',
  '--namespace',
  '--context',
  '--kubeconfig',
  '--cluster',
  '--user',
  '-f',
  '--filename',
  '-l',
  '--selector',
  '-k',
  '--kustomize',
];

/** `vercel` deploys when it is given nothing, a directory or `--prod`. */
const vercel: Rule = (args) => {
  const options = parseOptions(args, [
    '-t',
    '--token',
    '-S',
    '--scope',
    '--cwd',
    '-A',
    '--local-config',
    '-e',
    '--env',
    '-b',
    '--build-env',
    '-m',
    '--meta',
  ]);
  const [first = 'deploy'] = words(options);
  if (isDryRun(options) || has(options, '-h', '--version', '-v')) return NOTHING;
  if (['remove', 'rm'].includes(first))
    return [{ kind: 'delete', target: words(options)[1] ?? null }];
  const deploys =
    ['deploy', 'promote', 'rollback', 'redeploy'].includes(first) ||
    first.startsWith('.') ||
    first.startsWith('/');
  return deploys
    ? [{ kind: 'deploy', target: has(options, '--prod') ? 'production' : null }]
    : NOTHING;
};

const aws: Rule = (args, surroundings) => {
  const options = parseOptions(args, [
    '--profile',
    '--region',
    '--output',
    '--endpoint-url',
    '--acl',
    '--exclude',
    '--include',
  ]);
  const [service, verb, ...rest] = words(options);
  if (service !== 's3') return awsVerbs(args, surroundings);
  if (has(options, '--dryrun')) return NOTHING;
  if (verb === 'rm' || verb === 'rb') return [{ kind: 'delete', target: rest[0] ?? null }];
  const target = rest[1];
  return ['cp', 'sync', 'mv'].includes(verb ?? '') && target?.startsWith('s3://')
    ? [{ kind: 'deploy', target }]
    : NOTHING;
};

const awsVerbs = verbs(
  {
    'lambda update-function-code': 'deploy',
    'lambda publish-version': 'deploy',
    'ecs update-service': 'deploy',
    'deploy create-deployment': 'deploy',
    'elasticbeanstalk update-environment': 'deploy',
  },
  ['--profile', '--region', '--output'],
);

/** Copies to another machine: most often how a small site is deployed. */
const remoteCopy: Rule = (args) => {
  const options = parseOptions(args, [
    '-e',
    '--rsh',
    '-P',
    '-i',
    '-o',
    '--exclude',
    '--include',
    '--filter',
    '-F',
    '-p',
  ]);
  const target = words(options).at(-1) ?? '';
  if (has(options, '-n', '--dry-run') || !/^(?:[\w.-]+@)?[\w.-]+:/.test(target)) return NOTHING;
  return [{ kind: 'deploy', target, uncertain: true }];
};

const serverless = verbs({ deploy: 'deploy', remove: 'delete' });
const fly = verbs(
  {
    deploy: 'deploy',
    'apps destroy': 'delete',
    'machine destroy': 'delete',
    'machine update': 'deploy',
    'secrets set': 'deploy',
  },
  ['-a', '--app', '-c', '--config'],
);

/** Programs that change what runs somewhere else. */
export const DEPLOY_RULES: Readonly<Record<string, Rule | undefined>> = {
  'gh-pages': always('deploy', false),
  kubectl: verbs(
    {
      apply: 'deploy',
      create: 'deploy',
      replace: 'deploy',
      patch: 'deploy',
      set: 'deploy',
      scale: 'deploy',
      rollout: 'deploy',
      run: 'deploy',
      expose: 'deploy',
      'rollout status': 'deploy',
      delete: 'delete',
      drain: 'deploy',
    },
    KUBE_VALUED,
  ),
  helm: verbs(
    {
      install: 'deploy',
      upgrade: 'deploy',
      rollback: 'deploy',
      uninstall: 'delete',
      delete: 'delete',
      push: 'publish',
    },
    [...KUBE_VALUED, '--version'],
  ),
  helmfile: verbs({ apply: 'deploy', sync: 'deploy', destroy: 'delete' }),
  argocd: verbs({ 'app sync': 'deploy', 'app delete': 'delete' }),
  skaffold: verbs({ run: 'deploy', deploy: 'deploy', delete: 'delete' }),
  nomad: verbs({ 'job run': 'deploy', run: 'deploy', 'job stop': 'delete' }),
  vercel,
  now: vercel,
  wrangler: verbs(
    {
      deploy: 'deploy',
      publish: 'deploy',
      rollback: 'deploy',
      delete: 'delete',
      'pages deploy': 'deploy',
      'pages publish': 'deploy',
      'versions deploy': 'deploy',
    },
    ['-c', '--config', '-e', '--env', '--name'],
  ),
  fly,
  flyctl: fly,
  netlify: verbs({ deploy: 'deploy', 'sites:delete': 'delete' }),
  firebase: verbs({ deploy: 'deploy', 'hosting:disable': 'delete' }, ['-P', '--project', '--only']),
  serverless,
  sls: serverless,
  sst: verbs({ deploy: 'deploy', remove: 'delete' }),
  sam: verbs({ deploy: 'deploy', delete: 'delete' }),
  eb: verbs({ deploy: 'deploy', terminate: 'delete' }),
  heroku: verbs(
    {
      'container:release': 'deploy',
      'apps:destroy': 'delete',
      'releases:rollback': 'deploy',
      'pipelines:promote': 'deploy',
    },
    ['-a', '--app', '-r'],
  ),
  railway: verbs({ up: 'deploy', redeploy: 'deploy', down: 'delete' }),
  render: verbs({ 'deploys create': 'deploy' }),
  kamal: verbs({
    deploy: 'deploy',
    redeploy: 'deploy',
    rollback: 'deploy',
    setup: 'deploy',
    remove: 'delete',
  }),
  doctl: verbs({
    'apps create-deployment': 'deploy',
    'apps update': 'deploy',
    'apps delete': 'delete',
  }),
  gcloud: verbs(
    {
      'app deploy': 'deploy',
      'run deploy': 'deploy',
      'functions deploy': 'deploy',
      'builds submit': 'deploy',
      'run services': 'deploy',
    },
    ['--project', '--region'],
  ),
  az: verbs({
    'webapp up': 'deploy',
    'webapp deploy': 'deploy',
    'containerapp up': 'deploy',
  }),
  aws,
  gsutil: verbs({ rsync: 'deploy', rm: 'delete' }),
  eas: verbs({ submit: 'publish', update: 'deploy' }),
  fastlane: always('publish', true),
  'ansible-playbook': always('deploy', true),
  cap: always('deploy', true),
  supabase: verbs({ 'functions deploy': 'deploy' }),
  rsync: remoteCopy,
  scp: remoteCopy,
};
