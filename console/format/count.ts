/** A token count as people say it: `812`, `9.4 K`, `790 K`, `1.2 M`. */
export function formatTokens(count: number): string {
  if (count < 1_000) return String(count);
  // From 999,500 on, rounding to thousands would print `1000 K`.
  const [value, unit] = count < 999_500 ? [count / 1_000, 'K'] : [count / 1_000_000, 'M'];
  const digits = value < 9.95 ? 1 : 0;
  return `${value.toFixed(digits).replace(/\.0$/, '')} ${unit}`;
}

/** `1 turn`, `2 turns`. */
export function plural(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString('en-US')} ${count === 1 ? one : many}`;
}

/** Bytes as `312 B`, `14 KB`, `2.1 MB`. */
export function formatBytes(bytes: number): string {
  if (bytes < 1_000) return `${bytes} B`;
  if (bytes < 999_500) return `${Math.round(bytes / 1_000)} KB`;
  return `${(bytes / 1_000_000).toFixed(1).replace(/\.0$/, '')} MB`;
}
