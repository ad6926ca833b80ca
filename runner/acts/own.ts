/**
 * Looks up a key that comes from outside in a table of ours. Only the table's own entries count:
 * a program, an option or an engine's id may well be called `constructor`.
 */
export function ownEntry<T>(table: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(table, key) ? table[key] : undefined;
}
