import { copyFile, mkdir, writeFile, appendFile, chmod } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { PilothouseError } from '../../protocol/errors.ts';
import { lendObjects } from '../lfs/checkout.ts';
import { FILL_IN, isLfsHere } from '../lfs/filter.ts';
import type { Base } from './base.ts';
import { configText, type ConfigSection } from './config-text.ts';
import { git, gitOrNull, type ConfigPair, type GitOptions } from './git.ts';
import { readOrigin } from './origin.ts';
import { isSparse } from './problems.ts';
import { configOf, safeDirectories, type Source } from './source.ts';

export type ClonePlan = {
  source: Source;
  base: Base;
  branch: string;
  top: string;
  /** A commit of the person's uncommitted changes, or null. */
  uncommitted: string | null;
  /** The file that says where the gate is, for a session whose only remote that is; null for an open one. */
  gateConfig: string | null;
};

type Tag = { commit: string; ref: string };

/**
 * Makes what `git clone --shared --single-branch` makes: a repository that borrows the source's
 * objects and has one branch. It is put together from its parts because `clone` starts from
 * branches and tags only, never from a commit, and would take the person's hook templates along.
 *
 * Whatever is not reachable from the base (annotated tags, the upstream's newer commits) is
 * copied rather than borrowed, since the keep ref holds the base alone. Returns which remote of
 * the source is the checkout's `origin`, or stands behind it.
 */
export async function cloneInto(plan: ClonePlan): Promise<{ remote: string | null }> {
  const { source, base, branch, top, uncommitted, gateConfig } = plan;
  const gitDirectory = join(top, '.git');
  await mkdir(top, { recursive: true, mode: 0o700 });
  await chmod(top, 0o700);
  const inside: GitOptions = { directory: top };
  const format = `--object-format=${source.objectFormat}`;
  await git(['init', '--quiet', '--template=', format, `--initial-branch=${branch}`, top], inside);
  await mkdir(join(gitDirectory, 'objects', 'info'), { recursive: true });
  await mkdir(join(gitDirectory, 'info'), { recursive: true });
  await writeFile(join(gitDirectory, 'objects', 'info', 'alternates'), alternatesText(source));
  if (source.shallow)
    await copyFile(join(source.commonDirectory, 'shallow'), join(gitDirectory, 'shallow'));
  const origin = await readOrigin(source, base, gateConfig !== null);
  const made = { remote: origin?.remote ?? null };
  await appendFile(
    join(gitDirectory, 'config'),
    configText(sectionsOf(source, origin?.section ?? null, gateConfig)),
  );
  if (isSparse(source)) await copySparse(source, gitDirectory);
  const tags = await listTags(source, base);
  const tracked = origin?.tracked ?? null;
  await copyObjects(
    source,
    base,
    [...tags.map((tag) => tag.commit), ...(tracked ? [tracked.commit] : [])],
    gitDirectory,
  );
  const refs = [
    { commit: base.commit, ref: `refs/heads/${branch}` },
    ...tags,
    ...(tracked ? [tracked] : []),
  ];
  const creations = refs.map(({ commit, ref }) => `create ${ref} ${commit}\n`).join('');
  await git(['update-ref', '--stdin'], { ...inside, input: creations });
  const filling = await fillFrom(plan, gitDirectory);
  await git(['reset', '--hard', '--quiet'], { ...inside, config: filling });
  if (uncommitted === null) return made;
  // The files become as the person has them; the index stays at the base, so that their changes
  // are uncommitted here as they are there.
  await git(['read-tree', '-m', '-u', base.commit, uncommitted], { ...inside, config: filling });
  await git(['reset', '--mixed', '--quiet'], inside);
  return made;
}

/** Lends the checkout the files of Git LFS that the person has; with what git fills them in then. */
async function fillFrom(
  { source, base, uncommitted }: ClonePlan,
  gitDirectory: string,
): Promise<readonly ConfigPair[]> {
  if (!source.filters.includes('lfs') || !(await isLfsHere())) return [];
  const options = { directory: source.top, config: safeDirectories(source.config) };
  await lendObjects(source, uncommitted ?? base.commit, gitDirectory, options);
  return FILL_IN;
}

/** One path a line; a path that could be read as anything else is quoted, see gitrepository-layout(5). */
export function alternatesText(source: Pick<Source, 'commonDirectory'>): string {
  const path = join(source.commonDirectory, 'objects');
  if (!/^["#]|[\n"\\]/.test(path)) return `${path}\n`;
  return `"${path.replaceAll(/["\\]/g, '\\$&').replaceAll('\n', '\\n')}"\n`;
}

function sectionsOf(
  source: Source,
  origin: ConfigSection | null,
  gateConfig: string | null,
): ConfigSection[] {
  const person = ['name', 'email'].flatMap((key): [string, string][] => {
    const value = configOf(source, `user.${key}`);
    return value === null ? [] : [[key, value]];
  });
  // Automatic clean-up would copy every borrowed object into the checkout.
  const sections: ConfigSection[] = [{ name: 'gc', values: [['auto', '0']] }];
  if (person.length > 0) sections.push({ name: 'user', values: person });
  if (origin && gateConfig !== null)
    sections.push({ name: 'include', values: [['path', gateConfig]] });
  if (origin) sections.push(origin);
  return sections;
}

async function copySparse(source: Source, gitDirectory: string): Promise<void> {
  const patterns = join(source.gitDirectory, 'info', 'sparse-checkout');
  if (!existsSync(patterns)) {
    throw new PilothouseError('workspace_refused', {
      detail: 'the repository is sparse, and its info/sparse-checkout is missing',
    });
  }
  await copyFile(patterns, join(gitDirectory, 'info', 'sparse-checkout'));
  const cone = configOf(source, 'core.sparsecheckoutcone') === 'true' ? 'true' : 'false';
  const values: [string, string][] = [
    ['sparseCheckout', 'true'],
    ['sparseCheckoutCone', cone],
  ];
  await appendFile(join(gitDirectory, 'config'), configText([{ name: 'core', values }]));
}

async function listTags(source: Source, base: Base): Promise<Tag[]> {
  const format = '--format=%(objectname) %(refname)';
  const listed = await gitOrNull(['for-each-ref', `--merged=${base.commit}`, format, 'refs/tags'], {
    directory: source.top,
    config: safeDirectories(source.config),
  });
  return (listed ?? '').split('\n').flatMap((line) => {
    const [commit, ref] = line.split(' ', 2);
    return commit && ref ? [{ commit, ref }] : [];
  });
}

async function copyObjects(
  source: Source,
  base: Base,
  wanted: readonly string[],
  gitDirectory: string,
): Promise<void> {
  if (wanted.length === 0) return;
  const pack = join(gitDirectory, 'objects', 'pack', 'pack');
  await mkdir(join(gitDirectory, 'objects', 'pack'), { recursive: true });
  await git(['pack-objects', '--revs', '--quiet', '--non-empty', pack], {
    directory: source.top,
    config: safeDirectories(source.config),
    input: `${wanted.join('\n')}\n^${base.commit}\n`,
  });
}
