const UNITS = ['KB', 'MB', 'GB', 'TB'] as const;

/** Bytes as people say them: `312 B`, `14 KB`, `2.1 MB`, `1.5 GB`. */
export function formatBytes(bytes: number): string {
  if (bytes < 1_000) return `${bytes} B`;
  // From 999,500 on, rounding to whole thousands would print `1000 KB`.
  const index = UNITS.findIndex((_, each) => bytes < 999_500 * 1_000 ** each);
  const power = index === -1 ? UNITS.length - 1 : index;
  const value = bytes / 1_000 ** (power + 1);
  return `${power === 0 ? Math.round(value) : value.toFixed(1).replace(/\.0$/, '')} ${UNITS[power]}`;
}
