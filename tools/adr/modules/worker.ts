import { parentPort, workerData } from 'node:worker_threads';
import { lookAtFile } from './look.ts';
import { FILES_A_CHUNK, type ThreadTask } from './reads.ts';
import { createJsResolver } from './resolve-js.ts';
import type { WorkerSetup } from './threads.ts';

/**
 * Takes chunks of a plan by a counter that it shares with other threads, until there are none, and
 * answers each by itself. So nobody waits for a main thread that is busy.
 */
const { root, packages } = workerData as WorkerSetup;
const resolveJs = createJsResolver(root, packages);

parentPort?.on('message', ({ plan, next }: ThreadTask) => {
  const { files, queries } = plan;
  for (;;) {
    const at = Atomics.add(next, 0, 1) * FILES_A_CHUNK;
    if (at >= files.length) break;
    const chunk = files.slice(at, at + FILES_A_CHUNK);
    const answers = chunk.map((task) => lookAtFile(root, task, queries, resolveJs));
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, no window
    parentPort?.postMessage(answers);
  }
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, no window
  parentPort?.postMessage(null);
});
