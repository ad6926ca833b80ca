import type { CheckoutFacts } from '../../../protocol/checkout.ts';
import type { RunnerSummary } from '../../../protocol/http.ts';
import type { Api } from '../api.ts';
import { type Connection, connect, type ConnectionOptions } from '../connect.ts';
import { chooseRunner } from '../launch.ts';
import { readEveryPage } from '../pages.ts';

/** How many checkouts a machine is asked to look into at once. */
const PAGE_SIZE = 20;

export type CheckoutOptions = ConnectionOptions & { runner?: string };

/** The instance, and the machine on it that is meant: this one unless another is named. */
export async function connectToRunner(
  options: CheckoutOptions,
): Promise<Connection & { runner: RunnerSummary }> {
  const connection = connect(options, process.env);
  const runners = await connection.api.listRunners();
  return {
    ...connection,
    runner: chooseRunner(runners, options.runner, connection.localRunnerId),
  };
}

/** Every checkout on a machine, the one whose engine started last first. */
export const listEveryCheckout = (api: Api, runnerId: string): Promise<CheckoutFacts[]> =>
  readEveryPage((cursor) => api.listCheckouts(runnerId, { cursor, limit: PAGE_SIZE }));
