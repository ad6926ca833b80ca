import type { Command } from 'commander';
import type { EngineDetail } from '../../../protocol/engines.ts';
import { commandLineOf } from '../../../protocol/preset.ts';
import { hashOf } from '../../limits/approved-engines.ts';
import { connect, type ConnectionOptions } from '../connect.ts';
import { formatAgo } from '../format.ts';
import { withConnection } from '../options.ts';
import { print } from '../output.ts';
import { approvedHere, describeOrigin, describePreset } from './words.ts';
import { keepNames } from '../command-name.ts';

/** `pilothouse engines show ENGINE`. */
export function addShowEngine(engines: Command): void {
  withConnection(engines.command('show'))
    .description('show exactly what an engine runs, and its versions')
    .argument('<engine>', 'id of the engine')
    .action(async (engineId: string, options: ConnectionOptions) => {
      const { api } = connect(options, process.env);
      const detail = await api.readEngine(engineId);
      const { entry } = detail;
      const here = entry && { sha256: hashOf(entry.preset), approvedHere: approvedHere(entry) };
      print(options.json, { ...detail, ...here }, () => describe(engineId, detail));
    });
}

function describe(engineId: string, { entry, versions }: EngineDetail): string {
  const history = versions.map(
    ({ version, savedAt, savedBy, preset }) =>
      `  ${version}  ${formatAgo(savedAt, Date.now())}, ${savedBy === 'cli' ? 'command line' : 'console'}: ${preset ? commandLineOf(preset) : 'removed'}`,
  );
  const past = history.length > 0 ? ['', 'Versions:', ...history] : [];
  if (!entry) return [`${engineId} was removed.`, ...past].join('\n');
  const { preset, verified } = entry;
  return [
    `${preset.label} (${preset.id}), ${describeOrigin(entry)}`,
    `  runs       ${keepNames(commandLineOf(preset))}`,
    ...describePreset(preset),
    ...(verified
      ? []
      : [
          `  sha256     ${hashOf(preset)}`,
          approvedHere(entry)
            ? '  approved on this machine'
            : `  not approved on this machine: pilothouse engines approve ${preset.id}`,
        ]),
    ...(entry.inPlaceOf === undefined
      ? []
      : [
          `  ${entry.inPlaceOf} has come with Pilothouse under this id since, and yours keeps it. To use that one: \`pilothouse engines add my-${preset.id} --from ${preset.id}\`, then \`pilothouse engines remove ${preset.id}\``,
        ]),
    ...past,
  ].join('\n');
}
