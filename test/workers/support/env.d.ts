import type { D1Migration } from 'cloudflare:test';
import type * as main from '../../../workers/index.ts';
import type { Env as WorkerEnv } from '../../../workers/env.ts';

declare global {
  namespace Cloudflare {
    interface Env extends WorkerEnv {
      TEST_MIGRATIONS: D1Migration[];
      PILOT_FAULT_RUNS: string;
      PILOT_FAULT_SEED: string;
      PILOT_LIVE_RUNS: string;
      PILOT_MUTANTS: string;
    }
    interface GlobalProps {
      mainModule: typeof main;
    }
  }
}
