import { cloudflareTest, readD1Migrations } from '@cloudflare/vitest-plugin';
import { defineConfig } from 'vitest/config';
import { answerOutside } from './test/support/webhooks/receiver.ts';

/** Left to itself the runner of tests keeps one core free, which is half of two. */
const EVERY_CORE = 2;

/** What takes a minute and more by itself: run with the proofs of real engines, by hand. */
const LONG = [
  'test/e2e/fork.test.ts',
  'test/e2e/preview-browser.test.ts',
  'test/e2e/takeover-push.test.ts',
  'test/runner/seal/lfs.test.ts',
];

/** What needs a page without drawing one. */
const DOM = 'test/console/**/*.dom.test.ts';

/** For what begins processes of its own. Machines of e2e files end beside each other: one may still see the other’s. */
const NO_LEFTOVERS = ['test/support/no-leftovers.ts'];

/**
 * One project per runtime. Files share the modules they load where nothing of a page is kept in
 * one: reading those again for every file takes longer than the tests. Tests of the Worker run
 * inside workerd, with the migrations applied from the same files that a deployment uses.
 */
export default defineConfig(async () => {
  const migrations = await readD1Migrations('migrations');
  return {
    test: {
      projects: [
        {
          test: {
            name: 'protocol',
            include: ['test/protocol/**/*.test.ts'],
            isolate: false,
            maxWorkers: EVERY_CORE,
          },
        },
        {
          test: {
            name: 'runner',
            setupFiles: NO_LEFTOVERS,
            include: ['test/runner/**/*.test.ts'],
            exclude: LONG,
            isolate: false,
            testTimeout: 30_000,
            hookTimeout: 30_000,
            // Most of them wait for processes: one more than two cores keeps those busy.
            maxWorkers: 3,
          },
        },
        {
          test: {
            name: 'console',
            environment: 'happy-dom',
            include: ['test/console/**/*.test.tsx', DOM],
            // A page of its own for every file, in half the time that a process of its own takes.
            pool: 'vmThreads',
            maxWorkers: EVERY_CORE,
          },
        },
        {
          test: {
            name: 'console-logic',
            include: ['test/console/**/*.test.ts'],
            exclude: [DOM],
            isolate: false,
            maxWorkers: EVERY_CORE,
          },
        },
        {
          test: {
            name: 'repo',
            include: ['test/{repo,tools,bench}/**/*.test.ts'],
            isolate: false,
            testTimeout: 60_000,
            hookTimeout: 60_000,
            maxWorkers: EVERY_CORE,
          },
        },
        {
          test: {
            name: 'e2e',
            include: ['test/e2e/**/*.test.ts', 'test/faults/**/*.test.ts'],
            exclude: LONG,
            testTimeout: 120_000,
            hookTimeout: 120_000,
            // Each file has a machine of its own, and waits for it most of the time.
            maxWorkers: 3,
          },
        },
        {
          test: {
            name: 'adr-pack',
            include: ['test/adr-pack/**/*.test.ts'],
            testTimeout: 300_000,
            hookTimeout: 300_000,
          },
        },
        {
          test: {
            name: 'engines',
            setupFiles: NO_LEFTOVERS,
            include: ['test/engines/**/*.test.ts', ...LONG],
            // Real engines on a loaded machine: OpenCode alone takes a minute to its first turn.
            testTimeout: 240_000,
            hookTimeout: 300_000,
            fileParallelism: false,
          },
        },
        {
          plugins: [
            cloudflareTest({
              wrangler: { configPath: './wrangler.toml' },
              miniflare: {
                serviceBindings: { OUTSIDE: answerOutside },
                bindings: {
                  TEST_MIGRATIONS: migrations,
                  ALLOWED_HOSTS: 'pilothouse.test',
                  HOST_TOKEN: 'host-token-of-the-tests',
                  BRAIN_KEYS_SECRET: 'secret-of-the-tests-that-encrypts-keys',
                  COMMAND_NAME: 'npx pilothouse',
                  PILOT_FAULT_RUNS: process.env['PILOT_FAULT_RUNS'] ?? '14',
                  PILOT_FAULT_SEED: process.env['PILOT_FAULT_SEED'] ?? '1',
                  PILOT_LIVE_RUNS: process.env['PILOT_LIVE_RUNS'] ?? '3',
                  PILOT_MUTANTS: process.env['PILOT_MUTANTS'] ?? '0/99',
                },
              },
            }),
          ],
          test: {
            name: 'workers',
            include: ['test/workers/**/*.test.ts'],
            globalSetup: [
              'test/support/model-api/brain-api.ts',
              'test/support/forge/github-api.ts',
            ],
            isolate: false,
            maxWorkers: EVERY_CORE,
            testTimeout: 20_000,
          },
        },
      ],
    },
  };
});
