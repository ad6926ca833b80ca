import type { Command } from 'commander';
import { addRunnerDoctor } from './runner-doctor.ts';
import { addRunnerStatus } from './runner-status.ts';

/** `pilothouse runner …`: this machine as one that sessions run on. */
export function addRunner(program: Command): void {
  const runner = program
    .command('runner')
    .description('run sessions on this machine, and check it');
  runner
    .command('start')
    .description('run sessions here for the instance that PILOTHOUSE_URL names')
    .addHelpText(
      'after',
      '\nNeeds PILOTHOUSE_URL, PILOTHOUSE_RUNNER_ID and PILOTHOUSE_RUNNER_TOKEN in the environment.\nnpm start runs one by itself.',
    )
    .action(async () => {
      const { runRunner } = await import('./runner-start.ts');
      await runRunner(process.env);
    });
  addRunnerStatus(runner);
  addRunnerDoctor(runner);
}
