import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { type Command, Option } from 'commander';
import { findWorkspace } from '../config/find-root.ts';
import { numberOfPath } from '../records/parse-record.ts';
import { fileNameOf, writeDraft } from '../records/templates.ts';
import { AdrFailure } from '../failure.ts';
import { type CommonOptions, print, withCommon } from './output.ts';
import { writeWhole } from './write.ts';
import { COMMAND } from '../version.ts';

const TITLE = 'Record decisions that nothing else would catch';
const BARS = {
  constrains: 'a decision that binds what is written later gets a record.',
  violable: 'what everybody would keep by themselves needs none.',
  unchecked: 'what a type or a test can hold is held by it, with a comment that says why.',
};

type InitOptions = CommonOptions & { directory?: string; style: 'madr' | 'nygard' };

/** `adr init`: the directory of records, its configuration and the first record. */
export function addInit(program: Command): void {
  withCommon(program.command('init'))
    .description('begin a directory of decision records, with the first one')
    .option('--directory <path>', 'where the records are to be, from the top (docs/adr)')
    .addOption(
      new Option('--style <style>', 'the form of records')
        .choices(['madr', 'nygard'])
        .default('madr'),
    )
    .action((options: InitOptions) => {
      const { root, directory: found, configPath } = findWorkspace(options.root);
      const directory = (options.directory ?? found).replace(/\/+$/, '');
      const there = existsSync(join(root, directory)) ? readdirSync(join(root, directory)) : [];
      if (there.some((name) => numberOfPath(name) !== null)) {
        throw new AdrFailure(
          'exists',
          `There are decision records in ${directory} already, so there is nothing to begin. Write the next with \`${COMMAND} new "title"\`.`,
        );
      }
      const path = `${directory}/${fileNameOf(1, TITLE)}`;
      const date = new Date().toISOString().slice(0, 10);
      const draft = {
        number: 1,
        title: TITLE,
        style: options.style,
        date,
        bars: BARS,
        sections: [],
      };
      writeWhole(root, path, writeDraft(draft), { fresh: true });
      const written = [path];
      if (configPath === null) {
        const config = { directory, style: options.style };
        writeWhole(root, '.adr.json', `${JSON.stringify(config, null, 2)}\n`, { fresh: true });
        written.push('.adr.json');
      }
      print(options.json, { written }, () =>
        [
          ...written.map((one) => `Wrote ${one}`),
          `Say in the record how you decide, set its status to accepted, then run \`${COMMAND} check\`.`,
        ].join('\n'),
      );
    });
}
