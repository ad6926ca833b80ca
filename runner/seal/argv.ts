type Argv = readonly [string, ...string[]];

/** One place inside the seal. Later ones lie over earlier ones. */
export type Mount =
  /** A place of the machine, under its own name or another. */
  | { kind: 'show' | 'give'; from: string; at?: string }
  | { kind: 'link'; to: string; at: string }
  | { kind: 'empty'; at: string };

/** Everything that bubblewrap is told, found out beforehand: pure data. */
export type Room = {
  /** The absolute path of bubblewrap. */
  bubblewrap: string;
  mounts: readonly Mount[];
  /** Ids that the processes see themselves under: never 0, whoever runs the runner. */
  uid: number;
  gid: number;
  directory: string;
  /** A network of its own, with no more on it than these ports; null has the machine's. */
  network: ClosedNetwork | null;
};

export type ClosedNetwork = {
  /** Holds a socket for each port, and the program that leads to them. */
  ports: string;
  /** The absolute path of node, which leads where perl does not. */
  node: string;
};

/** How many processes of the seal stand before the engine: bubblewrap, and the first of the namespace. */
export const SEAL_DEPTH = 2;

/** Namespaces of every sealed process, and the one of a session that is kept to its model. */
export const NAMESPACES = ['--unshare-user', '--unshare-pid', '--unshare-ipc'] as const;
export const NETWORK_NAMESPACE = '--unshare-net';

/** Where a session finds its ports: short, as the name of a socket has to be. */
const PORTS = '/run/ports';

/** What leads to its ports, by the language that each form of it is in. */
export const BRIDGE = `${PORTS}/bridge`;

/**
 * Runs the bridge before the engine, which takes the place of this shell. The bridge is nobody's
 * child, and ends with the engine. Without it nothing is run: what cannot be reached is not missed.
 */
const BRIDGED = `
lead() { env -i "$@" $$ 3>&1 </dev/null >/dev/null 2>&1 & }
said=$([ ! -x /usr/bin/perl ] || lead /usr/bin/perl "$1.pl")
[ "$said" = open ] || said=$(lead "$0" --max-semi-space-size=1 --max-old-space-size=32 "$1.mjs")
if [ "$said" != open ]; then echo 'The network of this session could not be opened.' >&2; exit 71; fi
shift
exec "$@"`;

/**
 * The command line that runs `argv` in a room of its own. The environment is inherited, because
 * an argument is everybody's to read; and nothing ends with the runner, which engines outlive.
 */
export function sealedArgv(room: Room, argv: Argv): [string, ...string[]] {
  const { bubblewrap, mounts, uid, gid, directory, network } = room;
  return [
    bubblewrap,
    ...NAMESPACES,
    ...(network ? [NETWORK_NAMESPACE] : []),
    '--uid',
    String(uid),
    '--gid',
    String(gid),
    '--proc',
    '/proc',
    '--dev',
    '/dev',
    ...mounts.flatMap(mountArguments),
    ...(network ? ['--ro-bind', network.ports, PORTS] : []),
    // Whatever is in no place above would fill the machine's memory.
    '--remount-ro',
    '/',
    '--chdir',
    directory,
    '--',
    ...(network ? ['/bin/sh', '-c', BRIDGED, network.node, BRIDGE] : []),
    ...argv,
  ];
}

function mountArguments(mount: Mount): string[] {
  switch (mount.kind) {
    case 'show':
      return ['--ro-bind', mount.from, mount.at ?? mount.from];
    case 'give':
      return ['--bind', mount.from, mount.at ?? mount.from];
    case 'link':
      return ['--symlink', mount.to, mount.at];
    case 'empty':
      return ['--tmpfs', mount.at];
    default:
      return mount satisfies never;
  }
}
