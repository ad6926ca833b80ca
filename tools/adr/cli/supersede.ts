import type { Command } from 'commander';
import { AdrFailure } from '../failure.ts';
import { markSuperseded, markSuperseding } from '../records/edit.ts';
import { findRecord } from '../records/read-records.ts';
import { type CommonOptions, load, print, withCommon } from './output.ts';
import { writeWhole } from './write.ts';
import { COMMAND } from '../version.ts';

/** `adr supersede OLD NEW`: writes both sides of it. */
export function addSupersede(program: Command): void {
  withCommon(program.command('supersede'))
    .argument('<old>', 'the record that is given up')
    .argument('<new>', `the record that takes its place; write it with \`${COMMAND} new\``)
    .option('--accept', 'accept the new record at once, when it is still proposed')
    .description('supersede one record by another, on both sides')
    .action((oldId: string, newId: string, options: CommonOptions & { accept?: boolean }) => {
      const { workspace, records } = load(options);
      const old = findRecord(records, oldId);
      const newer = findRecord(records, newId);
      if (old.number >= newer.number) {
        throw refusal(`${newer.id} is not newer than ${old.id}`, 'Name the older record first.');
      }
      if (old.status !== 'accepted' && old.status !== 'deprecated' && old.status !== 'proposed') {
        throw refusal(
          `the status of ${old.id} is ${old.status}`,
          'Only a record that is in force or proposed can be superseded.',
        );
      }
      if (newer.status !== 'accepted' && !(newer.status === 'proposed' && options.accept)) {
        throw refusal(
          `the status of ${newer.id} is ${newer.status}`,
          'What is not accepted supersedes nothing: accept it first, or give --accept.',
        );
      }
      const newText = markSuperseding(newer, old);
      const oldText = markSuperseded(old, newer);
      writeWhole(workspace.root, newer.path, newText, { fresh: false });
      writeWhole(workspace.root, old.path, oldText, { fresh: false });
      print(
        options.json,
        { superseded: old.id, by: newer.id, written: [newer.path, old.path] },
        () => `${old.id} is superseded by ${newer.id}; wrote ${newer.path} and ${old.path}`,
      );
    });
}

const refusal = (what: string, todo: string): AdrFailure =>
  new AdrFailure('refused', `Nothing was changed: ${what}. ${todo}`);
