import { EXIT, Failure } from '../failure.ts';
import { readInstance } from '../host/instance.ts';
import { dataDirectoryOf, layoutOf } from '../host/layout.ts';
import { createApi, type Api } from './api.ts';

/** The options that every command on the API has. */
export type ConnectionOptions = { data?: string; json?: boolean };

export type Connection = {
  api: Api;
  url: string;
  token: string;
  /** The runner of this very machine, where the instance has one. */
  localRunnerId: string | null;
};

/**
 * Finds the instance to talk to: `PILOTHOUSE_URL` with `PILOTHOUSE_TOKEN`, else the one that
 * runs on this machine's data directory. A token is never taken from the command line, where
 * every user of the machine could read it.
 */
export function connect(options: ConnectionOptions, env: NodeJS.ProcessEnv): Connection {
  const { PILOTHOUSE_URL: url, PILOTHOUSE_TOKEN: token } = env;
  if (url && token) return { api: createApi(url, token), url, token, localRunnerId: null };
  const layout = layoutOf(dataDirectoryOf(options.data, env));
  const instance = readInstance(layout.instanceFile);
  if (!instance) {
    throw new Failure(
      EXIT.unreachable,
      'not_running',
      `Pilothouse is not running on ${layout.root}. Start it with npm start, name another directory with --data, or set PILOTHOUSE_URL and PILOTHOUSE_TOKEN.`,
    );
  }
  return {
    api: createApi(instance.url, instance.cliToken),
    url: instance.url,
    token: instance.cliToken,
    localRunnerId: instance.runnerId,
  };
}
