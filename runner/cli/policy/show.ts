import type { Command } from 'commander';
import type { PolicyDetail, PolicyVersion } from '../../../protocol/policy-http.ts';
import { formatAgo, formatTable, oneLine } from '../format.ts';
import { print } from '../output.ts';
import {
  connectToPlace,
  describeVersion,
  nameScope,
  type PlaceOptions,
  withPlace,
} from './place.ts';

/** `pilothouse policy show`: in sentences, and who says so. */
export function addShowPolicy(policy: Command): void {
  withPlace(policy.command('show'))
    .description('show what a session that is launched now may do')
    .addHelpText(
      'after',
      '\nThe limits.toml of a machine may allow less.\n\nExamples:\n  pilothouse policy show\n  pilothouse policy show --directory ~/code/shop --json',
    )
    .action(async (options: PlaceOptions) => {
      const { api, place } = await connectToPlace(options);
      const detail = await api.readPolicy(place);
      print(options.json, detail, () => describe(detail));
    });
}

/** `pilothouse policy history`: what one scope said, and who said it. */
export function addPolicyHistory(policy: Command): void {
  withPlace(policy.command('history'))
    .description('show the versions of a policy, the newest first')
    .addHelpText(
      'after',
      '\nWithout --directory: of what is said for all launches.\n\nExamples:\n  pilothouse policy history\n  pilothouse policy history --directory ~/code/shop --json',
    )
    .action(async (options: PlaceOptions) => {
      const { api, place } = await connectToPlace(options);
      const { items } = await api.listPolicyVersions(place);
      print(options.json, { items }, () => describeHistory(items));
    });
}

function describe({ words, layers }: PolicyDetail): string {
  const said = layers.map(
    (layer) => `  ${nameScope(layer.scope)}, version ${layer.version}: ${describeVersion(layer)}`,
  );
  const whence = said.length === 0 ? ['Nobody has changed it.'] : ['Said by:', ...said];
  return [...words, '', ...whence].join('\n');
}

function describeHistory(items: readonly PolicyVersion[]): string {
  if (items.length === 0) return 'Nobody has changed it.';
  return formatTable(
    ['VERSION', 'WHEN', 'BY', 'SAYS'],
    items.map((version) => [
      String(version.version),
      formatAgo(version.savedAt, Date.now()),
      version.savedBy === 'cli' ? 'command line' : 'console',
      oneLine(describeVersion(version), 90),
    ]),
  );
}
