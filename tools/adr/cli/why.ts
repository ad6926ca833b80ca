import { existsSync } from 'node:fs';
import { relative, resolve, sep } from 'node:path';
import type { Command } from 'commander';
import { AdrFailure } from '../failure.ts';
import { waiverText } from '../formats/told.ts';
import { isInForce } from '../records/status.ts';
import { governs } from '../rules/governs.ts';
import { matcherOf } from '../tree/globs.ts';
import { type CommonOptions, load, plain, print, withCommon } from './output.ts';

/** `adr why FILE`: the decisions and rules that govern a file. */
export function addWhy(program: Command): void {
  withCommon(program.command('why'))
    .argument('<file>', 'a file of the repository, there or yet to be written')
    .description('tell which decisions and rules govern a file')
    .action((file: string, options: CommonOptions) => {
      const { workspace, records } = load(options);
      const base = existsSync(resolve(file)) ? process.cwd() : resolve(options.root);
      const path = relative(workspace.root, resolve(base, file)).split(sep).join('/');
      if (path.startsWith('..') || path === '') {
        throw new AdrFailure(
          'outside',
          `${file} is not a file inside of ${workspace.root}, whose records these are. Name one that is, or another repository with --root.`,
        );
      }
      const governing = records
        .filter((record) => isInForce(record.status))
        .flatMap((record) =>
          record.rules.flatMap((rule) => {
            const role = governs(rule, path);
            const waiver = record.waivers.find(
              (one) => one.rule === rule.id && matcherOf([one.path])(path),
            );
            return role ? [{ record, rule, role, waiver: waiver ?? null }] : [];
          }),
        );
      const excluded = matcherOf(workspace.config.exclude)(path);
      print(
        options.json,
        {
          path,
          excluded,
          rules: governing.map(({ record, rule, role, waiver }) => ({
            record: record.id,
            title: record.title,
            recordPath: record.path,
            rule: rule.id,
            kind: rule.kind,
            level: rule.level,
            role,
            reason: rule.reason,
            waivedUntil: waiver?.expires ?? null,
          })),
        },
        () => {
          if (excluded) return `${path} is excluded from every rule by the configuration.`;
          if (governing.length === 0) return `No decision governs ${path}.`;
          return governing
            .map(
              ({ record, rule, role, waiver }) =>
                `${record.id} ${plain(record.title)}\n  ${rule.level}  ${rule.id} (${rule.kind}): ${path} ${role}.${waiver ? ` ${plain(waiverText(waiver))}.` : ''}\n  ${plain(rule.reason)}`,
            )
            .join('\n');
        },
      );
    });
}
