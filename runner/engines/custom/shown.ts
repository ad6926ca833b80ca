import { stripVTControlCharacters } from 'node:util';

/**
 * A line as it is shown: without colours and other control characters, and, where a progress bar
 * wrote over itself, what it came to last. Shown, and no more: nothing is decided by it.
 */
export function shownLine(line: string): string {
  const plain = stripVTControlCharacters(line).replace(/\r+$/, '');
  // Tabs stay; other controls have no shape of their own.
  return (plain.split('\r').at(-1) ?? '').replaceAll(/(?!\t)\p{Cc}/gu, '');
}
