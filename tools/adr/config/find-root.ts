import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { parse as parseYaml } from 'yaml';
import { AdrFailure, messageOf } from '../failure.ts';
import { describeIssues } from '../rules/describe-issues.ts';
import { CONFIG_NAMES, DEFAULT_DIRECTORIES, adrConfig, type AdrConfig } from './schema.ts';

/** A repository with decision records: absolute `root`, and `directory` relative to it with `/`. */
export type Workspace = {
  root: string;
  directory: string;
  config: AdrConfig;
  configPath: string | null;
};

const isDirectory = (path: string): boolean =>
  statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;

/** A folder that is only called like one of records, such as a tool's own source, is none. */
const holdsRecords = (path: string): boolean =>
  isDirectory(path) && readdirSync(path).some((name) => /^\d+\D.*\.md$/.test(name));

/**
 * Finds the repository that `start` lies in: the nearest directory upwards with a configuration,
 * else the nearest one with a directory of records, else git's top, else `start` itself.
 * Throws `AdrFailure` when the configuration cannot be read.
 */
export function findWorkspace(start: string): Workspace {
  const from = resolve(start);
  if (!isDirectory(from)) {
    throw new AdrFailure(
      'no_directory',
      `There is no directory ${from}, so there is nothing to look at. Give the top of a repository with --root.`,
    );
  }
  const upwards = parentsOf(from);
  for (const root of upwards) {
    const name = CONFIG_NAMES.find((candidate) => existsSync(join(root, candidate)));
    if (name) return withConfig(root, readConfig(join(root, name)), name);
    const found = DEFAULT_DIRECTORIES.find((directory) => holdsRecords(join(root, directory)));
    if (found) return withConfig(root, adrConfig.parse({ directory: found }), null);
    if (existsSync(join(root, '.git'))) return withConfig(root, adrConfig.parse({}), null);
  }
  return withConfig(from, adrConfig.parse({}), null);
}

function withConfig(root: string, config: AdrConfig, configPath: string | null): Workspace {
  const directory =
    config.directory ??
    DEFAULT_DIRECTORIES.find((candidate) => isDirectory(join(root, candidate))) ??
    DEFAULT_DIRECTORIES[0];
  return {
    root,
    config,
    configPath,
    directory: directory.replace(/^\.\//, '').replace(/\/+$/, ''),
  };
}

function parentsOf(from: string): string[] {
  const parents = [from];
  for (let at = dirname(from); at !== parents.at(-1); at = dirname(at)) parents.push(at);
  return parents;
}

function readConfig(path: string): AdrConfig {
  let value: unknown;
  try {
    const text = readFileSync(path, 'utf8').replace(/^\uFEFF/, '');
    value = path.endsWith('.json') ? JSON.parse(text) : parseYaml(text);
  } catch (error) {
    throw new AdrFailure(
      'bad_config',
      `${path} cannot be read (${messageOf(error)}), so it is not known where the records are. Correct the file, then run the command again.`,
    );
  }
  const parsed = adrConfig.safeParse(value ?? {});
  if (parsed.success) return parsed.data;
  throw new AdrFailure(
    'bad_config',
    `${path} says something unknown: ${describeIssues(parsed.error, value)}. Correct the file, then run the command again.`,
  );
}
