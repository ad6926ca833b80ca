import type { D1Migration } from 'cloudflare:test';
import type * as main from '../../../workers/index.ts';
import type { Env as WorkerEnv } from '../../../workers/env.ts';

declare global {
  namespace Cloudflare {
    interface Env extends WorkerEnv {
      TEST_MIGRATIONS: D1Migration[];
    }
    interface GlobalProps {
      mainModule: typeof main;
    }
  }
}
