import { has, isDryRun, parseOptions, words } from '../arguments.ts';
import { ownEntry } from '../own.ts';
import { NOTHING, type Rule } from '../types.ts';
import { always, verbs } from './verbs.ts';

const PACKAGE_VALUED = [
  '--prefix',
  '-C',
  '--dir',
  '--filter',
  '-F',
  '-w',
  '--workspace',
  '--registry',
  '--tag',
  '--access',
  '--otp',
  '--cwd',
];

const packageManager = verbs(
  {
    publish: 'publish',
    'npm publish': 'publish',
    unpublish: 'delete',
    'dist-tag add': 'publish',
    'dist-tag rm': 'delete',
    deprecate: 'publish',
    'changeset publish': 'publish',
  },
  PACKAGE_VALUED,
);

const CONTAINER_VALUED = [
  '-t',
  '--tag',
  '-f',
  '--file',
  '--platform',
  '-H',
  '--host',
  '--context',
  '--build-arg',
  '--builder',
  '-o',
  '--output',
  '--cache-from',
  '--cache-to',
  '--target',
  '-c',
  '--config',
];

const container: Rule = (args, surroundings) => {
  const options = parseOptions(args, CONTAINER_VALUED);
  const given = words(options);
  const builds =
    given[0] === 'build' || (given[0] === 'buildx' && ['build', 'bake'].includes(given[1] ?? ''));
  if (builds) {
    if (!has(options, '--push') || isDryRun(options)) return NOTHING;
    return [
      { kind: 'publish', target: options.values.get('-t') ?? options.values.get('--tag') ?? null },
    ];
  }
  return containerVerbs(args, surroundings);
};

const containerVerbs = verbs(
  {
    push: 'publish',
    'image push': 'publish',
    'manifest push': 'publish',
    'compose push': 'publish',
    'stack deploy': 'deploy',
    'service update': 'deploy',
  },
  CONTAINER_VALUED,
);

const cargo: Rule = (args, surroundings) => {
  if (has(parseOptions(args), '-n')) return NOTHING;
  return verbs(
    { publish: 'publish', yank: 'delete', release: { kind: 'publish', uncertain: true } },
    ['-p', '--package', '--manifest-path', '--token', '--registry', '--version', '--vers'],
  )(args, surroundings);
};

/** `python -m twine upload`: the module is the program. */
const python: Rule = (args, surroundings) => {
  const at = args.findIndex(({ text }) => text === '-m');
  const module = args[at + 1]?.text;
  const rule = at >= 0 && module ? ownEntry(PUBLISH_RULES, module) : undefined;
  return rule?.(args.slice(at + 2), surroundings) ?? NOTHING;
};

/** Programs that put packages and images where others get them. */
export const PUBLISH_RULES: Readonly<Record<string, Rule | undefined>> = {
  npm: packageManager,
  pnpm: packageManager,
  yarn: packageManager,
  bun: packageManager,
  lerna: verbs({ publish: 'publish' }),
  nx: verbs({ release: 'publish', 'release publish': 'publish' }),
  changeset: verbs({ publish: 'publish' }),
  np: always('publish', true),
  'release-it': always('publish', true),
  'semantic-release': always('publish', true),
  jsr: verbs({ publish: 'publish' }),
  deno: verbs({ publish: 'publish', deploy: 'deploy' }),
  vsce: verbs({ publish: 'publish', unpublish: 'delete' }),
  ovsx: verbs({ publish: 'publish' }),
  cargo,
  twine: verbs({ upload: 'publish' }, ['-r', '--repository', '-u', '-p']),
  python,
  python3: python,
  poetry: verbs({ publish: 'publish' }),
  uv: verbs({ publish: 'publish' }),
  flit: verbs({ publish: 'publish' }),
  hatch: verbs({ publish: 'publish' }),
  gem: verbs({ push: 'publish', yank: 'delete' }),
  rake: verbs({ release: 'publish' }),
  docker: container,
  podman: container,
  nerdctl: container,
  buildah: verbs({ push: 'publish' }),
  crane: verbs({ push: 'publish', copy: 'publish', delete: 'delete' }),
  skopeo: verbs({ copy: 'publish', delete: 'delete', sync: 'publish' }),
  oras: verbs({ push: 'publish' }),
  mvn: verbs({ deploy: 'publish', 'clean deploy': 'publish' }),
  gradle: verbs({
    publish: 'publish',
    publishToMavenCentral: 'publish',
    publishPlugins: 'publish',
  }),
  './gradlew': verbs({
    publish: 'publish',
    publishToMavenCentral: 'publish',
    publishPlugins: 'publish',
  }),
  dotnet: verbs({ 'nuget push': 'publish', 'nuget delete': 'delete' }, [
    '-k',
    '--api-key',
    '-s',
    '--source',
  ]),
  nuget: verbs({ push: 'publish', delete: 'delete' }),
  dart: verbs({ 'pub publish': 'publish' }),
  flutter: verbs({ 'pub publish': 'publish' }),
  mix: verbs({ 'hex.publish': 'publish' }),
  pod: verbs({ 'trunk push': 'publish' }),
  goreleaser: verbs({ release: 'publish' }),
};
