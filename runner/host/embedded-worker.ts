import { readFileSync } from 'node:fs';
import { convertV4MiniflareOptions, Miniflare } from 'miniflare';
import { z } from 'zod';
import { EXIT, Failure, messageOf } from '../failure.ts';
import { readBundle } from './bundle.ts';
import { applyMigrations, type MigrationDatabase } from './migrations.ts';
import { LOOPBACK } from './port.ts';

const WORKER_NAME = 'pilothouse';
const STOP_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
/** The D1 binding of wrangler.toml. */
const DATABASE_BINDING = 'DB';
/** The Worker's way to addresses that its user named (`workers/env.ts`). */
const OUTSIDE_BINDING = 'OUTSIDE';
const PUBLIC_ADDRESSES = { network: { allow: ['public'], tlsOptions: { trustBrowserCas: true } } };

export type EmbeddedWorkerOptions = {
  bundleDirectory: string;
  consoleDirectory: string;
  dataDirectory: string;
  port: number;
  bindings: Readonly<Record<string, string>>;
  /** Called with what the Worker logs; nothing of it reaches the terminal. */
  onLog(level: string, message: string): void;
  /** Called after workerd died by itself and was started again. */
  onRestart(): void;
};

export type EmbeddedWorker = { url: string; stop(): Promise<void> };

const assetsSchema = z.record(z.string(), z.unknown());

/**
 * Starts workerd with the built Worker on loopback, its data under `dataDirectory`, and applies
 * the migrations. Miniflare starts workerd again when it dies by itself.
 */
export async function startEmbeddedWorker(options: EmbeddedWorkerOptions): Promise<EmbeddedWorker> {
  const bundle = readBundle(options.bundleDirectory);
  const assets = assetsSchema.parse(bundle.options['assets']);
  const settings = convertV4MiniflareOptions({
    host: LOOPBACK,
    port: options.port,
    cf: false,
    resourcePersistencePath: options.dataDirectory,
    telemetry: { enabled: false },
    logRequests: false,
    handleStructuredLogs: ({ level, message }) => options.onLog(level, message),
    unsafeHandleRuntimeRestart: options.onRestart,
    workers: [
      {
        ...bundle.options,
        name: WORKER_NAME,
        bindings: {
          ...z.record(z.string(), z.string()).parse(bundle.options['bindings'] ?? {}),
          ...options.bindings,
        },
        assets: { ...assets, directory: options.consoleDirectory },
        // By what a name resolves to: it leads into no network of this machine's.
        serviceBindings: { [OUTSIDE_BINDING]: PUBLIC_ADDRESSES },
        // Else modules are named from the working directory, and workerd takes no name with `..`.
        modulesRoot: options.bundleDirectory,
        modules: [
          { type: 'ESModule', path: bundle.script, contents: readFileSync(bundle.script, 'utf8') },
        ],
      },
    ],
  });
  const miniflare = keepSignals(() => new Miniflare(settings));
  try {
    const url = await miniflare.ready;
    const database: MigrationDatabase = await miniflare.getD1Database(DATABASE_BINDING);
    await applyMigrations(database, bundle.migrations);
    return { url: url.origin, stop: () => miniflare.dispose() };
  } catch (error) {
    // It rejects with what kept workerd from starting, which is told below.
    await miniflare.dispose().catch(() => undefined);
    if (error instanceof Failure) throw error;
    throw new Failure(
      EXIT.failed,
      'worker_failed',
      `The embedded Worker did not start, so nothing is running: ${messageOf(error)}`,
      { cause: error },
    );
  }
}

/**
 * Runs `create` and takes back the signal handlers that it installs. Miniflare ends the process
 * at the first signal; here the host decides what is stopped in which order.
 */
function keepSignals<T>(create: () => T): T {
  const before = new Map(STOP_SIGNALS.map((signal) => [signal, process.listeners(signal)]));
  const created = create();
  for (const signal of STOP_SIGNALS) {
    for (const listener of process.listeners(signal)) {
      if (!before.get(signal)?.includes(listener)) process.off(signal, listener);
    }
  }
  return created;
}
