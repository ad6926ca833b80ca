import { resolve } from 'node:path';
import type { Command } from 'commander';
import { connect, type ConnectionOptions } from '../connect.ts';
import { withConnection } from '../options.ts';
import { print } from '../output.ts';
import { saveFile } from '../save.ts';
import { findSession } from './find.ts';

type PackOptions = ConnectionOptions & { output?: string; force?: true };

/** `pilothouse sessions pack`: the evidence of one session, in a file. */
export function addPack(sessions: Command): void {
  withConnection(sessions.command('pack'))
    .description('save the evidence of a session: launches, processes, outcome, acts, last entries')
    .argument('<session>', 'id of a session, or a part of it')
    .option('-o, --output <file>', 'file to write (default: SESSION.artifact-pack.json here)')
    .option('--force', 'write over a file that is there')
    .addHelpText(
      'after',
      '\nExample:\n  pilothouse sessions pack ses_01k… -o evidence.json\n\nWith --json the pack itself is printed, and no file is written. Secrets are in neither.',
    )
    .action(async (text: string, options: PackOptions) => {
      const { api } = connect(options, process.env);
      const { sessionId } = await findSession(api, text);
      const pack = await api.readPack(sessionId);
      if (options.json && options.output === undefined) return print(true, pack, () => '');
      const file = resolve(options.output ?? `${sessionId}.artifact-pack.json`);
      saveFile(file, `${JSON.stringify(pack, null, 2)}\n`, options.force ?? false);
      print(options.json, { file }, () => `Wrote ${file}.`);
    });
}
