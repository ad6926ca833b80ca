import { randomBytes } from 'node:crypto';
import { hostname, networkInterfaces } from 'node:os';
import type { RunnerId } from '../../protocol/ids.ts';
import { EXIT, Failure } from '../failure.ts';
import { readPairing } from '../pairing.ts';
import { listAllowedHosts } from './allowed-hosts.ts';
import { readBrainSecret } from './brain-secret.ts';
import { buildParts, CONSOLE_PART, listStaleParts, outputOf, WORKER_PART } from './build.ts';
import { prepareDataDirectory } from './data-directory.ts';
import { createHostApi, type HostApi } from './host-api.ts';
import {
  readIdentity,
  readInstance,
  removeInstance,
  writeIdentity,
  writeInstance,
} from './instance.ts';
import { dataDirectoryOf, type DataLayout, layoutOf, PRODUCT_ROOT } from './layout.ts';
import { acquireLock } from './lock.ts';
import { createLogFile } from './log-file.ts';
import { decideAddresses, openAddress } from './open-address.ts';
import { reapOrphan } from './orphans.ts';
import { claimPort, LOOPBACK } from './port.ts';
import { superviseRunner } from './runner-process.ts';
import { serveConsole } from './serve-console.ts';
import { workerdEnvironment } from './workerd.ts';

export type HostOptions = {
  dataDirectory: string;
  /** 0 lets the system choose. */
  port: number;
  runner: boolean;
  /** An address to open besides loopback; true is the one of the local network. */
  open: string | true | null;
  /** Host names by which a tunnel or a proxy reaches this machine. */
  allowHosts: readonly string[];
  /** How commands are run on this machine; the console names them so. */
  commandName: string;
};

export type Host = {
  url: string;
  /** The other addresses at which the console answers. */
  openedUrls: readonly string[];
  /** What the command line uses: null values are what is not there (`--no-runner`). */
  cliToken: string;
  runnerId: RunnerId | null;
  /** Path of a new sign-in link. */
  createLink(): Promise<string>;
  /** Stops everything in the order that loses nothing. */
  stop(): Promise<void>;
};

/** Said once per step that takes long enough to be noticed. */
export type Progress = (step: string) => void;

/**
 * Starts an installation: the Worker with its data, the addresses, the runner. Whatever fails,
 * what was already started is stopped again.
 */
