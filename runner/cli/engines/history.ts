import type { Command } from 'commander';
import { structuredPatch } from 'diff';
import type { EngineDetail, EngineVersion } from '../../../protocol/engines.ts';
import { commandLineOf, type EnginePreset } from '../../../protocol/preset.ts';
import { EXIT, Failure } from '../../failure.ts';
import { connect, type ConnectionOptions } from '../connect.ts';
import { formatAgo, formatTable, oneLine } from '../format.ts';
import { withConnection } from '../options.ts';
import { print } from '../output.ts';
import { describeSaved } from './edit.ts';

/** `pilothouse engines history` and `restore`: what an engine was, and making it so again. */
export function addHistory(engines: Command): void {
  withConnection(engines.command('history'))
    .description('list the versions of an engine of your own, or compare two')
    .argument('<engine>', 'id of the engine')
    .option('--diff <version>', 'what changed from this version', readVersionNumber)
    .option('--to <version>', 'up to this one; without it, the newest', readVersionNumber)
    .addHelpText(
      'after',
      '\nExamples:\n  pilothouse engines history local\n  pilothouse engines history local --diff 1 --to 3',
    )
    .action(async (id: string, options: ConnectionOptions & { diff?: number; to?: number }) => {
      const { versions } = await connect(options, process.env).api.readEngine(id);
      if (options.diff === undefined)
        return print(options.json, { items: versions }, () => describe(id, versions));
      const before = pick(id, versions, options.diff);
      const after = pick(id, versions, options.to ?? versions[0]?.version ?? 0);
      const lines = compare(before.preset, after.preset);
      return print(options.json, { from: before, to: after, lines }, () =>
        lines.length === 0
          ? `Versions ${before.version} and ${after.version} are the same.`
          : [`Version ${before.version} → ${after.version}`, ...lines].join('\n'),
      );
    });
  withConnection(engines.command('restore'))
    .description('save an older version of an engine of your own as its newest')
    .argument('<engine>', 'id of the engine')
    .argument('<version>', 'number of the version, as history lists it', readVersionNumber)
    .addHelpText('after', '\nWhat was approved on a machine stays approved there.')
    .action(async (id: string, version: number, options: ConnectionOptions) => {
      const { api } = connect(options, process.env);
      const detail = await api.readEngine(id);
      const entry = await api.saveEngine(...decideRestore(id, detail, version));
      print(options.json, entry, () => describeSaved(entry));
    });
}

function readVersionNumber(text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new Failure(EXIT.usage, 'usage', `${text} is no version. It is a number such as 2.`);
}

/** What is saved to have a version again, and what that follows. Throws where there is none. */
export function decideRestore(
  engineId: string,
  { entry, versions }: EngineDetail,
  version: number,
): [preset: EnginePreset, basedOn: number] {
  const { preset } = pick(engineId, versions, version);
  if (!preset)
    throw refuse(
      `Version ${version} of ${engineId} is its removal. \`pilothouse engines remove ${engineId}\` removes it.`,
    );
  if (entry && compare(entry.preset, preset).length === 0)
    throw refuse(`${engineId} is as in version ${version} already, so nothing was saved.`);
  return [preset, entry?.version ?? 0];
}

/** The lines of a preset that are not the same in another: `-` before, `+` after. */
export function compare(before: EnginePreset | null, after: EnginePreset | null): string[] {
  const text = (preset: EnginePreset | null) =>
    preset === null ? '' : `${JSON.stringify(preset, null, 2)}\n`;
  const { hunks } = structuredPatch('', '', text(before), text(after), '', '', { context: 0 });
  return hunks.flatMap(({ lines }) => lines);
}

function pick(
  engineId: string,
  versions: readonly EngineVersion[],
  version: number,
): EngineVersion {
  const found = versions.find((each) => each.version === version);
  if (found) return found;
  throw refuse(
    versions.length === 0
      ? `${engineId} comes with Pilothouse and has no versions here.`
      : `${engineId} has no version ${version}. \`pilothouse engines history ${engineId}\` lists them.`,
  );
}

const refuse = (sentence: string) => new Failure(EXIT.refused, 'no_such_version', sentence);

function describe(engineId: string, versions: readonly EngineVersion[]): string {
  if (versions.length === 0) return `${engineId} comes with Pilothouse and has no versions here.`;
  return formatTable(
    ['VERSION', 'WHEN', 'BY', 'RUNS'],
    versions.map(({ version, savedAt, savedBy, preset }) => [
      String(version),
      formatAgo(savedAt, Date.now()),
      savedBy === 'cli' ? 'command line' : 'console',
      preset ? oneLine(commandLineOf(preset), 70) : 'removed',
    ]),
  );
}
