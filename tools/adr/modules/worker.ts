import { parentPort, workerData } from 'node:worker_threads';
import { matchFile } from './match-file.ts';
import { readFileEdges } from './read-file.ts';
import { createJsResolver } from './resolve-js.ts';
import type { Task, TaskResult, WorkerSetup } from './tasks.ts';

/** Answers tasks of `tasks.ts` until there are no more; one answer for each, in order. */
const { root, packages } = workerData as WorkerSetup;
const resolveJs = createJsResolver(root, packages);

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, no window
parentPort?.on('message', (task: Task) => parentPort?.postMessage(answer(task)));

function answer(task: Task): TaskResult {
  switch (task.kind) {
    case 'edges':
      return task.paths.map((path) => readFileEdges(root, path, resolveJs));
    case 'matches':
      return task.paths.map((path) => matchFile(root, path, task.query));
    default:
      return task satisfies never;
  }
}
