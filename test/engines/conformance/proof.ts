import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { parseSync } from 'oxc-parser';
import { z } from 'zod';

/** Where the suite records what it has seen pass, an engine a file. */
export const PROOFS = 'test/engines/conformance/passed';
const ENGINES = 'runner/engines';

/** A run of real tests that passed, and what of the product was read by it. */
const pass = z.strictObject({
  /** The version of the real program that was driven. */
  version: z.string().min(1),
  /** SHA-256 of the sources that read this engine, without their comments. */
  sources: z.string().regex(/^[0-9a-f]{64}$/),
  /** The tests that passed. */
  passed: z.array(z.string()).min(1),
});
export type Pass = z.infer<typeof pass>;

/** What the conformance suite held an engine to. */
export const proof = z.strictObject({
  /** The engine's id, with its form where it has several. */
  engine: z.string().min(1),
  ...pass.shape,
  /** What tests of other files proved of it, by the check of the matrix. */
  beside: z.record(z.string(), pass).optional(),
});
export type Proof = z.infer<typeof proof>;

/**
 * The sources that decide what an engine's output means: its own folder, and every other engine's
 * folder that these import. What all engines share is held by their recorded transcripts.
 */
export function sourcesOf(root: string, id: string): string[] {
  const folders = new Set([id]);
  const files: string[] = [];
  for (const folder of folders) {
    const top = posix.join(ENGINES, folder);
    if (!existsSync(join(root, top))) continue;
    const inside = readdirSync(join(root, top), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .map((name) => posix.join(top, name.replaceAll('\\', '/')));
    files.push(...inside);
    for (const file of inside) for (const other of importedFolders(root, file)) folders.add(other);
  }
  return files.sort();
}

/** The folders below `runner/engines` that a file imports from. */
function importedFolders(root: string, file: string): string[] {
  const { module } = parseSync(file, readFileSync(join(root, file), 'utf8'));
  return module.staticImports.flatMap(({ moduleRequest }) => {
    const target = posix.join(posix.dirname(file), moduleRequest.value);
    const isOurs = moduleRequest.value.startsWith('.') && target.startsWith(`${ENGINES}/`);
    const [folder, ...rest] = isOurs ? target.slice(ENGINES.length + 1).split('/') : [];
    return folder !== undefined && rest.length > 0 ? [folder] : [];
  });
}

/** One hash of these sources and their names. Comments do not count: they read no engine. */
export function hashSources(root: string, files: readonly string[]): string {
  const hash = createHash('sha256');
  for (const file of files) {
    const text = readFileSync(join(root, file), 'utf8');
    const { comments } = parseSync(file, text);
    const code = comments.reduceRight((rest, { start, end }) => {
      return rest.slice(0, start) + rest.slice(end);
    }, text);
    const lines = code.split('\n').map((line) => line.trimEnd());
    hash.update(`${file}\n${lines.filter(Boolean).join('\n')}\n\0`);
  }
  return hash.digest('hex');
}
