import type { Command } from 'commander';
import { dataDirectoryOf } from '../host/layout.ts';
import { addInvite } from './machines/invite.ts';
import { addInvites, addWithdraw } from './machines/invites.ts';
import { addPair } from './machines/pair.ts';
import { addRevokeRunner } from './machines/revoke.ts';
import { addRunnerDoctor } from './runner-doctor.ts';
import { addRunnerStatus } from './runner-status.ts';

/** `pilothouse runner …`: this machine as one that sessions run on. */
export function addRunner(program: Command): void {
  const runner = program
    .command('runner')
    .description('run sessions on this machine, and check it');
  runner
    .command('start')
    .description('run sessions here for the Pilothouse that this machine is paired with')
    .option('--data <directory>', 'data directory that was paired')
    .addHelpText(
      'after',
      '\nPair the machine first: pilothouse runner pair ADDRESS. PILOTHOUSE_URL, PILOTHOUSE_RUNNER_ID and\nPILOTHOUSE_RUNNER_TOKEN in the environment stand for that. npm start runs one by itself.',
    )
    .action(async ({ data }: { data?: string }) => {
      const { runRunner } = await import('./runner-start.ts');
      await runRunner({
        ...process.env,
        PILOTHOUSE_DATA: dataDirectoryOf(data, process.env),
      });
    });
  addInvite(runner);
  addInvites(runner);
  addWithdraw(runner);
  addPair(runner);
  addRevokeRunner(runner);
  addRunnerStatus(runner);
  addRunnerDoctor(runner);
}
