import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { type FileAnswer, lookAtFile } from './look.ts';
import type { ReadingPlan, ThreadTask } from './reads.ts';
import { createJsResolver, type JsResolver, type Packages } from './resolve-js.ts';

export type WorkerSetup = { root: string; packages: Packages };

/** Below this a second thread costs more time to start than it saves. */
const ALONE_UP_TO_FILES = 700;
const MAX_THREADS = 8;

/** As source, and as bundled into the tool's own package. */
const WORKER = import.meta.url.endsWith('.ts')
  ? new URL('./worker.ts', import.meta.url)
  : new URL('./worker.mjs', import.meta.url);

export type Reader = {
  /** Starts the threads that so many files want, while there is something else to do. */
  warm(files: number): void;
  read(plan: ReadingPlan): Promise<FileAnswer[]>;
  close(): Promise<void>;
};

/**
 * Reads and parses files on all processors. Threads start at the first large plan and are kept
 * until `close`; a thread that fails rejects what is under way.
 */
export function createReader(setup: WorkerSetup): Reader {
  let threads: Worker[] = [];
  let failure: Error | null = null;
  let own: JsResolver | null = null;
  const warm = (files: number): void => {
    const count = Math.min(availableParallelism(), MAX_THREADS);
    if (threads.length > 0 || files <= ALONE_UP_TO_FILES || count < 2) return;
    threads = Array.from({ length: count }, () => new Worker(WORKER, { workerData: setup }));
    for (const thread of threads) thread.once('error', (error: Error) => (failure = error));
  };
  return {
    warm,
    read: async (plan) => {
      const { files, queries } = plan;
      warm(files.length);
      if (failure) throw failure;
      if (threads.length === 0 || files.length <= ALONE_UP_TO_FILES) {
        const resolveJs = (own ??= createJsResolver(setup.root, setup.packages));
        return files.map((task) => lookAtFile(setup.root, task, queries, resolveJs));
      }
      const next = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
      return (await Promise.all(threads.map((one) => ask(one, { plan, next })))).flat();
    },
    close: async () => {
      await Promise.all(threads.map((thread) => thread.terminate()));
      threads = [];
    },
  };
}

/** Gives a thread its share of a plan, and resolves with what it answered once it says it is done. */
function ask(thread: Worker, task: ThreadTask): Promise<FileAnswer[]> {
  return new Promise((resolve, reject) => {
    const answers: FileAnswer[] = [];
    const finish = (): void => {
      thread.off('error', onError);
      thread.off('message', onMessage);
    };
    const onError = (error: Error): void => {
      finish();
      reject(error);
    };
    const onMessage = (chunk: FileAnswer[] | null): void => {
      if (chunk) answers.push(...chunk);
      else {
        finish();
        resolve(answers);
      }
    };
    thread.on('error', onError);
    thread.on('message', onMessage);
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, no window
    thread.postMessage(task);
  });
}
