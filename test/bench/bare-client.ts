import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

export type BareRelay = { producerUrl: string; viewerUrl: string; stop(): void };

/** Starts the bare relay in a process of its own, as the Worker is one. */
export async function startBareRelay(): Promise<BareRelay> {
  const child = fork(fileURLToPath(new URL('./bare-relay.ts', import.meta.url)));
  const [{ url }] = (await once(child, 'message')) as [{ url: string }];
  return {
    producerUrl: `${url}/in`,
    viewerUrl: `${url}/out`,
    stop: () => child.disconnect(),
  };
}
