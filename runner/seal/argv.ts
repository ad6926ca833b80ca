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
};

/** How many processes of the seal stand before the engine: bubblewrap, and the first of the namespace. */
export const SEAL_DEPTH = 2;

/** Namespaces of every sealed process; the network stays the machine's. */
export const NAMESPACES = ['--unshare-user', '--unshare-pid', '--unshare-ipc'] as const;

/**
 * The command line that runs `argv` in a room of its own. The environment is inherited, because
 * an argument is everybody's to read; and nothing ends with the runner, which engines outlive.
 */
export function sealedArgv(room: Room, argv: Argv): [string, ...string[]] {
  const { bubblewrap, mounts, uid, gid, directory } = room;
  return [
    bubblewrap,
    ...NAMESPACES,
    '--uid',
    String(uid),
    '--gid',
    String(gid),
    '--proc',
    '/proc',
    '--dev',
    '/dev',
    ...mounts.flatMap(mountArguments),
    // Whatever is in no place above would fill the machine's memory.
    '--remount-ro',
    '/',
    '--chdir',
    directory,
    '--',
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
