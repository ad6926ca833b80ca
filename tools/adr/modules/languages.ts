/** The languages with a parser here, by the endings of their files. */
const ENDINGS = {
  js: /\.(js|mjs|cjs|jsx)$/,
  ts: /\.(ts|mts|cts|tsx)$/,
  python: /\.pyi?$/,
  go: /\.go$/,
} as const;

export type Language = keyof typeof ENDINGS;

/** The language of a file, or null when no parser here reads it. */
export function languageOf(path: string): Language | null {
  const found = Object.entries(ENDINGS).find(([, ending]) => ending.test(path));
  return found ? (found[0] as Language) : null;
}
