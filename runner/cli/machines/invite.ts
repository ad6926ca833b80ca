import type { Command } from 'commander';
import { connect, type ConnectionOptions } from '../connect.ts';
import { chooseRunner } from '../launch.ts';
import { withConnection } from '../options.ts';
import { print } from '../output.ts';

const ABOUT = `
The code works once and for ten minutes. The machine has to reach the address that is printed: for
one elsewhere say the address under which this Pilothouse is reached there.

Example:
  pilothouse runner invite`;

/** `pilothouse runner invite`: a code with which another machine is paired. */
export function addInvite(runner: Command): void {
  withConnection(runner.command('invite'))
    .description('make a code with which another machine is paired')
    .option('--runner <machine>', 'let this one come again, with its sessions: its id or name')
    .addHelpText('after', ABOUT)
    .action(async ({ runner: machine, ...options }: ConnectionOptions & { runner?: string }) => {
      const { api, url } = connect(options, process.env);
      const known =
        machine === undefined
          ? undefined
          : chooseRunner(await api.listRunners(), machine, null).runnerId;
      const made = await api.makePairing(known);
      print(options.json, { ...made, url }, () =>
        [
          made.code,
          '',
          'On the machine, with Pilothouse installed:',
          `  pilothouse runner pair ${url}`,
          'It asks for the code, which works once and for ten minutes. Then:',
          '  pilothouse runner start',
        ].join('\n'),
      );
    });
}
