import { type Command, InvalidArgumentError } from 'commander';
import { sayDigest } from '../../../protocol/digest.ts';
import { EXIT, Failure } from '../../failure.ts';
import { connect, type ConnectionOptions } from '../connect.ts';
import { withConnection } from '../options.ts';
import { print } from '../output.ts';

type DigestOptions = ConnectionOptions & { at?: number; timeZone: string; off?: boolean };

const HELP = `
Examples:
  pilothouse notifications digest                        # what happened since the last one
  pilothouse notifications digest --at 08:00
  pilothouse notifications digest --at 07:30 --time-zone Europe/Berlin
  pilothouse notifications digest --off`;

/** `pilothouse notifications digest`: shows the digest, or chooses when it comes. */
export function addDigest(notifications: Command): void {
  withConnection(notifications.command('digest'))
    .description('show what happened since the last digest, or choose when one comes each day')
    .option('--at <time>', 'send one each day at this time, such as 08:00', parseTimeOfDay)
    .option(
      '--time-zone <name>',
      'whose clock it is (default: this machine’s)',
      Intl.DateTimeFormat().resolvedOptions().timeZone,
    )
    .option('--off', 'send none')
    .addHelpText('after', HELP)
    .action(run);
}

async function run({ at, timeZone, off, ...options }: DigestOptions): Promise<void> {
  const { api } = connect(options, process.env);
  if (off && at !== undefined)
    throw new Failure(EXIT.usage, 'usage', 'Give --at to have a digest, or --off to have none.');
  if (off || at !== undefined) {
    const digest = at === undefined ? null : { at, timeZone };
    await api.saveDigest(digest);
    print(options.json, { digest }, () =>
      digest === null
        ? 'No digest comes.'
        : `A digest comes each day, by the clock of ${timeZone}.`,
    );
    return;
  }
  const view = await api.readDigest();
  print(options.json, view, () => sayDigest(view.digest));
}

function parseTimeOfDay(text: string): number {
  const [, hours, minutes] = /^([01]\d|2[0-3]):([0-5]\d)$/.exec(text) ?? [];
  if (hours === undefined) throw new InvalidArgumentError('Give a time of day such as 08:00.');
  return Number(hours) * 60 + Number(minutes);
}
