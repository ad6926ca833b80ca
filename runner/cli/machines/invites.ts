import type { Command } from 'commander';
import type { OpenPairing } from '../../../protocol/pairing.ts';
import { EXIT, Failure } from '../../failure.ts';
import { connect, type ConnectionOptions } from '../connect.ts';
import { withConnection } from '../options.ts';
import { print } from '../output.ts';

/** `pilothouse runner invites`: codes that wait to be used. */
export function addInvites(runner: Command): void {
  withConnection(runner.command('invites'))
    .description('list the codes that wait to be used, without the codes themselves')
    .action(async (options: ConnectionOptions) => {
      const open = await connect(options, process.env).api.listPairings();
      print(options.json, { items: open }, () => describe(open, Date.now()));
    });
}

const ABOUT = `
The code lets nobody in any more; a machine that came with it already stays, until you
\`pilothouse runner revoke\` it.

Example:
  pilothouse runner withdraw`;

/** `pilothouse runner withdraw`: makes a code worthless before it is used. */
export function addWithdraw(runner: Command): void {
  withConnection(runner.command('withdraw'))
    .description('make a code worthless that was not used yet')
    .argument('[machine]', 'whom it lets in: an id of `runner invites`, or a name')
    .addHelpText('after', ABOUT)
    .action(async (machine: string | undefined, options: ConnectionOptions) => {
      const { api } = connect(options, process.env);
      const { runnerId } = choose(await api.listPairings(), machine);
      await api.withdrawPairing(runnerId);
      print(options.json, { runnerId, withdrawn: true }, () => 'The code lets nobody in any more.');
    });
}

function describe(open: readonly OpenPairing[], nowMs: number): string {
  if (open.length === 0) return 'No code waits to be used. `pilothouse runner invite` makes one.';
  const lines = open.map((each) => {
    const minutes = Math.max(1, Math.ceil((each.expiresAt - nowMs) / 60_000));
    return `${each.runnerId}  for ${nameOf(each)}, good for ${minutes} min`;
  });
  return [...lines, '', 'Withdraw one: pilothouse runner withdraw ID'].join('\n');
}

const nameOf = ({ machine }: OpenPairing): string => machine ?? 'a new machine';

function choose(open: readonly OpenPairing[], asked: string | undefined): OpenPairing {
  const found = open.filter(
    ({ runnerId, machine }) => asked === undefined || asked === runnerId || asked === machine,
  );
  const [only] = found;
  if (only && found.length === 1) return only;
  const listed = open.map((each) => `${each.runnerId} (${nameOf(each)})`).join(', ');
  if (open.length === 0)
    throw new Failure(
      EXIT.refused,
      'pairing_not_found',
      'No code waits to be used: it was used, withdrawn, or has expired. If a machine came with it that is not yours, take its access back with `pilothouse runner revoke`.',
    );
  throw new Failure(
    EXIT.refused,
    'pairing_not_found',
    `Say which code to withdraw, by whom it lets in: ${listed}.`,
  );
}
