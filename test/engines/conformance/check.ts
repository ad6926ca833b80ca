/**
 * `node test/engines/conformance/check.ts`: whether the suite has passed for every registered engine,
 * in the version that the tests install. With `--sources`: whether what reads each engine is what
 * passed. Ends with 1 when not. No engine is started.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Engine } from '../../../runner/engines/engine.ts';
import { ENGINES } from '../../../runner/engines/registry.ts';
import { versionOf } from '../../../tools/engines/install.ts';
import { hashSources, proof, type Proof, PROOFS, sourcesOf } from './proof.ts';
import { keyOf } from './record.ts';

/** The scripted engine is a part of the product and asks no model; its own tests prove it. */
const NO_MODEL: readonly string[] = ['rehearsal'];

type Named = Pick<Engine, 'id' | 'form'>;

const TOP = fileURLToPath(new URL('../../..', import.meta.url));

/** The recorded pass of an engine, or a sentence of what is wrong with it. */
function readProof(engine: Named): Proof | string {
  const key = keyOf(engine);
  const path = `${PROOFS}/${key}.json`;
  if (!existsSync(join(TOP, path))) {
    return `${key} is registered, and no passing suite is recorded for it (${path}).`;
  }
  const parsed = proof.safeParse(JSON.parse(readFileSync(join(TOP, path), 'utf8')));
  return parsed.success && parsed.data.engine === key
    ? parsed.data
    : `${path} is no record of ${key}.`;
}

/** What keeps an engine from counting as proven, as a sentence; null when nothing does. */
function findFault(engine: Named): string | null {
  const passed = readProof(engine);
  if (typeof passed === 'string') return passed;
  const version = versionOf(engine.id);
  return passed.version === version
    ? null
    : `${keyOf(engine)} passed in version ${passed.version}, and the tests install ${version ?? 'none'}.`;
}

/** Whether an engine is read by other sources than those that passed, as a sentence. */
function findChange(engine: Named): string | null {
  const passed = readProof(engine);
  if (typeof passed === 'string') return passed;
  const files = sourcesOf(TOP, engine.id);
  return files.length > 0 && passed.sources === hashSources(TOP, files)
    ? null
    : `What reads ${keyOf(engine)} has changed since the suite passed (one of ${files.length} files in runner/engines/${engine.id} and what they import).`;
}

const engines = ENGINES.filter(({ id }) => !NO_MODEL.includes(id));
const keys = engines.map(keyOf);
const folder = join(TOP, PROOFS);
const strays = (existsSync(folder) ? readdirSync(folder) : [])
  .map((name) => basename(name, '.json'))
  .filter((key) => !keys.includes(key))
  .map((key) => `${PROOFS}/${key}.json is of an engine that is not registered. Remove it.`);
const look = process.argv.includes('--sources') ? findChange : findFault;
const faults = [...engines.flatMap((engine) => look(engine) ?? []), ...strays];
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
