import { parseJson } from '../json.ts';
import type { AsideQuestion, Engine } from './engine.ts';

/** How another form of an engine answers: as the plain one, and read like it. */
export const asideOf = (plain: Engine): Pick<Engine, 'aside'> =>
  plain.aside ? { aside: { ...plain.aside, reader: plain } } : {};

/** The form of an answer in words, for an engine that cannot be held to a schema. */
export const askForm = ({ prompt, schema }: AsideQuestion): string =>
  `${prompt}\n\nAnswer with one JSON object of this schema, and with nothing else:\n${JSON.stringify(schema)}`;

/** The object in a text, which may stand between fences or other words; undefined for none. */
export function findObject(text: string): unknown {
  const from = text.indexOf('{');
  const to = text.lastIndexOf('}');
  return from < 0 || to < from ? undefined : (parseJson(text.slice(from, to + 1)) ?? undefined);
}
