import { env } from 'cloudflare:workers';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { LAWS } from '../support/pilot-faults/oracle.ts';
import { FaultRun } from '../support/pilot-faults/run.ts';
import { FaultStand } from '../support/pilot-faults/stand.ts';

/** A few in every build; `npm run test:pilot-faults` runs hundreds, `PILOT_FAULT_SEED=` one again. */
const FIRST_SEED = Number(env.PILOT_FAULT_SEED);
const seeds = Array.from({ length: Number(env.PILOT_LIVE_RUNS) }, (_, index) => FIRST_SEED + index);

let stand: FaultStand;
beforeAll(async () => {
  stand = await FaultStand.open();
});
afterAll(() => stand.close());

it.each(seeds)(
  'seed %i: what the machine, the model and the tables saw of the real Worker breaks no law',
  async (seed) => {
    const { laws, seen } = await new FaultRun(seed, stand).judge();
    const words = laws.map((law) => `PILOT_FAULT_SEED=${seed}: ${LAWS[law]}`);
    expect(words, JSON.stringify(seen, null, 1)).toEqual([]);
  },
  180_000,
);
