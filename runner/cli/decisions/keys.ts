import type { Command } from 'commander';
import type { DecisionKey } from '../../../protocol/decisions.ts';
import { EXIT, Failure } from '../../failure.ts';
import { connect, type ConnectionOptions } from '../connect.ts';
import { formatAgo, formatTable, oneLine } from '../format.ts';
import { withConnection } from '../options.ts';
import { print } from '../output.ts';
import { parseRepository } from './words.ts';

type MakeOptions = ConnectionOptions & { repository: string; name: string };
type Options = ConnectionOptions & { repository?: string };

/** `pilothouse decisions keys …`: keys with which builds post what they found. */
export function addKeys(decisions: Command): void {
  const keys = decisions.command('keys').description('make, list and revoke keys for builds');
  addMake(keys);
  addListKeys(keys);
  addRevoke(keys);
}

function addMake(keys: Command): void {
  withConnection(keys.command('make'))
    .description('make a key that posts reports of one repository and opens nothing else')
    .requiredOption('--repository <name>', 'name of the repository', parseRepository)
    .option('--name <name>', 'where the key is used', 'CI')
    .addHelpText('after', '\nExample:\n  pilothouse decisions keys make --repository acme/site')
    .action(async (options: MakeOptions) => {
      const { api } = connect(options, process.env);
      const made = await api.makeDecisionKey(options.repository, options.name);
      print(options.json, made, () =>
        [
          made.token,
          '',
          `This key of ${options.repository} is shown once. Keep it among the secrets of your builds as`,
          'PILOTHOUSE_DECISIONS_KEY, then run in the build: pilothouse adr check --post ADDRESS',
          `Take it back with: pilothouse decisions keys revoke ${made.key.keyId}`,
        ].join('\n'),
      );
    });
}

function addListKeys(keys: Command): void {
  withConnection(keys.command('list'))
    .description('list keys, newest first, without their secrets')
    .option('--repository <name>', 'of one repository alone', parseRepository)
    .action(async (options: Options) => {
      const { api } = connect(options, process.env);
      const page = await api.listDecisionKeys({ repository: options.repository, limit: 500 });
      print(options.json, page, () => describeKeys(page.items, Date.now()));
    });
}

function describeKeys(keys: readonly DecisionKey[], nowMs: number): string {
  if (keys.length === 0) return 'No key was made.';
  const ago = (at: number | null) => (at === null ? 'never' : formatAgo(at, nowMs));
  return formatTable(
    ['KEY', 'REPOSITORY', 'NAME', 'MADE', 'USED', 'STATE'],
    keys.map((key) => [
      key.keyId,
      key.repository,
      oneLine(key.name, 30),
      formatAgo(key.createdAt, nowMs),
      ago(key.lastUsedAt),
      key.revokedAt === null ? 'live' : `revoked ${ago(key.revokedAt)}`,
    ]),
  );
}

function addRevoke(keys: Command): void {
  withConnection(keys.command('revoke'))
    .description('make a key worthless, or every key of a repository')
    .argument('[key]', 'id of the key')
    .option('--repository <name>', 'every live key of this repository', parseRepository)
    .addHelpText('after', '\nExample:\n  pilothouse decisions keys revoke dky_01k…')
    .action(async (keyId: string | undefined, options: Options) => {
      if ((keyId === undefined) === (options.repository === undefined))
        throw new Failure(EXIT.usage, 'usage', 'Give either the id of a key or --repository.');
      const { api } = connect(options, process.env);
      const revoked = keyId === undefined ? await liveKeysOf(api, options.repository) : [keyId];
      for (const id of revoked) await api.revokeDecisionKey(id);
      print(options.json, { revoked }, () => `Revoked: ${revoked.join(', ')}.`);
    });
}

async function liveKeysOf(
  api: ReturnType<typeof connect>['api'],
  repository: string | undefined,
): Promise<string[]> {
  const { items } = await api.listDecisionKeys({ repository, limit: 500 });
  const live = items.filter(({ revokedAt }) => revokedAt === null).map(({ keyId }) => keyId);
  if (live.length > 0) return live;
  throw new Failure(
    EXIT.refused,
    'decision_key_not_found',
    `No key of ${repository} is live, so nothing was revoked. \`pilothouse decisions keys list\` shows them all.`,
  );
}
