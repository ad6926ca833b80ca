import { writeFileSync } from 'node:fs';
import type { Command } from 'commander';
import { printPresetFile, readPresetFile } from '../../../protocol/engines.ts';
import { PilothouseError } from '../../../protocol/errors.ts';
import { EXIT, Failure, messageOf } from '../../failure.ts';
import { connect, type ConnectionOptions } from '../connect.ts';
import { withConnection } from '../options.ts';
import { print } from '../output.ts';
import { readInput } from '../read-input.ts';
import { describeSaved, saveParsed } from './edit.ts';
import { readEntry } from './words.ts';

/** `pilothouse engines export` and `import`: an engine as a file. */
export function addFiles(engines: Command): void {
  withConnection(engines.command('export'))
    .description('print an engine as a file, or write it to one')
    .argument('<engine>', 'id of the engine')
    .option('--output <file>', 'write it there; a file that exists is not overwritten')
    .action(async (id: string, options: ConnectionOptions & { output?: string }) => {
      const { api } = connect(options, process.env);
      const { preset } = await readEntry(api, id);
      const text = printPresetFile(preset);
      const { output } = options;
      // The file itself is JSON, so that --json changes nothing.
      if (output === undefined) process.stdout.write(text);
      else {
        writeNew(output, text);
        print(options.json, { written: output }, () => `Wrote ${id} to ${output}.`);
      }
    });
  withConnection(engines.command('import'))
    .description('save an engine from a file as one of your own, or as its next version')
    .argument('<file>', 'file that export wrote; - is standard input')
    .option('--id <engine>', 'save it under another id')
    .action(async (file: string, options: ConnectionOptions & { id?: string }) => {
      const { api } = connect(options, process.env);
      const raw = readRaw(file, options.id);
      const entry = await saveParsed(api, raw, await standingVersion(api, raw));
      print(options.json, entry, () => describeSaved(entry));
    });
}

function writeNew(path: string, text: string): void {
  try {
    writeFileSync(path, text, { flag: 'wx' });
  } catch (error) {
    const sentence = `${path} could not be written: ${messageOf(error)}. Name another file.`;
    throw new Failure(EXIT.failed, 'not_written', sentence, { cause: error });
  }
}

function readRaw(file: string, id: string | undefined): unknown {
  const read = readPresetFile(readText(file));
  if (!read)
    throw new Failure(
      EXIT.usage,
      'bad_request',
      `${file} is no file of an engine. \`pilothouse engines export\` writes one.`,
    );
  const { preset } = read;
  return id !== undefined && typeof preset === 'object' ? { ...preset, id } : preset;
}

function readText(file: string): string {
  try {
    return readInput(file);
  } catch (error) {
    const sentence = `${file} could not be read: ${messageOf(error)}.`;
    throw new Failure(EXIT.usage, 'usage', sentence, { cause: error });
  }
}

/** The version that an import follows: that of the engine of its id, if there is one. */
async function standingVersion(
  api: ReturnType<typeof connect>['api'],
  raw: unknown,
): Promise<number> {
  const id = typeof raw === 'object' && raw !== null && 'id' in raw ? raw.id : null;
  const entries = await api.listEngines();
  const entry = entries.find(({ preset }) => preset.id === id);
  if (entry && entry.origin !== 'own')
    throw new PilothouseError('engine_id_taken', { engineId: id });
  return entry?.version ?? 0;
}
