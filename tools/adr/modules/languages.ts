/** The languages with a parser here, by the endings of their files. */
const ENDINGS = {
  js: ['js', 'mjs', 'cjs', 'jsx'],
  ts: ['ts', 'mts', 'cts', 'tsx'],
  python: ['py', 'pyi'],
  go: ['go'],
} as const;

export type Language = keyof typeof ENDINGS;

const BY_ENDING: ReadonlyMap<string, Language> = new Map(
  Object.entries(ENDINGS).flatMap(([language, endings]) =>
    endings.map((ending) => [ending, language as Language] as const),
  ),
);

/** The language of a file, or null when no parser here reads it. */
export const languageOf = (path: string): Language | null =>
  BY_ENDING.get(/\.([a-z]+)$/.exec(path)?.[1] ?? '') ?? null;
