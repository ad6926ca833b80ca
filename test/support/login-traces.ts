import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { findInCommandLines, findInFiles } from '../faults/canary-search.ts';
import type { World } from '../e2e/world.ts';

/** What is in a person's home beside the product's data and the repositories, by path. */
export function readHome(home: string): Map<string, string> {
  const ours = /^(data|project|remote\.git)(\/|$)/;
  const paths = readdirSync(home, { recursive: true, encoding: 'utf8' });
  const files = paths.filter((path) => !ours.test(path) && statSync(join(home, path)).isFile());
  return new Map(files.map((path) => [path, readFileSync(join(home, path), 'utf8')]));
}

/** Files that one has and the other has not, or has otherwise. */
export const findChanges = (before: Map<string, string>, after: Map<string, string>): string[] =>
  [...new Set([...before.keys(), ...after.keys()])].filter(
    (path) => before.get(path) !== after.get(path),
  );

/** The files of this name in what the product keeps, as one that a session wrote into its own home. */
export const findNamed = (world: World, name: string): string[] =>
  readdirSync(world.data, { recursive: true, encoding: 'utf8' }).filter((path) =>
    path.endsWith(`/${name}`),
  );

/**
 * Where a login's secrets show: in files of the product beside `login`, which is the name under
 * which a seal has it, and in arguments of processes that run. Throws where the search does not
 * even find them in that file, or had nothing to look at.
 */
export function findTraces(world: World, login: string, secrets: readonly string[]): string[] {
  const files = secrets.map((secret) => findInFiles(world.data, secret));
  const lines = secrets.map((secret) => findInCommandLines(world.home, secret));
  const isLogin = (path: string) => path.endsWith(`/${login}`);
  const places = files.flatMap((found) => found.places);
  if (!places.some(isLogin)) throw new Error(`the search does not find ${login} in a seal`);
  if (lines.some(({ looked }) => looked === 0)) throw new Error('no process was looked at');
  return [...places.filter((path) => !isLogin(path)), ...lines.flatMap((found) => found.places)];
}
