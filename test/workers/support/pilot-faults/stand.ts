import { introspectWorkflow } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { makeCliToken, startEmpty } from '../http.ts';
import { Surroundings } from './faults.ts';

/** The one installation on which the runs of a file follow one another. Its clock never goes back. */
export class FaultStand {
  readonly cli: string;
  readonly around: Surroundings;
  readonly #drivers: { dispose(): Promise<void> };

  constructor(cli: string, drivers: { dispose(): Promise<void> }) {
    this.cli = cli;
    this.#drivers = drivers;
    this.around = new Surroundings();
  }

  /** Empty, with drivers that try again at once instead of after seconds. */
  static async open(): Promise<FaultStand> {
    await startEmpty();
    const drivers = await introspectWorkflow(env.PILOT);
    await drivers.modifyAll((driver) => driver.disableRetryDelays());
    return new FaultStand(await makeCliToken(), drivers);
  }

  async close(): Promise<void> {
    this.around.restore();
    await this.#drivers.dispose();
  }
}
