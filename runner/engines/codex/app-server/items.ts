import { ownEntry } from '../../../acts/own.ts';
import { commandItem, fileItem } from './messages.ts';

/**
 * An item in the words of `exec --json`, which says the same in another spelling, so that both
 * forms are read by one set of readers. Null for an item without the shape of its type.
 */
export function asExecItem(
  type: string,
  item: Readonly<Record<string, unknown>>,
): { type: string; item: unknown } | null {
  const convert = ownEntry(CONVERTED, type);
  const converted = convert ? convert(item) : item;
  return converted === null ? null : { type: snakeCase(type), item: converted };
}

const CONVERTED: Readonly<Record<string, (item: unknown) => object | null>> = {
  commandExecution(raw) {
    const parsed = commandItem.safeParse(raw);
    if (!parsed.success) return null;
    const { command, aggregatedOutput, exitCode, status } = parsed.data;
    return { command, aggregated_output: aggregatedOutput ?? '', exit_code: exitCode, status };
  },
  fileChange(raw) {
    const parsed = fileItem.safeParse(raw);
    if (!parsed.success) return null;
    const { changes, status } = parsed.data;
    return {
      changes: changes.map(({ path, kind, diff }) => ({ path, kind: kind.type, diff })),
      status,
    };
  },
};

const snakeCase = (word: string): string =>
  word.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
