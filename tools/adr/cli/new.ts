import { type Command, Option } from 'commander';
import { AdrFailure } from '../failure.ts';
import { readHistory } from '../records/history.ts';
import { type Bars, fileNameOf, sectionTitles, writeDraft } from '../records/templates.ts';
import { collectBars, decideBars } from './bars.ts';
import { type CommonOptions, load, print, withCommon } from './output.ts';
import { writeWhole } from './write.ts';

type NewOptions = CommonOptions & Partial<Bars> & { style?: 'madr' | 'nygard'; anyway?: boolean };

/** `adr new "title"`: a proposed record, when the three bars call for one. */
export function addNew(program: Command): void {
  withCommon(program.command('new'))
    .argument('<title>', 'the decision in a sentence')
    .description('write a record, after asking whether the decision needs one')
    .option('--constrains <answer>', 'what later code may or may not do because of it')
    .option('--violable <answer>', 'how a reasonable editor would violate it')
    .option('--unchecked <answer>', 'why neither types nor tests would catch that')
    .option('--anyway', 'write it even where a comment would do')
    .addOption(new Option('--style <style>', 'the form of the record').choices(['madr', 'nygard']))
    .action(async (title: string, options: NewOptions) => {
      const { workspace, records } = load(options);
      const { constrains, violable, unchecked } = options;
      const given = {
        ...(constrains !== undefined && { constrains }),
        ...(violable !== undefined && { violable }),
        ...(unchecked !== undefined && { unchecked }),
      };
      const interactive = process.stdin.isTTY && options.json !== true;
      const bars = await collectBars(given, interactive);
      const low = decideBars(bars);
      if (low !== null && !options.anyway) {
        throw new AdrFailure(
          'no_record_needed',
          `No record was written. ${low} (--anyway writes it.)`,
        );
      }
      const taken = [...records, ...takenNumbers(workspace)].map((one) => one.number);
      const number = Math.max(...taken) + 1;
      const style = options.style ?? workspace.config.style;
      const last = records.findLast((record) => record.style === style);
      const path = `${workspace.directory}/${fileNameOf(number, title)}`;
      const date = new Date().toISOString().slice(0, 10);
      const sections = last ? sectionTitles(last) : [];
      const text = writeDraft({ number, title, style, date, bars, sections });
      writeWhole(workspace.root, path, text, { fresh: true });
      print(options.json, { path, number }, () => `Wrote ${path}`);
    });
}

/** Numbers of the past; outside of git only the files that are there can tell. */
function takenNumbers(workspace: Parameters<typeof readHistory>[0]): { number: number }[] {
  try {
    return readHistory(workspace).steps;
  } catch (error) {
    if (error instanceof AdrFailure) return [];
    throw error;
  }
}
