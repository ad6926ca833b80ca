import { ownEntry } from '../acts/own.ts';
import { parseJson } from '../json.ts';
import type { Draft } from './draft.ts';
import { type Ignored, ignoreGarbage, ignoreUnknown } from './ignored.ts';

/** Reads a line of one type. False when it does not have that type's shape. */
type Reader<D> = (draft: D, raw: unknown) => boolean;

/** By `type`, never by the line's beginning: the order of keys varies. */
export type Readers<D> = Readonly<Record<string, Reader<D> | undefined>>;

/** Reads one line of JSON by its `type`. Never throws: what cannot be read becomes a notice. */
export function readTypedLine<D extends Draft<Ignored>>(
  draft: D,
  line: string,
  readers: Readers<D>,
  ignoreMisshapen: (draft: D, line: string, type: string, raw: unknown) => void = ignoreGarbage,
): void {
  const text = line.trimStart();
  if (text === '') return;
  // Told by its first character: a flood of lines that are no JSON would cost an exception each.
  const raw = text.startsWith('{') ? parseJson(text) : undefined;
  const type = typeof raw === 'object' && raw !== null && 'type' in raw ? raw.type : undefined;
  if (typeof type !== 'string') return ignoreGarbage(draft, line);
  const reader = ownEntry(readers, type);
  if (!reader) ignoreUnknown(draft, type);
  else if (!reader(draft, raw)) ignoreMisshapen(draft, line, type, raw);
}
