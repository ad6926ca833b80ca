import type { Command } from 'commander';
import type { CheckoutRemoved } from '../../../protocol/checkout.ts';
import { EXIT, Failure } from '../../failure.ts';
import type { Api } from '../api.ts';
import { plainText } from '../format.ts';
import { withConnection } from '../options.ts';
import { print } from '../output.ts';
import { findSession } from '../sessions/find.ts';
import { sizeOf, totalSize } from './list.ts';
import { connectToRunner, listEveryCheckout, type CheckoutOptions } from './read.ts';

type RemoveOptions = CheckoutOptions & { all?: true; discard?: true };
type Kept = { sessionId: string; reason: string };

const ABOUT = `
The branch and everything that was committed stay in the repository. A checkout with work that is
nowhere else is kept (exit code 4, naming what would be lost) unless --discard gives it up.

Examples:
  pilothouse checkouts remove ses_01k…
  pilothouse checkouts remove --all
  pilothouse checkouts remove ses_01k… --discard`;

/** `pilothouse checkouts remove`: one checkout, or all of which nothing would be lost. */
export function addRemoveCheckouts(checkouts: Command): void {
  withConnection(checkouts.command('remove'))
    .description('remove the checkout of a session that is over, or all that are safe')
    .argument('[session]', 'its session: the id or a part of it')
    .option('--all', 'every checkout of which nothing would be lost')
    .option('--discard', 'remove it although work in it would be lost')
    .option('--runner <runner>', 'machine it is on: its id or name (default: this one)')
    .addHelpText('after', ABOUT)
    .action(async (session: string | undefined, options: RemoveOptions) => {
      if ((session === undefined) === (options.all === undefined))
        throw new Failure(EXIT.usage, 'usage', 'Give either a session or --all.');
      if (options.all && options.discard)
        throw new Failure(
          EXIT.usage,
          'usage',
          'Work is given up one checkout at a time: name the session with --discard, without --all.',
        );
      const { api, runner } = await connectToRunner(options);
      const { removed, kept } =
        session === undefined
          ? await removeSafe(api, runner.runnerId)
          : await removeOne(api, runner.runnerId, session, options.discard ?? false);
      print(options.json, { removed, kept }, () => describe(removed, kept));
    });
}

async function removeOne(api: Api, runnerId: string, session: string, discard: boolean) {
  const { sessionId } = await findSession(api, session);
  return { removed: [await api.removeCheckout(runnerId, sessionId, discard)], kept: [] };
}

/** One that cannot go after all stops none of the others. */
async function removeSafe(api: Api, runnerId: string) {
  const removed: CheckoutRemoved[] = [];
  const kept: Kept[] = [];
  for (const { sessionId, standing, losses } of await listEveryCheckout(api, runnerId)) {
    if (standing !== 'safe') {
      const reason = standing === 'open' ? 'The session is not over.' : losses.join(' ');
      kept.push({ sessionId, reason });
      continue;
    }
    try {
      removed.push(await api.removeCheckout(runnerId, sessionId, false));
    } catch (error) {
      if (!(error instanceof Failure) || error.exitCode !== EXIT.refused) throw error;
      kept.push({ sessionId, reason: error.message });
    }
  }
  return { removed, kept };
}

function describe(removed: readonly CheckoutRemoved[], kept: readonly Kept[]): string {
  return [
    ...removed.map(({ sessionId, bytes }) => `Removed ${sessionId}, ${sizeOf(bytes)}.`),
    ...kept.map(({ sessionId, reason }) => `Kept ${sessionId}: ${plainText(reason)}`),
    removed.length === 0
      ? 'Nothing was removed.'
      : `${removed.length === 1 ? '1 checkout' : `${removed.length} checkouts`} removed, ${totalSize(removed)}.`,
  ].join('\n');
}
