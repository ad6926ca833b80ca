import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { type CodeQuery, type FileMatches, matchFile } from './match-file.ts';
import { readFileEdges } from './read-file.ts';
import { createJsResolver, type Packages } from './resolve-js.ts';
import type { FileEdges } from './types.ts';

export type WorkerSetup = { root: string; packages: Packages };
export type Task =
  | { kind: 'edges'; paths: string[] }
  | { kind: 'matches'; paths: string[]; query: CodeQuery };
export type TaskResult = FileEdges[] | FileMatches[];

/** Below this a second thread costs more time to start than it saves. */
const ALONE_UP_TO_FILES = 700;
/** Small enough to share the work evenly, large enough that messages cost nothing beside it. */
const FILES_A_TASK = 100;
const MAX_THREADS = 8;

/** As source, and as bundled into the tool's own package. */
const WORKER = import.meta.url.endsWith('.ts')
  ? new URL('./worker.ts', import.meta.url)
  : new URL('./worker.mjs', import.meta.url);

/**
 * Parses files on all processors. Threads start at the first large batch and are kept until
 * `close`; a thread that fails rejects what is under way.
 */
export function createParser(setup: WorkerSetup) {
  let threads: Worker[] = [];
  const resolveJs = createJsResolver(setup.root, setup.packages);

  async function run<Result>(
    paths: readonly string[],
    alone: (path: string) => Result,
    taskOf: (paths: string[]) => Task,
  ): Promise<Result[]> {
    const count = Math.min(availableParallelism(), MAX_THREADS);
    if (paths.length <= ALONE_UP_TO_FILES || count < 2) return paths.map(alone);
    if (threads.length === 0) {
      threads = Array.from({ length: count }, () => new Worker(WORKER, { workerData: setup }));
    }
    const chunks: string[][] = [];
    for (let at = 0; at < paths.length; at += FILES_A_TASK) {
      chunks.push(paths.slice(at, at + FILES_A_TASK));
    }
    const results: Result[][] = [];
    let next = 0;
    const drain = async (thread: Worker): Promise<void> => {
      while (next < chunks.length) {
        const index = next++;
        // oxlint-disable-next-line no-await-in-loop -- a thread takes one task after another
        results[index] = (await ask(thread, taskOf(chunks[index] ?? []))) as Result[];
      }
    };
    await Promise.all(threads.map(drain));
    return results.flat();
  }

  return {
    edges: (paths: readonly string[]): Promise<FileEdges[]> =>
      run(
        paths,
        (path) => readFileEdges(setup.root, path, resolveJs),
        (some) => ({ kind: 'edges', paths: some }),
      ),
    matches: (paths: readonly string[], query: CodeQuery): Promise<FileMatches[]> =>
      run(
        paths,
        (path) => matchFile(setup.root, path, query),
        (some) => ({ kind: 'matches', paths: some, query }),
      ),
    close: async (): Promise<void> => {
      await Promise.all(threads.map((thread) => thread.terminate()));
      threads = [];
    },
  };
}
export type Parser = ReturnType<typeof createParser>;

function ask(thread: Worker, task: Task): Promise<TaskResult> {
  return new Promise((resolve, reject) => {
    const onError = (error: Error): void => reject(error);
    thread.once('error', onError);
    thread.once('message', (result: TaskResult) => {
      thread.off('error', onError);
      resolve(result);
    });
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, no window
    thread.postMessage(task);
  });
}
