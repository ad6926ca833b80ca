export type XmlElement = {
  name: string;
  attributes: Readonly<Record<string, string | number | null>>;
  children: readonly (XmlElement | string)[];
};

/** An element of names from this code and values from anywhere. Null attributes are left out. */
export const element = (
  name: string,
  attributes: XmlElement['attributes'],
  children: XmlElement['children'] = [],
): XmlElement => ({ name, attributes, children });

/** XML 1.0, 2.2: these are no characters of a document, and no escape can write them either. */
const NOT_XML = /[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu;

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  // A bare `>` ends a CDATA section that is not there: `]]>` is an error in any text.
  '>': '&gt;',
  '"': '&quot;',
  // A parser turns raw line breaks into others, and those of an attribute into spaces.
  '\t': '&#9;',
  '\n': '&#10;',
  '\r': '&#13;',
};

/** Text for an attribute or between tags; what XML cannot hold is written as `\u{1b}`. */
export function escapeXml(text: string): string {
  return text
    .replaceAll(NOT_XML, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`)
    .replaceAll(/[&<>"\t\n\r]/g, (character) => ENTITIES[character] ?? '');
}

function write(node: XmlElement | string, indent: string): string {
  if (typeof node === 'string') return escapeXml(node).replaceAll('&#10;', '\n');
  const attributes = Object.entries(node.attributes)
    .filter(([, value]) => value !== null)
    .map(([name, value]) => ` ${name}="${escapeXml(String(value))}"`)
    .join('');
  const open = `${indent}<${node.name}${attributes}`;
  if (node.children.length === 0) return `${open}/>`;
  // Space beside text would become part of it.
  if (node.children.some((child) => typeof child === 'string')) {
    const text = node.children.map((child) => write(child, '')).join('');
    return `${open}>${text}</${node.name}>`;
  }
  const inner = node.children.map((child) => write(child, `${indent}  `)).join('\n');
  return `${open}>\n${inner}\n${indent}</${node.name}>`;
}

/** A whole document. */
export const writeXml = (root: XmlElement): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n${write(root, '')}`;
