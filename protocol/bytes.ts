const UNITS = ['KB', 'MB', 'GB', 'TB'] as const;

const sayPlain = (value: number, digits: number): string =>
  value.toFixed(digits).replace(/\.0$/, '');

/** Bytes as people say them: `312 B`, `14 KB`, `2.1 MB`, `1.5 GB`. `say` gives a number its form. */
export function formatBytes(bytes: number, say = sayPlain): string {
  if (bytes < 1_000) return `${say(bytes, 0)} B`;
  // From 999,500 on, rounding to whole thousands would print `1000 KB`.
  const index = UNITS.findIndex((_, each) => bytes < 999_500 * 1_000 ** each);
  const power = index === -1 ? UNITS.length - 1 : index;
  const value = bytes / 1_000 ** (power + 1);
  return `${say(value, power === 0 ? 0 : 1)} ${UNITS[power]}`;
}
