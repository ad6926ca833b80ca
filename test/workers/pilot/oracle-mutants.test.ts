import { env } from 'cloudflare:workers';
import { expect, it } from 'vitest';
import { FaultRun } from '../support/pilot-faults/run.ts';
import { FaultStand } from '../support/pilot-faults/stand.ts';
import { MUTANTS } from '../support/pilot-faults/mutants.ts';

/** Seeds in which a fault of the product may show; none but the first that shows it is run. */
const SEEDS = Array.from({ length: 12 }, (_, index) => 1_001 + index);

/** Each lives through some runs, so that they come with the hundreds and not in every build. */
const [share = 0, of = MUTANTS.length] = env.PILOT_MUTANTS.split('/').map(Number);
const mutants = MUTANTS.filter((_, index) => index % of === share);

it.each(mutants)(
  'a Worker that $does is found out',
  async ({ law, longs, sabotage }) => {
    const mend = sabotage();
    const stand = await FaultStand.open();
    try {
      const found = new Set<string>();
      for (const seed of SEEDS) {
        for (const each of (await new FaultRun(seed, stand, longs).judge()).laws) found.add(each);
        if (found.has(law)) break;
      }
      expect([...found]).toContain(law);
    } finally {
      await stand.close();
      mend();
    }
  },
  300_000,
);
