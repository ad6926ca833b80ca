import { z } from 'zod';
import { BUILT_IN_PRESETS } from './builtin-presets.ts';
import { type ParserId, PARSERS } from './parsers.ts';
import type { EnginePreset } from './preset.ts';

/** Most files of one answer. */
export const FOUND_FILES_MAX = 50;
const QUERY_MAX_CHARS = 200;

const wanted = z.string().max(QUERY_MAX_CHARS);
/** Which files are asked for: letters of their paths, in order; none are those nearest to the top. */
export const findFilesParams = z.object({
  query: wanted,
  limit: z.int().positive().max(FOUND_FILES_MAX),
});
export type FindFiles = z.infer<typeof findFilesParams>;

export const findFilesQuery = z.object({
  query: wanted.default(''),
  limit: z.coerce.number().int().min(1).max(FOUND_FILES_MAX).default(12),
});
export const findFilesInQuery = z.object({
  ...findFilesQuery.shape,
  path: z.string().min(1).max(4096),
});

export const foundFiles = z.object({
  /** From the directory in which the engine works; the best match first. */
  files: z.array(z.string().max(4096)).max(FOUND_FILES_MAX),
  /** Files that were looked at. */
  examined: z.int().nonnegative(),
  /** There are more than were looked at. */
  more: z.boolean(),
});
export type FoundFiles = z.infer<typeof foundFiles>;

type Mentions = (typeof PARSERS)[ParserId]['mentions'];

/** How the engine of a launch is pointed to a file; null where it reads a path like any other word. */
export function mentionsOf(launch: {
  engineId: string;
  preset?: Pick<EnginePreset, 'parser'> | null;
}): Mentions {
  const preset =
    launch.preset ?? BUILT_IN_PRESETS.find(({ preset: { id } }) => id === launch.engineId)?.preset;
  return preset ? PARSERS[preset.parser].mentions : null;
}

/**
 * Whether a file can be pointed to: its name is found in a repository of anybody, and a quote or a
 * character that breaks the line would end it early, and have words of it read as an instruction.
 */
export const isMentionable = (path: string): boolean => !/["\p{C}\p{Zl}\p{Zp}]/u.test(path);

/**
 * A file as it is written in an instruction to such an engine. Throws for one that cannot be
 * pointed to, which no list of files has. Pure.
 */
export function mentionFile(path: string, mentions: Mentions): string {
  if (!isMentionable(path)) throw new Error('a file of this name cannot be pointed to');
  const plain = /^[\p{L}\p{N}_./+@~-]+$/u.test(path);
  switch (mentions) {
    case 'quoted':
      return plain ? `@${path}` : `@"${path}"`;
    case 'escaped':
      return `@${path.replaceAll(/[^\p{L}\p{N}_./+@~-]/gu, '\\$&')}`;
    case null:
      return plain ? path : `"${path}"`;
    default:
      return mentions satisfies never;
  }
}
