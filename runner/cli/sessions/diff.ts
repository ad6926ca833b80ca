import type { Command } from 'commander';
import { plural } from '../../../protocol/figures.ts';
import type { CheckoutReview, ReviewedFile, ReviewedPatch } from '../../../protocol/review.ts';
import { EXIT, Failure } from '../../failure.ts';
import { connect, type ConnectionOptions } from '../connect.ts';
import { formatTable, oneLine, plainText } from '../format.ts';
import { withConnection } from '../options.ts';
import { paintFor, print, type Paint } from '../output.ts';
import { findSession } from './find.ts';

type DiffOptions = ConnectionOptions & { stat?: true };

const HELP = `
From the commit at which the session began to its files as they are now, those in no commit
included. Secrets are redacted. Between its turns: while it works, its files are nobody's to read.

Examples:
  pilothouse sessions diff ses_01k…
  pilothouse sessions diff ses_01k… --stat
  pilothouse sessions diff ses_01k… src/parser.ts`;

/** `pilothouse sessions diff`: what a session changed in its checkout. */
export function addDiff(sessions: Command): void {
  withConnection(sessions.command('diff'))
    .description('show what a session changed in its checkout, committed or not')
    .argument('<session>', 'id of a session, or a part of it')
    .argument('[path...]', 'only these files')
    .option('--stat', 'the files and how many lines, without the diffs')
    .addHelpText('after', HELP)
    .action(async (text: string, paths: string[], options: DiffOptions) => {
      const { api } = connect(options, process.env);
      const { sessionId } = await findSession(api, text);
      const review = await api.readChanges(sessionId);
      const files = chooseFiles(review, paths);
      const patches: ReviewedPatch[] = [];
      for (const { path, was } of options.stat ? [] : files)
        patches.push(
          await api.readPatch(sessionId, { tree: review.tree, path, ...(was !== null && { was }) }),
        );
      const shown = { ...review, files };
      print(options.json, options.stat ? shown : { ...shown, patches }, () =>
        [
          describeReview(shown),
          ...patches.map((one) => describePatch(one, paintFor(process.stdout))),
        ]
          .join('\n\n')
          .trimEnd(),
      );
    });
}

/** Throws where a path is none of a changed file: nothing would look like nothing changed. */
function chooseFiles({ files }: CheckoutReview, paths: readonly string[]): ReviewedFile[] {
  if (paths.length === 0) return files;
  const unknown = paths.find((path) => !files.some((file) => file.path === path));
  if (unknown !== undefined)
    throw new Failure(
      EXIT.usage,
      'usage',
      `${oneLine(unknown, 200)} did not change. The paths that did: pilothouse sessions diff SESSION --stat`,
    );
  return files.filter(({ path }) => paths.includes(path));
}

function describeReview({ branch, commits, uncommittedFiles, files, moreFiles }: CheckoutReview) {
  const where = `${branch}: ${plural(commits, 'commit')}, ${plural(uncommittedFiles, 'file')} in no commit.`;
  if (files.length === 0) return `${where}\nNothing differs from where the session began.`;
  const table = formatTable(
    ['FILE', 'CHANGE', 'LINES'],
    files.map(({ path, was, change, additions, deletions }) => [
      oneLine(was === null ? path : `${was} → ${path}`, 120),
      change,
      additions === null || deletions === null ? 'no text' : `+${additions} −${deletions}`,
    ]),
  );
  return [where, table, ...(moreFiles > 0 ? [`And ${plural(moreFiles, 'more file')}.`] : [])].join(
    '\n',
  );
}

function describePatch({ patch, cutChars }: ReviewedPatch, paint: Paint): string {
  const lines = plainText(patch)
    .split('\n')
    .map((line) => colourLine(line, paint));
  return [...lines, ...(cutChars > 0 ? [`(${cutChars} more characters)`] : [])].join('\n');
}

function colourLine(line: string, paint: Paint): string {
  if (line.startsWith('@@')) return paint('dim', line);
  if (/^(diff |index |\+\+\+ |--- )/.test(line)) return paint('bold', line);
  if (line.startsWith('+')) return paint('green', line);
  return line.startsWith('-') ? paint('red', line) : line;
}
