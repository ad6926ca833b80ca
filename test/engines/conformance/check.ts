/**
 * `node test/engines/conformance/check.ts`: whether the suite has passed for every registered engine,
 * in the version that the tests install. With `--sources`: whether what reads each engine is what
 * passed. Ends with 1 when not. No engine is started.
 */
import { existsSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Engine } from '../../../runner/engines/engine.ts';
import { ENGINES } from '../../../runner/engines/registry.ts';
import { versionOf } from '../../../tools/engines/install.ts';
import { CHECKS, MATRIX } from './matrix.ts';
import { hashSources, type Pass, PROOFS, sourcesOf } from './proof.ts';
import { keyOf } from './record.ts';
import { findUnrecordedChecks, placeOf, readProof } from './recorded.ts';

/** The scripted engine is a part of the product and asks no model; its own tests prove it. */
const NO_MODEL: readonly string[] = ['rehearsal'];

type Named = Pick<Engine, 'id' | 'form'>;

const TOP = fileURLToPath(new URL('../../..', import.meta.url));

/** What keeps an engine from counting as proven, as sentences. */
function findFaults(engine: Named): string[] {
  const key = keyOf(engine);
  const passed = readProof(TOP, key);
  if (passed === null)
    return [`${key} is registered, and no passing suite is recorded for it (${placeOf(key)}).`];
  const version = versionOf(engine.id);
  if (passed.version !== version)
    return [
      `${key} passed in version ${passed.version}, and the tests install ${version ?? 'none'}.`,
    ];
  const row = MATRIX[key];
  if (!row) return [`${key} has no row in test/engines/conformance/matrix.ts.`];
  return findUnrecordedChecks(row, passed, version).map(
    ({ check, file, why }) =>
      `${key}: “${CHECKS[check]}” is left to ${file}, and ${why}. Run that file with \`-u\`.`,
  );
}

/** Whether an engine is read by other sources than those that passed, as sentences. */
function findChanges(engine: Named): string[] {
  const key = keyOf(engine);
  const recorded = readProof(TOP, key);
  if (recorded === null) return [`${key} has no recorded pass (${placeOf(key)}).`];
  const files = sourcesOf(TOP, engine.id);
  const sources = hashSources(TOP, files);
  const runs: [string, Pass][] = [
    ['the suite', recorded],
    ...Object.entries(recorded.beside ?? {}),
  ];
  const old = runs.filter(([, run]) => files.length === 0 || run.sources !== sources);
  return old.length === 0
    ? []
    : [
        `What reads ${key} has changed since these passed: ${old.map(([name]) => name).join(', ')} (one of ${files.length} files in runner/engines/${engine.id} and what they import).`,
      ];
}

const engines = ENGINES.filter(({ id }) => !NO_MODEL.includes(id));
const keys = engines.map(keyOf);
const folder = join(TOP, PROOFS);
const strays = (existsSync(folder) ? readdirSync(folder) : [])
  .map((name) => basename(name, '.json'))
  .filter((key) => !keys.includes(key))
  .map((key) => `${PROOFS}/${key}.json is of an engine that is not registered. Remove it.`);
const look = process.argv.includes('--sources') ? findChanges : findFaults;
const faults = [...engines.flatMap(look), ...strays];
if (engines.length === 0) faults.push('No engine is registered, so nothing is known.');
for (const fault of faults) console.error(fault);
if (faults.length > 0) {
  console.error(
    'Run `npm run test:engines -- test/engines/conformance -u` (`-t NAME` for one engine): it drives the real program against a model API on loopback, needs no login, and records what passed.',
  );
  process.exitCode = 1;
} else {
  console.log(`The suite has passed for ${keys.join(', ')}.`);
}
