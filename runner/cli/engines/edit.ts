import { type Command, Option } from 'commander';
import { type EngineEntry, ownVersionOf, variedBy } from '../../../protocol/engines.ts';
import { parserId } from '../../../protocol/parsers.ts';
import {
  commandLineOf,
  describeFaults,
  type EnginePreset,
  parsePreset,
} from '../../../protocol/preset.ts';
import { EXIT, Failure } from '../../failure.ts';
import type { Api } from '../api.ts';
import { connect, type ConnectionOptions } from '../connect.ts';
import { withConnection } from '../options.ts';
import { print } from '../output.ts';
import { approvedHere, readEntry } from './words.ts';
import { keepNames } from '../command-name.ts';

type Fields = ConnectionOptions & {
  label?: string;
  parser?: string;
  input?: string;
  resumeBegin?: string;
  resumeAgain?: string;
  env?: string[];
  allEnv?: true;
  minVersion?: string;
};
type AddFields = Fields & { from?: string };

const EXAMPLES = `
The command stands after --: its program, then words that always come first.

Examples:
  pilothouse engines add local --label "Llama, local" -- ollama run llama3
  pilothouse engines add my-claude --from claude -- claude --effort high
  pilothouse engines edit local --input argument
  pilothouse engines edit claude -- claude --effort high
  pilothouse engines add mine --resume-begin "--new {session}" --resume-again "--continue {session}" -- my-agent`;

/** `pilothouse engines add` and `edit`: each saves a version; `remove` ends them. */
export function addEdit(engines: Command): void {
  withFields(engines.command('add'))
    .description('describe an engine of your own: any command')
    .argument('<engine>', 'id to give it: lower-case letters, digits and dashes')
    .argument('[command...]', 'program and first arguments, after --')
    .option('--from <engine>', 'take everything else from this engine')
    .addHelpText('after', EXAMPLES)
    .action(async (id: string, command: string[], options: AddFields) => {
      const { api } = connect(options, process.env);
      const from = options.from ? (await readEntry(api, options.from)).preset : {};
      await save(api, options, { label: id, parser: 'text', ...from, id }, command, 0);
    });
  withFields(engines.command('edit'))
    .description('save a new version of an engine of your own, or your own of one of Pilothouse')
    .argument('<engine>', 'id of the engine')
    .argument('[command...]', 'another program and first arguments, after --')
    .addHelpText('after', EXAMPLES)
    .action(async (id: string, command: string[], options: Fields) => {
      const { api } = connect(options, process.env);
      const { preset, version } = await ownOf(api, await readEntry(api, id));
      await save(api, options, preset, command, version ?? 0);
    });
  withConnection(engines.command('remove'))
    .description('remove an engine of your own; sessions under way keep theirs')
    .argument('<engine>', 'id of the engine')
    .action(async (id: string, options: ConnectionOptions) => {
      await connect(options, process.env).api.removeEngine(id);
      print(
        options.json,
        { removed: id },
        () => `Removed ${id}. Its versions stay in its history.`,
      );
    });
}

/** What is edited: one of the product stays as it is, and the person's own version of it goes on. */
async function ownOf(api: Api, entry: EngineEntry): Promise<EngineEntry> {
  if (entry.origin === 'own') return entry;
  const preset = ownVersionOf(entry.preset);
  const entries = await api.listEngines();
  const standing = entries.find((each) => each.preset.id === preset.id);
  return standing ?? { ...entry, preset };
}

function withFields(command: Command): Command {
  return withConnection(command)
    .option('--label <label>', 'what it is called')
    .addOption(new Option('--parser <parser>', 'how its output is read').choices(parserId.options))
    .addOption(new Option('--input <input>', 'how the text goes in').choices(['stdin', 'argument']))
    .option('--resume-begin <words>', 'words that begin a conversation; {session} is its id')
    .option('--resume-again <words>', 'words that go on with one; {session} is its id')
    .option('--env <name...>', 'it gets these variables beside the ordinary ones, no others')
    .option('--all-env', 'it gets the runner’s whole environment')
    .option('--min-version <version>', 'oldest version that may run, such as 1.2.0');
}

/** What the options change of a preset, before it is parsed. */
function changed(base: Partial<EnginePreset>, options: Fields, command: string[]): unknown {
  const { label, parser, input, resumeBegin, resumeAgain, env, allEnv, minVersion } = options;
  const split = (words: string) => words.split(/\s+/).filter(Boolean);
  const resume =
    resumeBegin !== undefined || resumeAgain !== undefined
      ? {
          begin: resumeBegin === undefined ? base.resume?.begin : split(resumeBegin),
          again: resumeAgain === undefined ? base.resume?.again : split(resumeAgain),
        }
      : undefined;
  const given = { label, parser, input, resume, env, minVersion };
  return {
    ...base,
    ...Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)),
    ...(allEnv && { env: null }),
    ...(command.length > 0 && { command }),
  };
}

async function save(
  api: Api,
  options: Fields,
  base: Partial<EnginePreset>,
  command: string[],
  basedOn: number,
): Promise<void> {
  const entry = await saveParsed(api, changed(base, options, command), basedOn);
  print(options.json, entry, () => describeSaved(entry));
}

/** Saves what was typed or read. Throws with every field that is wrong, and what to write there. */
export async function saveParsed(api: Api, raw: unknown, basedOn: number): Promise<EngineEntry> {
  const parsed = parsePreset(raw);
  if (parsed.ok) return api.saveEngine(parsed.preset, basedOn);
  throw new Failure(
    EXIT.usage,
    'bad_request',
    `The engine cannot be saved: ${describeFaults(parsed.faults)}.`,
  );
}

/** What was saved, and the next thing to do. */
export function describeSaved(entry: EngineEntry): string {
  const { preset, version } = entry;
  const next = approvedHere(entry)
    ? `It may run on this machine: pilothouse launch --engine ${preset.id} "…"`
    : `Each machine runs it once it is approved there: pilothouse engines approve ${preset.id}`;
  const varied = variedBy(entry);
  return [
    `Saved ${preset.id}, version ${version}: ${keepNames(commandLineOf(preset))}`,
    ...(varied
      ? [
          `${varied.label} itself (${varied.id}) stays as it is; \`pilothouse engines remove ${preset.id}\` goes back to it alone.`,
        ]
      : []),
    next,
  ].join('\n');
}
