import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

/**
 * Whether the program that opened a connection from this local port, on this machine, runs in a seal:
 * in another namespace of processes than the test. False as well where nobody has it any more. Linux
 * only (proc(5), `/proc/net/tcp`).
 */
export function isSealedPeer(port: number | undefined): boolean {
  const inode = port === undefined ? null : inodeOf(port);
  if (inode === null) return false;
  const socket = `socket:[${inode}]`;
  const pid = readdirSync('/proc').find(
    (name) => /^\d+$/.test(name) && linksOf(`/proc/${name}/fd`).includes(socket),
  );
  const namespaces = linksOf(`/proc/${pid}/ns`).filter((name) => name.startsWith('pid:'));
  return namespaces.length > 0 && !namespaces.includes(readlinkSync('/proc/self/ns/pid'));
}

function inodeOf(port: number): string | null {
  const local = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  for (const table of ['/proc/net/tcp', '/proc/net/tcp6'])
    for (const line of readFileSync(table, 'utf8').split('\n')) {
      const fields = line.trim().split(/\s+/);
      if (fields[1]?.endsWith(local)) return fields[9] ?? null;
    }
  return null;
}

/** Where the links of a directory lead; a process may be gone by now. */
function linksOf(directory: string): string[] {
  try {
    return readdirSync(directory).flatMap((name) => {
      try {
        return [readlinkSync(`${directory}/${name}`)];
      } catch {
        return [];
      }
    });
  } catch {
    return [];
  }
}
