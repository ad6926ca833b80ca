import { once } from 'node:events';
import { connect, createServer, type Server } from 'node:net';
import type { networkInterfaces } from 'node:os';
import { listenFailure, LOOPBACK } from './port.ts';

/** The system's list of its own addresses, as `os.networkInterfaces` gives it. */
type Interfaces = ReturnType<typeof networkInterfaces>;

/** Every IPv4 address of this machine that others can reach, in the system's order. */
export function listAddresses(interfaces: Interfaces): string[] {
  return Object.values(interfaces)
    .flatMap((entries) => entries ?? [])
    .filter((entry) => entry.family === 'IPv4' && !entry.internal)
    .map((entry) => entry.address);
}

/**
 * Decides which addresses `--host` opens: the one named; each, for 0.0.0.0; or without a name
 * the first of a private network (RFC 1918), and none when there is no network.
 */
export function decideAddresses(option: string | true, interfaces: Interfaces): string[] {
  const own = listAddresses(interfaces);
  if (option === '0.0.0.0') return own;
  if (option !== true) return [option];
  const chosen =
    own.find((address) => /^(10\.|192\.168\.|172\.(1[6-9]|2\d|3[01])\.)/.test(address)) ?? own[0];
  return chosen ? [chosen] : [];
}

/**
 * Opens `port` of one more address and passes every connection to the Worker on loopback. The
 * Worker itself always listens on loopback alone, so what is open to others is exactly this.
 */
export async function openAddress(address: string, port: number): Promise<{ close(): void }> {
  const sockets = new Set<{ destroy(): void }>();
  const server: Server = createServer({ allowHalfOpen: true }, (incoming) => {
    const outgoing = connect({ port, host: LOOPBACK, allowHalfOpen: true });
    for (const [one, other] of [
      [incoming, outgoing],
      [outgoing, incoming],
    ] as const) {
      sockets.add(one);
      one.once('close', () => sockets.delete(one));
      // A reset by either side closes both; there is nobody to tell. An ordinary end goes through
      // the pipe, after what was still to be written.
      one.on('error', () => other.destroy());
      one.pipe(other);
    }
  });
  server.listen(port, address);
  try {
    await once(server, 'listening');
  } catch (error) {
    throw listenFailure(port, address, error);
  }
  return {
    close() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
