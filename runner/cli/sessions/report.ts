import { resolve } from 'node:path';
import type { Command } from 'commander';
import { writeReport } from '../../../protocol/run-markdown.ts';
import { connect, type ConnectionOptions } from '../connect.ts';
import { plainText } from '../format.ts';
import { withConnection } from '../options.ts';
import { print } from '../output.ts';
import { saveFile } from '../save.ts';
import { findSession } from './find.ts';

type ReportOptions = ConnectionOptions & { output?: string; force?: true };

const HELP = `
Markdown; with --json the same as JSON. Without --output it is printed.

Examples:
  pilothouse sessions report ses_01k…
  pilothouse sessions report ses_01k… -o run.md
  pilothouse sessions report ses_01k… --json -o run.json`;

/** `pilothouse sessions report`: a run, told for somebody who was not there. */
export function addReport(sessions: Command): void {
  withConnection(sessions.command('report'))
    .description(
      'report a run: objective, outcome, turns, acts, approvals, policy, what is not known',
    )
    .argument('<session>', 'id of a session, or a part of it')
    .option('-o, --output <file>', 'file to write')
    .option('--force', 'write over a file that is there')
    .addHelpText('after', HELP)
    .action(async (text: string, options: ReportOptions) => {
      const { api } = connect(options, process.env);
      const { sessionId } = await findSession(api, text);
      const report = await api.readRunReport(sessionId);
      if (options.output === undefined)
        return print(options.json, report, () => plainText(writeReport(report)).trimEnd());
      const file = resolve(options.output);
      const whole = options.json ? `${JSON.stringify(report, null, 2)}\n` : writeReport(report);
      saveFile(file, whole, options.force ?? false);
      print(options.json, { file }, () => `Wrote ${file}.`);
    });
}
