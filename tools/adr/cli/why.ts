import { existsSync, realpathSync, statSync } from 'node:fs';
import { join, relative, resolve, sep } from 'node:path';
import type { Command } from 'commander';
import type { Workspace } from '../config/find-root.ts';
import { AdrFailure } from '../failure.ts';
import { counted, waiverText } from '../formats/told.ts';
import type { DecisionRecord, Waiver } from '../records/record.ts';
import { isInForce } from '../records/status.ts';
import { governorOf } from '../rules/governs.ts';
import type { EnforcementRule } from '../rules/schema.ts';
import { matcherOf } from '../tree/globs.ts';
import { readTree } from '../tree/tree.ts';
import { COMMAND } from '../version.ts';
import { type CommonOptions, load, plain, print, withCommon } from './output.ts';

/** `adr why FILE`: the decisions and rules that govern a file, a directory or what a glob finds. */
export function addWhy(program: Command): void {
  withCommon(program.command('why'))
    .argument('<file>', 'a file, there or yet to be written, a directory, or a glob in quotes')
    .description('tell which decisions and rules govern a file')
    .action((file: string, options: CommonOptions) => {
      const { workspace, records } = load(options);
      const { path, files } = findFiles(file, options.root, workspace);
      const excluded = matcherOf(workspace.config.exclude);
      const looked = files.filter((one) => !excluded(one));
      const unread = records.filter((one) => one.problems.some(({ certain }) => !certain));
      const governing = looked.length === 0 ? [] : govern(records, looked, workspace.root);
      print(
        options.json,
        {
          path,
          files: files.length,
          excluded: looked.length === 0,
          unread: unread.map(({ id }) => id),
          rules: governing.map(({ record, rule, role, waiver, count }) => ({
            record: record.id,
            title: record.title,
            recordPath: record.path,
            rule: rule.id,
            kind: rule.kind,
            level: rule.level,
            role,
            reason: rule.reason,
            files: count,
            waivedUntil: waiver?.expires ?? null,
          })),
        },
        () => {
          if (looked.length === 0)
            return `${path} is excluded from every rule by the configuration.`;
          const isOne = files.length === 1 && files[0] === path;
          const isThere = !isOne || existsSync(join(workspace.root, path));
          const none = `No decision ${unread.length > 0 ? 'that can be read ' : ''}governs ${path}.`;
          return [
            ...(governing.length === 0 ? [none] : []),
            ...(isThere || governing.length === 0 ? [] : [`${path} is not there (yet).`]),
            ...governing.map(({ record, rule, role, waiver, count }) => {
              const who = isOne
                ? path
                : `${count} of ${counted(looked.length, 'file')} in ${path}, each of which`;
              const waived = waiver ? ` ${plain(waiverText(waiver))}.` : '';
              return `${record.id} ${plain(record.title)}\n  ${rule.level}  ${rule.id} (${rule.kind}): ${who} ${role}.${waived}\n  ${plain(rule.reason)}`;
            }),
            ...unread.map(
              ({ id }) =>
                `${id} cannot be read in full, so it may govern ${path} too. \`${COMMAND} check\` says why.`,
            ),
          ].join('\n');
        },
      );
    });
}

type Governing = {
  record: DecisionRecord;
  rule: EnforcementRule;
  role: string;
  waiver: Waiver | null;
  /** How many of the files are governed in this role. */
  count: number;
};

/** Which rules in force govern files, once for each role that one of them has. */
function govern(
  records: readonly DecisionRecord[],
  files: readonly string[],
  root: string,
): Governing[] {
  return records
    .filter((record) => isInForce(record.status))
    .flatMap((record) =>
      record.rules.flatMap((rule) => {
        const roles = files.map(governorOf(rule, root));
        return [...new Set(roles)].flatMap((role) => {
          if (role === null) return [];
          const governed = files.filter((_, index) => roles[index] === role);
          const waiver = record.waivers.find(
            (one) => one.rule === rule.id && governed.some(matcherOf([one.path])),
          );
          return [{ record, rule, role, waiver: waiver ?? null, count: governed.length }];
        });
      }),
    );
}

/** What was named, from the root: one file, or those of the tree in a directory or behind a glob. */
function findFiles(
  given: string,
  start: string,
  { root }: Workspace,
): { path: string; files: readonly string[] } {
  const base = existsSync(resolve(given)) ? process.cwd() : resolve(start);
  const path = relative(realpathSync(root), resolve(realpathSync(base), given))
    .split(sep)
    .join('/');
  if (path === '..' || path.startsWith('../')) {
    throw new AdrFailure(
      'outside',
      `${given} is not inside of ${root}, whose records these are. Name a file that is, or another repository with --root.`,
    );
  }
  const stat = statSync(join(root, path), { throwIfNoEntry: false });
  if (stat?.isFile()) return { path, files: [path] };
  const isGlob = !stat && /[*?{[]/.test(path);
  if (!stat && !isGlob) return { path, files: [path.replace(/\/$/, '')] };
  const chosen = path === '' ? () => true : matcherOf([isGlob ? path : `${path}/**`]);
  const files = readTree(root, []).files.filter(chosen);
  if (files.length > 0) return { path: path || '.', files };
  throw new AdrFailure(
    'no_files',
    `No file of the repository is in ${given}, so no decision governs one there. What git ignores is not looked at. Correct the path, or name a file that is yet to be written.`,
  );
}