export async function startHost(options: HostOptions, progress: Progress): Promise<Host> {
  const undo: (() => Promise<void> | void)[] = [];
  const stop = async () => {
    for (let step = undo.pop(); step; step = undo.pop()) await step();
  };
  try {
    return { ...(await start(options, progress, undo)), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function start(
  options: HostOptions,
  progress: Progress,
  undo: (() => Promise<void> | void)[],
): Promise<Omit<Host, 'stop'>> {
  const layout = layoutOf(options.dataDirectory);
  prepareDataDirectory(layout);
  if (options.runner) refusePaired(layout);
  undo.push(takeLock(layout));
  await reapOrphans(layout);
  const port = await claimPort(options.port, LOOPBACK);
  const addresses = options.open === null ? [] : chooseAddresses(options.open);

  // Loading Miniflare takes half a second, in which the build has both processors' attention.
  const runtime = import('./embedded-worker.ts');
  const stale = listStaleParts(PRODUCT_ROOT, [WORKER_PART, CONSOLE_PART]);
  if (stale.length > 0) {
    progress(`Building the ${stale.map((part) => part.name).join(' and the ')}`);
    await buildParts(PRODUCT_ROOT, [WORKER_PART, CONSOLE_PART]);
  }

  progress('Starting');
  const hostToken = randomBytes(32).toString('base64url');
  Object.assign(process.env, workerdEnvironment(layout.workerdPidFile));
  const log = createLogFile(layout.workerLog);
  const worker = await (
    await runtime
  ).startEmbeddedWorker({
    bundleDirectory: outputOf(PRODUCT_ROOT, WORKER_PART),
    consoleDirectory: serveConsole(
      outputOf(PRODUCT_ROOT, CONSOLE_PART),
      layout.console,
      Date.now(),
    ),
    dataDirectory: layout.worker,
    port,
    bindings: {
      HOST_TOKEN: hostToken,
      BRAIN_KEYS_SECRET: readBrainSecret(layout.brainSecretFile),
      COMMAND_NAME: options.commandName,
      ALLOWED_HOSTS: listAllowedHosts(port, addresses, options.allowHosts).join(','),
    },
    onLog: (level, message) => log(`${new Date().toISOString()} ${level} ${message}\n`),
    onRestart: () =>
      log(`${new Date().toISOString()} warn workerd ended by itself and was started again\n`),
  });
  undo.push(() => worker.stop());
  for (const address of addresses) {
    const opened = await openAddress(address, port);
    undo.push(() => opened.close());
  }

  const api = createHostApi(worker.url, hostToken);
  const registered = await register(layout, api, options.runner);
  writeInstance(layout.instanceFile, {
    url: worker.url,
    pid: process.pid,
    cliToken: registered.cliToken,
    runnerId: registered.runner?.runnerId ?? null,
  });
  undo.push(() => removeInstance(layout.instanceFile));

  if (registered.runner) {
    const runner = superviseRunner({
      env: {
        PILOTHOUSE_URL: worker.url,
        PILOTHOUSE_DATA: layout.root,
        PILOTHOUSE_RUNNER_ID: registered.runner.runnerId,
        PILOTHOUSE_RUNNER_TOKEN: registered.runner.token,
      },
      pidFile: layout.runnerPidFile,
      log: createLogFile(layout.runnerLog),
    });
    undo.push(() => runner.stop());
  }
  return {
    url: worker.url,
    openedUrls: addresses.map((address) => `http://${address}:${port}`),
    cliToken: registered.cliToken,
    runnerId: registered.runner?.runnerId ?? null,
    createLink: () => api.createLink(),
  };
}

function takeLock(layout: DataLayout): () => void {
  const lock = acquireLock(layout.lockFile);
  if (lock) return () => lock.release();
  const running = readInstance(layout.instanceFile);
  throw new Failure(
    EXIT.failed,
    'already_running',
    running
      ? `Pilothouse already runs on ${layout.root}, at ${running.url} (process ${running.pid}). Use that one: \`${linkCommand(layout)}\` prints a sign-in link. Or start another with --data DIRECTORY --port PORT.`
      : `Another start on ${layout.root} is under way. Wait for it to print its address, or choose another directory with --data.`,
  );
}

/** What prints a link for this directory; the default one need not be named. */
function linkCommand({ root }: DataLayout): string {
  return root === dataDirectoryOf(undefined, process.env)
    ? 'pilothouse link'
    : `pilothouse link --data ${root}`;
}

/** What a killed host left: the runner first, so that its engines end, then workerd. */
async function reapOrphans(layout: DataLayout): Promise<void> {
  await reapOrphan(layout.runnerPidFile, `PILOTHOUSE_DATA=${layout.root}`, 10_000);
  await reapOrphan(
    layout.workerdPidFile,
    `PILOTHOUSE_WORKERD_PID_FILE=${layout.workerdPidFile}`,
    2_000,
  );
  removeInstance(layout.instanceFile);
}

function chooseAddresses(option: string | true): string[] {
  const addresses = decideAddresses(option, networkInterfaces());
  if (addresses.length > 0) return addresses;
  throw new Failure(
    EXIT.failed,
    'no_network',
    'This machine is on no network, so --host has no address to open. Connect to one, or leave --host out.',
  );
}

/** One directory is of one instance: a runner here would answer for the sessions of another. */
function refusePaired(layout: DataLayout): void {
  const paired = readPairing(layout);
  if (paired === null || readIdentity(layout.identityFile).runnerId !== null) return;
  throw new Failure(
    EXIT.refused,
    'data_in_use',
    `${layout.root} holds the sessions that this machine runs for ${paired.url}. Start with --no-runner, or with another directory: --data ${layout.root}-2.`,
  );
}

async function register(layout: DataLayout, api: HostApi, withRunner: boolean) {
  const known = readIdentity(layout.identityFile);
  const [runner, cliToken] = await Promise.all([
    withRunner ? api.registerRunner(known.runnerId, hostname()) : null,
    known.cliToken !== null && (await api.isTokenValid(known.cliToken))
      ? known.cliToken
      : api.createCliToken(`command line on ${hostname()}`),
  ]);
  writeIdentity(layout.identityFile, { runnerId: runner?.runnerId ?? known.runnerId, cliToken });
  return { runner, cliToken };
}
