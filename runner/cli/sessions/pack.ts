import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import type { ArtifactPack } from '../../../protocol/artifact-pack.ts';
import { EXIT, Failure, messageOf } from '../../failure.ts';
import { connect, type ConnectionOptions } from '../connect.ts';
import { withConnection } from '../options.ts';
import { print } from '../output.ts';
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
      write(file, pack, options.force ?? false);
      print(options.json, { file }, () => `Wrote ${file}.`);
    });
}

function write(file: string, pack: ArtifactPack, force: boolean): void {
  try {
    writeFileSync(file, `${JSON.stringify(pack, null, 2)}\n`, {
      mode: 0o600,
      flag: force ? 'w' : 'wx',
    });
  } catch (error) {
    const exists = error instanceof Error && 'code' in error && error.code === 'EEXIST';
    const words = exists
      ? `${file} is there already. Choose another file with --output, or add --force.`
      : `${file} could not be written: ${messageOf(error)}. Choose another with --output.`;
    throw new Failure(EXIT.refused, 'file_refused', words);
  }
}
