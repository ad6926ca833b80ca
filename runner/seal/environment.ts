import { isSecretName } from '../guard/secrets.ts';

/**
 * Names that lead to power over the machine or a forge without looking like a secret: agents,
 * other programs' sockets, and what would turn git or a shell to something outside.
 */
const LEADS_OUT = [
  'SSH_AUTH_SOCK',
  'SSH_AGENT_PID',
  'SSH_ASKPASS',
  'GPG_AGENT_INFO',
  'DOCKER_HOST',
  'KUBECONFIG',
  'TMUX',
  'STY',
  'KITTY_LISTEN_ON',
  'VSCODE_IPC_HOOK_CLI',
  'BASH_ENV',
  'ENV',
  /^GIT_/,
  /^VSCODE_GIT_/,
  /^SUDO_/,
] as const;

/** Places that a seal does not have; without one, an engine's own login may be behind the bus. */
const OF_THE_DESKTOP = [
  'GNOME_KEYRING_CONTROL',
  'DBUS_SESSION_BUS_ADDRESS',
  'XDG_RUNTIME_DIR',
  'XAUTHORITY',
  'WAYLAND_DISPLAY',
  'DISPLAY',
] as const;

/** Whoever has one of these can merge; that an engine could pay with one is no reason to have it. */
const OF_A_FORGE = /^(GH|GITHUB|GITLAB|GITEA|BITBUCKET|CI_JOB)(_\w+)?_TOKEN$/;

/** Where temporary files go: inside a seal that is its own `/tmp`, whatever the machine says. */
const PLACES_OF_THE_MACHINE = ['TMPDIR', 'TMP', 'TEMP'] as const;

/** Names that a session keeps although they look like power. */
export type Kept = {
  /** Credentials of the engine itself. */
  engine: readonly string[];
  /** What a person named on this machine, in its limits or by approving an engine. */
  person: readonly string[];
};

/**
 * The environment of a session that holds no power: without everything that looks like a secret,
 * except what is kept.
 */
export function powerlessEnvironment(
  env: Readonly<Record<string, string>>,
  kept: Kept,
): Record<string, string> {
  const isKept = (name: string) =>
    kept.person.includes(name) || (kept.engine.includes(name) && !OF_A_FORGE.test(name));
  return Object.fromEntries(
    Object.entries(env).filter(([name]) => isKept(name) || !(leadsOut(name) || isSecretName(name))),
  );
}

/** The same inside a seal, which has a `/tmp` of its own and no desktop. */
export function sealedEnvironment(
  env: Readonly<Record<string, string>>,
  kept: Kept,
): Record<string, string> {
  const rest = powerlessEnvironment(env, kept);
  for (const name of [...PLACES_OF_THE_MACHINE, ...OF_THE_DESKTOP]) delete rest[name];
  return rest;
}

/**
 * Variables by which git works in another repository than the one that it stands in (git
 * rev-parse --local-env-vars, without those of configuration, and GIT_NAMESPACE). Git sets some of
 * them for what its hooks start, a runner among it.
 */
const OF_A_REPOSITORY: ReadonlySet<string> = new Set([
  'GIT_DIR',
  'GIT_WORK_TREE',
  'GIT_IMPLICIT_WORK_TREE',
  'GIT_COMMON_DIR',
  'GIT_INDEX_FILE',
  'GIT_OBJECT_DIRECTORY',
  'GIT_ALTERNATE_OBJECT_DIRECTORIES',
  'GIT_GRAFT_FILE',
  'GIT_SHALLOW_FILE',
  'GIT_REPLACE_REF_BASE',
  'GIT_NAMESPACE',
  'GIT_PREFIX',
  'GIT_INTERNAL_SUPER_PREFIX',
]);

/** The environment of a session that is open: the person's own, but that its git works where it does. */
export const openEnvironment = (env: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(env).filter(([name]) => !OF_A_REPOSITORY.has(name)));

const leadsOut = (name: string): boolean =>
  LEADS_OUT.some((known) => (typeof known === 'string' ? known === name : known.test(name)));
