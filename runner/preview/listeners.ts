import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { basename } from 'node:path';
import type { SessionId } from '../../protocol/ids.ts';
import { isMarked } from '../process/mark.ts';
import { isRunning, listProcesses, type ProcessIdentity } from '../process/process-table.ts';
import { BRIDGE } from '../seal/argv.ts';

const LINUX = process.platform === 'linux';

/** A port that a process of a session listens on. */
export type Listener = {
  port: number;
  /** The address to call it under: of IPv6 where it listens on nothing else. */
  address: '127.0.0.1' | '::1';
  program: string;
  process: ProcessIdentity;
  /** The network namespace that it is in, where it is not the runner's own; null where it is. */
  network: string | null;
};

/** A listening TCP socket as the kernel lists it; `::` is every address, IPv4 too unless it says so. */
export type ListeningSocket = { inode: string; port: number; address: '127.0.0.1' | '::1' | '::' };

/** State 0A of `/proc/net/tcp` is LISTEN (proc_pid_net(5)). */
const LISTEN = '0A';

/**
 * Parses `/proc/<pid>/net/tcp` or `tcp6`: the sockets that listen where loopback reaches them. The
 * address is hexadecimal, in words of the machine's own byte order (proc_pid_net(5)).
 */
export function parseListening(text: string): ListeningSocket[] {
  return text
    .split('\n')
    .slice(1)
    .flatMap((line) => {
      const [, local = '', , state, , , , , , inode] = line.trim().split(/\s+/);
      const [host = '', port = ''] = local.split(':');
      const address = addressOf(host);
      if (state !== LISTEN || inode === undefined || address === null) return [];
      return [{ inode, port: Number.parseInt(port, 16), address }];
    });
}

/**
 * How loopback calls who listens there; null for any other address. At another one of loopback
 * (`127.0.0.2`) it is somebody else who has the same port at the usual one.
 */
function addressOf(host: string): ListeningSocket['address'] | null {
  if (/^(?:00000000|0100007F|7F000001)$/.test(host)) return '127.0.0.1';
  if (/^0{32}$/.test(host)) return '::';
  return /^0{24}(?:01000000|00000001)$/.test(host) ? '::1' : null;
}

/**
 * The ports that the processes of a session listen on, found out now: each process that carries its
 * mark, and no other. What the runner itself runs in a session's network is not among them.
 */
export function findListeners(sessionId: SessionId): Listener[] {
  const own = listProcesses().filter((row) => !row.zombie && isMarked(row.pid, sessionId));
  const found = LINUX ? own.flatMap(listenersOf) : own.flatMap(listenersByLsof);
  const first = new Map<number, Listener>();
  for (const each of found) if (!first.has(each.port)) first.set(each.port, each);
  return [...first.values()].toSorted((one, other) => one.port - other.port);
}

/** The network namespace of a process; null for one that cannot be looked at. */
const networkOf = (pid: number | 'self'): string | null => {
  try {
    return readlinkSync(`/proc/${pid}/ns/net`);
  } catch {
    return null;
  }
};

function listenersOf(row: ProcessIdentity): Listener[] {
  const argv = wordsOf(row.pid);
  const network = networkOf(row.pid);
  if (network === null || argv.some((word) => word.startsWith(`${BRIDGE}.`))) return [];
  const inodes = new Set(socketsOf(row.pid));
  const closed = network === networkOf('self') ? null : network;
  const program = programOf(argv);
  return ['tcp', 'tcp6']
    .flatMap((table) => parseListening(readText(`/proc/${row.pid}/net/${table}`)))
    .filter(({ inode }) => inodes.has(inode))
    .map(({ port, address }) => ({
      port,
      // It may have left IPv4 to somebody else, where there is anybody.
      address: address !== '::' ? address : closed === null ? '::1' : '127.0.0.1',
      program,
      process: row,
      network: closed,
    }));
}

/** What a program is called by whoever started it: the script, where another program runs it. */
export function programOf([first = '', second = '']: readonly string[]): string {
  const name = basename(first);
  const runs = /^(?:node|bun|deno|python[\d.]*|ruby|php)$/.test(name) && /^[^-]/.test(second);
  return runs ? `${name} ${basename(second)}` : name;
}

const wordsOf = (pid: number): string[] => readText(`/proc/${pid}/cmdline`).split('\0');

function socketsOf(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/fd`).flatMap((fd) => {
      try {
        return /^socket:\[(\d+)\]$/.exec(readlinkSync(`/proc/${pid}/fd/${fd}`))?.[1] ?? [];
      } catch {
        return [];
      }
    });
  } catch {
    // It ended, or is none of this user's.
    return [];
  }
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return '';
  }
}

/** `lsof -F` prints a field a line, each with its letter: command, address (lsof(8)). */
function listenersByLsof(row: ProcessIdentity): Listener[] {
  try {
    const words = ['-nP', '-a', '-p', String(row.pid), '-iTCP', '-sTCP:LISTEN', '-Fcn'];
    return parseLsof(execFileSync('lsof', words, { encoding: 'utf8', stdio: 'pipe' }), row);
  } catch {
    // `lsof` fails where it finds nothing.
    return [];
  }
}

/** Parses what `lsof -Fcn` says of a process's listening sockets. */
export function parseLsof(output: string, row: ProcessIdentity): Listener[] {
  const program = /^c(.+)$/m.exec(output)?.[1] ?? '';
  return [...output.matchAll(/^n(.*):(\d+)$/gm)].flatMap(([, host = '', port]) => {
    const local = /^(?:\*|127\.0\.0\.1|localhost)$/.test(host);
    const address = local ? '127.0.0.1' : host === '[::1]' ? '::1' : null;
    return address === null
      ? []
      : [{ port: Number(port), address, program, process: row, network: null }];
  });
}

/** Whether a listener is still who it was when it was found. */
export const isStillThere = ({ process: identity, network }: Listener): boolean =>
  isRunning(identity) && (network === null || networkOf(identity.pid) === network);
