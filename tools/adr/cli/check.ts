import { readFileSync, writeFileSync } from 'node:fs';
import { type Command, InvalidArgumentError, Option } from 'commander';
import type { AdrReport } from '../../../protocol/adr-report.ts';
import { runCheck } from '../check/run-check.ts';
import { AdrFailure, messageOf } from '../failure.ts';
import { FORMATS, type Format, formatReport } from '../formats/index.ts';
import { postReport } from '../post/post-report.ts';
import { KEY_VARIABLE } from '../post/target.ts';
import { readBranch } from '../tree/git.ts';
import { type CommonOptions, print, withCommon } from './output.ts';
import type { End } from './program.ts';

type CheckFlags = CommonOptions & {
  base?: string;
  body?: string;
  format: Format;
  prove?: boolean;
  commands: boolean;
  post?: string;
  branch?: string;
  write: Written[];
};

/** A report that is written to a file, beside the one that is printed. */
type Written = { format: Format; path: string };

const WIDTH = 100;

/** `adr check`: the records and their rules, in full or for a change. */
export function addCheck(program: Command, end: End): void {
  withCommon(program.command('check'))
    .description('check the decision records and the rules in them')
    .option('--base <ref>', 'look only at what changed since this commit or branch')
    .option('--body <file>', 'the text of the pull request, for answers to reviews (or ADR_BODY)')
    .option('--prove', "try each rule's `violates` fixtures too")
    .option('--no-commands', 'leave out rules of kind `command`, as for a tree you do not trust')
    .option(
      '--post <url>',
      `post the result to an instance of Pilothouse; its key is read from ${KEY_VARIABLE}`,
    )
    .option('--branch <name>', 'the branch to post the result for, where nothing else tells it')
    .addOption(
      new Option('--format <format>', 'how to print the result')
        .choices(FORMATS)
        .default('terminal'),
    )
    .addOption(
      new Option('--write <format=file>', 'write the result to a file too; may be given again')
        .argParser(parseWritten)
        .default([], 'no file'),
    )
    .action(async (flags: CheckFlags) => {
      const report = await runCheck({
        directory: flags.root,
        base: flags.base ?? null,
        body: readBody(flags.body),
        prove: flags.prove ?? false,
        commands: flags.commands,
      });
      const format = flags.json ? 'json' : flags.format;
      const color = process.stdout.hasColors?.() ?? false;
      print(false, null, () =>
        formatReport(report, format, { color, width: process.stdout.columns ?? WIDTH }),
      );
      for (const { format: wanted, path } of flags.write) {
        writeReport(path, formatReport(report, wanted, { color: false, width: WIDTH }));
      }
      if (flags.post !== undefined) await post(report, flags.post, flags);
      end(report.exitCode);
    });
}

function parseWritten(given: string, before: Written[]): Written[] {
  const at = given.indexOf('=');
  const format = FORMATS.find((one) => one === given.slice(0, at));
  const path = given.slice(at + 1);
  if (format && path !== '') return [...before, { format, path }];
  throw new InvalidArgumentError(
    `Give one such as sarif=adr.sarif; formats are ${FORMATS.join(', ')}.`,
  );
}

/** Throws `AdrFailure`: a build that uploads the file must not upload one of an earlier check. */
function writeReport(path: string, text: string): void {
  try {
    writeFileSync(path, `${text}\n`);
  } catch (error) {
    throw new AdrFailure(
      'not_written',
      `The result cannot be written to ${path} (${messageOf(error)}), so what reads it there knows nothing of this check. Correct --write.`,
    );
  }
}

/** Said on standard error: standard output is the report alone, for whoever reads it on. */
async function post(report: AdrReport, instance: string, flags: CheckFlags): Promise<void> {
  const { ok, message } = await postReport(report, {
    instance,
    branch: flags.branch ?? null,
    gitBranch: readBranch(flags.root),
    env: process.env,
  });
  process.stderr.write(`${ok ? '' : 'Warning: '}${message}\n`);
}

function readBody(path: string | undefined): string | null {
  if (path === undefined) return process.env['ADR_BODY'] ?? null;
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new AdrFailure(
      'no_body',
      `The text of the pull request cannot be read from ${path} (${messageOf(error)}), so no answer in it is known. Correct --body.`,
    );
  }
}
