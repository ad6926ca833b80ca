import { readRunnerConfig } from '../config.ts';
import { Daemon } from '../daemon.ts';
import { EXIT, Failure } from '../failure.ts';
import { StoreLockedError } from '../link/store.ts';
import { REFUSED_FOR_GOOD } from '../host/runner-process.ts';
import { createLog } from '../log.ts';

/**
 * Runs sessions on this machine until it is told to stop (SIGINT, SIGTERM) or the server refuses
 * it. Throws a `Failure` whose sentence says what to do.
 */
export async function runRunner(env: NodeJS.ProcessEnv): Promise<void> {
  const config = readRunnerConfig(env);
  const log = createLog((line) => process.stderr.write(line));
  const { promise: ended, resolve } = Promise.withResolvers<Failure | null>();
  const daemon = openDaemon({
    config,
    env: { ...env, PILOTHOUSE_DATA: config.layout.root },
    log,
    onRefused: (reason, sentence) => {
      if (reason === 'revoked' || reason === 'unauthorized') process.send?.(REFUSED_FOR_GOOD);
      resolve(new Failure(EXIT.refused, reason, sentence));
    },
  });
  const stop = () => resolve(null);
  process.once('SIGINT', stop);
  process.once('SIGTERM', stop);
  daemon.start();
  const failure = await ended;
  log('info', 'the runner stops; its engines are ended first');
  await daemon.stop();
  if (failure) throw failure;
}

function openDaemon(options: ConstructorParameters<typeof Daemon>[0]): Daemon {
  try {
    return new Daemon(options);
  } catch (error) {
    if (!(error instanceof StoreLockedError)) throw error;
    throw new Failure(
      EXIT.refused,
      'runner_running',
      `A runner already works with ${options.config.layout.runner}, and two would drive the same sessions. Stop the other one, or set PILOTHOUSE_DATA to another directory.`,
      { cause: error },
    );
  }
}
