import { isSecretName } from '../guard/secrets.ts';

/**
 * Names that lead to power over the machine or a forge without looking like a secret: agents,
 * buses, other programs' sockets, and what would turn git or a shell to something outside.
 */
const LEADS_OUT = [
  'SSH_AUTH_SOCK',
  'SSH_AGENT_PID',
  'SSH_ASKPASS',
  'GPG_AGENT_INFO',
  'GNOME_KEYRING_CONTROL',
  'DBUS_SESSION_BUS_ADDRESS',
  'XDG_RUNTIME_DIR',
  'XAUTHORITY',
  'WAYLAND_DISPLAY',
  'DISPLAY',
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

/** Where temporary files go: inside a seal that is its own `/tmp`, whatever the machine says. */
const PLACES_OF_THE_MACHINE = ['TMPDIR', 'TMP', 'TEMP'] as const;

/**
 * The environment of a session that holds no power: without everything that looks like a secret,
 * except what `kept` names (the engine's own credential, and what the machine's limits add).
 */
export function powerlessEnvironment(
  env: Readonly<Record<string, string>>,
  kept: readonly string[],
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).filter(
      ([name]) => kept.includes(name) || !(leadsOut(name) || isSecretName(name)),
    ),
  );
}

/** The same inside a seal, which has a `/tmp` of its own. */
export function sealedEnvironment(
  env: Readonly<Record<string, string>>,
  kept: readonly string[],
): Record<string, string> {
  const rest = powerlessEnvironment(env, kept);
  for (const name of PLACES_OF_THE_MACHINE) delete rest[name];
  return rest;
}

const leadsOut = (name: string): boolean =>
  LEADS_OUT.some((known) => (typeof known === 'string' ? known === name : known.test(name)));
