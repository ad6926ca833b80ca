import { join } from 'node:path';
import { expect, type RunnerTask } from 'vitest';
import type { Engine } from '../../../runner/engines/engine.ts';
import { ENGINES } from '../../../runner/engines/registry.ts';
import type { Check } from './matrix.ts';
import { hashSources, type Pass, type Proof, sourcesOf } from './proof.ts';
import { keyOf } from './record.ts';
import { placeOf, readProof } from './recorded.ts';
import { RECORDS } from './records.ts';

/** What passed of the tests beside this one, the last of its group. Fails where one did not. */
function passOf(key: string, task: RunnerTask): Pass {
  const others = task.suite?.tasks.filter((other) => other !== task) ?? [];
  const open = others.filter(({ result }) => result?.state !== 'pass');
  expect(open.map(({ name }) => name)).toEqual([]);
  const { id } = ENGINES.find((each) => keyOf(each) === key) as Engine;
  const record = RECORDS[key];
  if (record?.kind !== 'proven') throw new Error(`${key} has no record`);
  return {
    version: record.version,
    sources: hashSources('.', sourcesOf('.', id)),
    passed: others.map(({ name }) => name),
  };
}

/** A record as a file has it, and that file's path, to be compared or written with `-u`. */
type Kept = { text: string; path: string };

const keep = (recorded: Proof): Kept => ({
  text: `${JSON.stringify(recorded, null, 2)}\n`,
  path: join(process.cwd(), placeOf(recorded.engine)),
});

/** The record with the suite’s pass as it is now. */
export function withSuite(key: string, task: RunnerTask): Kept {
  const beside = readProof('.', key)?.beside;
  return keep({ engine: key, ...passOf(key, task), ...(beside && { beside }) });
}

/** The same for a test beside the suite that proves one check: the suite’s own pass comes first. */
export function withBeside(key: string, check: Check, task: RunnerTask): Kept {
  const recorded = readProof('.', key);
  if (!recorded) throw new Error(`${placeOf(key)}: run test/engines/conformance first, with -u.`);
  const beside = Object.entries({ ...recorded.beside, [check]: passOf(key, task) }).toSorted(
    ([one], [other]) => one.localeCompare(other),
  );
  return keep({ ...recorded, beside: Object.fromEntries(beside) });
}
