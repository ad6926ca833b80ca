import type { Command } from 'commander';
import { connect, type ConnectionOptions } from '../connect.ts';
import { confirmByName, withYes } from '../confirm-by-name.ts';
import { chooseRunner } from '../launch.ts';
import { withConnection } from '../options.ts';
import { print } from '../output.ts';

const ABOUT = `
Its runner ends the engines that it runs and stops. Sessions of it that are not over end on record;
their checkouts and commits stay on the machine, and everything on record stays. A machine on which
Pilothouse itself runs comes back with the next \`npm start\`, unless that says --no-runner.

Example:
  pilothouse runner revoke attic --yes`;

/** `pilothouse runner revoke`: takes a machine's access back. */
export function addRevokeRunner(runner: Command): void {
  withYes(withConnection(runner.command('revoke')))
    .description('take the access of a machine back, and end its sessions')
    .argument('<machine>', 'its id or name')
    .addHelpText('after', ABOUT)
    .action(async (machine: string, options: ConnectionOptions & { yes?: true }) => {
      const { api } = connect(options, process.env);
      const { runnerId, name } = chooseRunner(await api.listRunners(), machine, null);
      await confirmByName(
        `${name} may not come any more, and its sessions end.`,
        name,
        options.yes,
      );
      const { sessions } = await api.revokeRunner(runnerId);
      print(options.json, { runnerId, revoked: true, sessions }, () =>
        [
          `${name} may not come any more. ${sessions === 1 ? '1 session was' : `${sessions} sessions were`} ended.`,
          `It comes back with a code of its own: pilothouse runner invite --runner ${runnerId}`,
        ].join('\n'),
      );
    });
}
