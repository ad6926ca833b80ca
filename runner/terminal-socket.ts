import { createHash } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A socket's path may have so many bytes on every system that has tmux (sys/un.h). */
const SOCKET_MAX_BYTES = 100;

/** Tells sessions of one runner's directory for terminals from those of another. */
export const terminalMarkerOf = (root: string): string =>
  createHash('sha256').update(root).digest('hex').slice(0, 16);

/** Where a runner's own tmux server listens, by its directory for terminals. */
export const terminalSocketOf = (root: string): string => socketIn(root, 'tmux.sock');

/** Where coding agents in its terminals bring what they ask. */
export const questionSocketOf = (root: string): string => socketIn(root, 'ask.sock');

function socketIn(root: string, file: string): string {
  const own = join(root, file);
  if (Buffer.byteLength(own) <= SOCKET_MAX_BYTES) return own;
  const name = `pilothouse-${process.getuid?.() ?? 0}-${terminalMarkerOf(root)}`;
  return join(tmpdir(), name, file);
}
