import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Workspace } from '../config/find-root.ts';
import { AdrFailure, messageOf } from '../failure.ts';
import { decodeUtf8 } from '../tree/read-utf8.ts';
import { numberOfPath, parseRecord } from './parse-record.ts';
import type { DecisionRecord } from './record.ts';
import { COMMAND } from '../version.ts';

/**
 * Reads every record of a repository, by number. Files without a number in front (an index, a
 * template) are no records. Throws `AdrFailure` when the directory is not there or cannot be read,
 * and when it holds none: nothing to check is not a clean check.
 */
export function readRecords({ root, directory }: Workspace): DecisionRecord[] {
  let names: string[];
  try {
    names = readdirSync(join(root, directory));
  } catch (error) {
    throw new AdrFailure(
      'no_records',
      `There is no directory of decision records (${isAbsent(error) ? directory : `${directory}: ${messageOf(error)}`}). Begin one with \`${COMMAND} init\`, or say in .adr.json where it is.`,
    );
  }
  const paths = names
    .map((name) => `${directory}/${name}`)
    .filter((path) => numberOfPath(path) !== null);
  if (paths.length === 0) {
    throw new AdrFailure(
      'no_records',
      `There is no decision record in ${directory}, so there is nothing to check. Write the first with \`${COMMAND} new "title"\`; records are files such as 0001-title.md.`,
    );
  }
  return paths
    .map((path) => {
      try {
        return parseRecord(path, decodeUtf8(readFileSync(join(root, path))));
      } catch (error) {
        throw new AdrFailure(
          'unreadable_record',
          `${path} cannot be read (${messageOf(error)}), so its rules are not known. Make the file readable.`,
        );
      }
    })
    .sort((a, b) => a.number - b.number || (a.path < b.path ? -1 : 1));
}

const isAbsent = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ENOENT';

/** The record with an id as typed: `2`, `0002` or `ADR-0002`. Throws when there is none. */
export function findRecord(records: readonly DecisionRecord[], given: string): DecisionRecord {
  const digits = /^(?:adr-?)?(\d{1,5})$/i.exec(given.trim())?.[1];
  const record = records.find((one) => digits !== undefined && one.number === Number(digits));
  if (record) return record;
  const last = records.at(-1)?.id ?? 'none';
  throw new AdrFailure(
    'no_such_record',
    `There is no decision record ${given}. Records have numbers up to ${last}; \`${COMMAND} list\` shows them.`,
  );
}
