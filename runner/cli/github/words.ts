import type { GithubChannel } from '../../../protocol/github.ts';
import { GITHUB_COMMAND } from '../../../protocol/github.ts';
import { formatAgo, formatMoney, formatTable, oneLine } from '../format.ts';

/** What was connected, and what is left to do on GitHub. `url` is where this instance is. */
export function describeConnected(
  { repository, label, webhookPath, launch }: GithubChannel,
  url: string,
  madeSecret: string | null,
): string {
  const name = oneLine(label, 50);
  const webhook =
    webhookPath === null
      ? ['It is asked every minute; nothing has to be set on GitHub.']
      : [
          'On GitHub, Settings, Webhooks, add one with content type application/json and the events',
          `Issues and Issue comments, to an address that leads to ${new URL(webhookPath, url).href}`,
          ...(madeSecret === null ? [] : [`Its secret, which is shown this once: ${madeSecret}`]),
        ];
  return [
    `Connected ${repository}: ${launch.engineId} in ${launch.directory}, at most ${formatMoney(launch.budgetMicroUsd)} a session.`,
    `The label ${name} on an issue starts a session; a comment there that begins with ${GITHUB_COMMAND} steers it.`,
    ...webhook,
  ].join('\n');
}

/** The connected repositories, newest first. */
export function describeChannels(channels: readonly GithubChannel[], nowMs: number): string {
  if (channels.length === 0)
    return 'No repository is connected. Connect one with: pilothouse github connect OWNER/NAME --budget USD';
  const table = formatTable(
    ['REPOSITORY', 'LABEL', 'BY', 'ENGINE', 'BUDGET', 'DIRECTORY', 'LOOKED', 'ID'],
    channels.map(({ repository, label, delivery, launch, polledAt, channelId }) => [
      repository,
      oneLine(label, 30),
      delivery,
      launch.engineId,
      formatMoney(launch.budgetMicroUsd),
      oneLine(launch.directory, 40),
      delivery === 'poll' ? formatAgo(polledAt, nowMs) : '',
      channelId,
    ]),
  );
  const faults = channels.flatMap(({ repository, fault }) =>
    fault === null ? [] : [`${repository}: ${oneLine(fault, 200)}`],
  );
  return [table, ...faults].join('\n');
}
