import { type Command, InvalidArgumentError } from 'commander';
import { PUSH_KINDS, type PushKind, pushKind } from '../../../protocol/push.ts';
import { isWebhookUrl, type WebhookView } from '../../../protocol/webhook.ts';
import { EXIT, Failure } from '../../failure.ts';
import { readSecret } from '../brain-keys/read-secret.ts';
import { connect, type ConnectionOptions } from '../connect.ts';
import { formatAgo, oneLine } from '../format.ts';
import { withConnection } from '../options.ts';
import { note, print } from '../output.ts';

const URL_VARIABLE = 'PILOTHOUSE_WEBHOOK_URL';

const SET_HELP = `
The address is never an argument, because it is often a password and every user of a machine can
read the arguments of its processes. It is read from ${URL_VARIABLE}, else from standard input, else
asked for unseen. Messages are signed as Standard Webhooks has it, with the secret that is printed.

Example:
  pilothouse notifications webhook set --kinds approval,halted,failed < url.txt`;

type SetOptions = ConnectionOptions & { kinds: PushKind[] };

/** `pilothouse notifications webhook …`: a chat or a program that is told what needs a person. */
export function addWebhook(notifications: Command): void {
  const webhook = notifications
    .command('webhook')
    .description('tell a chat or a program of yours, in the form of Slack, what needs you');
  withConnection(webhook.command('show'))
    .description('show which host is told, of what, and what it answered last')
    .action(async (options: ConnectionOptions) => {
      const { webhook: found } = await connect(options, process.env).api.readPush();
      print(options.json, { webhook: found }, () => describe(found, Date.now()));
    });
  withConnection(webhook.command('set'))
    .description('tell an address from now on, in place of the one before')
    .option('--kinds <kinds>', `of what, by commas: ${PUSH_KINDS.join(', ')}`, parseKinds, [
      ...PUSH_KINDS,
    ])
    .addHelpText('after', SET_HELP)
    .action(runSet);
  withConnection(webhook.command('test'))
    .description('send it a message now; fails unless it takes it')
    .action(async (options: ConnectionOptions) => {
      const tested = await connect(options, process.env).api.testWebhook();
      if (tested.fault !== null)
        throw new Failure(
          EXIT.failed,
          'webhook_failed',
          `${tested.host} did not take the message: ${tested.fault}. Look at its address, and set it again where it is wrong.`,
        );
      print(options.json, tested, () => `${tested.host} took a message: ${tested.status}.`);
    });
  withConnection(webhook.command('remove'))
    .description('tell it nothing any more, and forget its address')
    .action(async (options: ConnectionOptions) => {
      await connect(options, process.env).api.removeWebhook();
      print(options.json, { removed: true }, () => 'The webhook is told nothing more.');
    });
}

async function runSet(options: SetOptions): Promise<void> {
  const { api } = connect(options, process.env);
  const url = await readSecret(
    process.env,
    process.stdin,
    (asked) => {
      note(asked);
    },
    {
      variable: URL_VARIABLE,
      what: 'address',
      command: 'pilothouse notifications webhook set',
    },
  );
  if (!isWebhookUrl(url))
    throw new Failure(
      EXIT.usage,
      'usage',
      'Give an https:// address on the public internet, at its own port and without a name in it.',
    );
  const made = await api.setWebhook({ url, kinds: options.kinds, quiet: null });
  print(options.json, made, () =>
    [
      `${made.webhook.host} is told from now on. Try it: pilothouse notifications webhook test`,
      `Its signatures are made with this secret, which is shown this once: ${made.secret}`,
    ].join('\n'),
  );
}

function parseKinds(text: string): PushKind[] {
  const kinds = pushKind.array().safeParse(text.split(',').map((kind) => kind.trim()));
  if (kinds.success) return kinds.data;
  throw new InvalidArgumentError(`Choose from ${PUSH_KINDS.join(', ')}.`);
}

/** What is told, and what of it came after the choice. */
export const sayKinds = (kinds: readonly PushKind[], added: readonly PushKind[]): string =>
  `${kinds.join(', ') || 'nothing'}${added.length > 0 ? ` (new: ${added.join(', ')})` : ''}`;

function describe(webhook: WebhookView | null, nowMs: number): string {
  if (!webhook)
    return 'No webhook is told. Set one with: pilothouse notifications webhook set < url.txt';
  const { host, kinds, added, lastAt, status, fault } = webhook;
  return [
    `${oneLine(host, 80)} is told of: ${sayKinds(kinds, added)}.`,
    lastAt === null ? 'It has taken no message yet.' : `Last told ${formatAgo(lastAt, nowMs)}.`,
    ...(fault === null
      ? status === null
        ? []
        : [`It answered ${status}.`]
      : [`Not told the last time: ${fault}.`]),
  ].join('\n');
}
