import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { homeOf } from '../home.ts';

/** Where the product itself lies: sources, migrations and what is built from them. */
export const PRODUCT_ROOT = fileURLToPath(new URL('../../', import.meta.url));

export type DataLayout = {
  root: string;
  /** State of the Worker: D1 and the Durable Objects. */
  worker: string;
  /** State of the runner: its database, spools and checkouts. */
  runner: string;
  /** The console's files that are served, those of earlier builds among them. */
  console: string;
  instanceFile: string;
  /** What encrypts the keys of brains; without it they cannot be read. */
  brainSecretFile: string;
  identityFile: string;
  lockFile: string;
  runnerLog: string;
  workerLog: string;
  workerdPidFile: string;
  runnerPidFile: string;
};

/** Where everything of one installation lies under its data directory. */
export function layoutOf(directory: string): DataLayout {
  const root = resolve(directory);
  return {
    root,
    worker: join(root, 'worker'),
    runner: join(root, 'runner'),
    console: join(root, 'console'),
    instanceFile: join(root, 'instance.json'),
    brainSecretFile: join(root, 'brain-keys.secret'),
    identityFile: join(root, 'identity.json'),
    lockFile: join(root, 'lock'),
    runnerLog: join(root, 'runner.log'),
    workerLog: join(root, 'worker.log'),
    workerdPidFile: join(root, 'workerd.pid'),
    runnerPidFile: join(root, 'runner.pid'),
  };
}

/** The data directory: the option, else `PILOTHOUSE_DATA`, else `~/.pilothouse`. */
export function dataDirectoryOf(option: string | undefined, env: NodeJS.ProcessEnv): string {
  return resolve(option || env['PILOTHOUSE_DATA'] || join(homeOf(env), '.pilothouse'));
}
