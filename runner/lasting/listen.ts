import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import type { AddressInfo, Server } from 'node:net';
import { portPath } from './files.ts';

/** Listens on loopback where it did before, because engines outlive it. Returns the port. */
export async function listenWhereBefore(server: Server, root: string): Promise<number> {
  const path = portPath(root);
  const kept = existsSync(path) ? Number(readFileSync(path, 'utf8')) : 0;
  await listenOn(server, kept).catch(() => listenOn(server, 0));
  const { port } = server.address() as AddressInfo;
  writeFileSync(path, String(port), { mode: 0o600 });
  return port;
}

function listenOn(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => {
      server.off('error', reject);
      resolve();
    });
  });
}
