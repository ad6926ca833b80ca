import { InvalidArgumentError, type Command } from 'commander';
import type { EngineReadiness } from '../../protocol/machine.ts';
import { isHostName } from '../host/allowed-hosts.ts';
import type { Host } from '../host/host.ts';
import { dataDirectoryOf } from '../host/layout.ts';
import { requirePlatform } from '../host/platform-check.ts';
import { DEFAULT_PORT } from '../host/port.ts';
import { commandNameOf } from './command-name.ts';
import { paintFor, say } from './output.ts';
import { awaitEngines } from './up-engines.ts';
import { describeEngines, describeLinks, describeOpening } from './up-summary.ts';

type UpOptions = {
  port: number;
  data?: string;
  runner: boolean;
  host?: string | true;
  allowHost?: string[];
};

const EXAMPLES = `
Examples:
  npm start                                   on this machine alone
  npm start -- --port 8080 --data ~/pilothouse-data
  npm start -- --host                         also for a phone on the same network
  npm start -- --allow-host laptop.example.ts.net   behind Tailscale or a tunnel`;

/** `pilothouse up`: what `npm start` runs. Ends when it is told to stop. */
export function addUp(program: Command): void {
  program
    .command('up')
    .description('start Pilothouse on this machine and print a sign-in link')
    .option('--port <port>', 'port to listen on', parsePort, DEFAULT_PORT)
    .option('--data <directory>', 'where everything is kept (default: ~/.pilothouse)')
    .option('--no-runner', 'start without a runner on this machine')
    .option('--host [address]', 'also open it to others: to the local network, or on this address')
    .option('--allow-host <name>', 'answer to this host name too; may be repeated', collectHost)
    .addHelpText('after', EXAMPLES)
    .action(runUp);
}

async function runUp(options: UpOptions): Promise<void> {
  requirePlatform(process.platform, process.version);
  const paint = paintFor(process.stdout);
  const tell = (text: string) => say(`${text}\n`);
  const stopped = awaitStopSignal();
  // Loaded here, so that every other command stays free of the host's packages.
  const { startHost } = await import('../host/host.ts');
  const host = await startHost(
    {
      dataDirectory: dataDirectoryOf(options.data, process.env),
      port: options.port,
      runner: options.runner,
      open: options.host ?? null,
      allowHosts: options.allowHost ?? [],
      commandName: commandNameOf(process.env),
    },
    (step) => tell(paint('dim', `${step} …`)),
  );
  try {
    tell(describeLinks(host.url, await host.createLink(), paint));
    if (host.openedUrls.length > 0)
      tell(describeOpening(host.openedUrls, await host.createLink(), paint));
    await Promise.race([
      tellEngines(host, (engines) => tell(describeEngines(engines, paint))),
      stopped,
    ]);
    await stopped;
    tell(paint('dim', 'Stopping …'));
  } finally {
    await host.stop();
  }
}

/** How long the summary waits for the runner's first word, and how long it is listened for then. */
const ENGINES_WAITS_MS = [10_000, 120_000];

/** Tells what the engines need once the runner says it; a runner that is slow is said to be. */
async function tellEngines(
  host: Host,
  tell: (engines: EngineReadiness[] | null) => void,
): Promise<void> {
  if (!host.runnerId) return;
  for (const waitMs of ENGINES_WAITS_MS) {
    const engines = await awaitEngines(host.url, host.cliToken, host.runnerId, waitMs);
    tell(engines);
    if (engines) return;
  }
}

/** Signals this close together are one request: a terminal and npm both pass Ctrl-C on. */
const SAME_REQUEST_MS = 1_000;

/** Resolves at the first request to stop; a second one ends the process at once. */
function awaitStopSignal(): Promise<'stop'> {
  return new Promise((resolve) => {
    let askedAt: number | null = null;
    const ask = () => {
      if (askedAt !== null && Date.now() - askedAt > SAME_REQUEST_MS) process.exit(130);
      askedAt ??= Date.now();
      resolve('stop');
    };
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, ask);
  });
}

/** A port as typed, in digits alone: an empty text is a mistake and not a zero. */
function parsePort(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (!(port <= 65_535)) {
    throw new InvalidArgumentError(
      'A port is a number from 1 to 65535, or 0 for any that is free.',
    );
  }
  return port;
}

function collectHost(name: string, before: string[] = []): string[] {
  if (!isHostName(name)) {
    throw new InvalidArgumentError(
      'Give the host name alone, as in laptop.example.ts.net, without https:// and without a path.',
    );
  }
  return [...before, name];
}
