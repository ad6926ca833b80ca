import { isMap, isScalar, parseDocument } from 'yaml';
import { AdrFailure } from '../failure.ts';
import { splitFrontMatter } from './front-matter.ts';
import { parseMarkdown, textOf } from './markdown.ts';
import type { DecisionRecord } from './record.ts';

/**
 * Sets one key of front matter and leaves every other byte as it is: comments, quotes and line
 * breaks are the author's. A key that is not there is put in after the last of `after` that is.
 */
export function setFrontMatter(
  text: string,
  key: string,
  source: string,
  after: readonly string[] = [],
): string {
  const split = splitFrontMatter(text);
  const eol = split.opening.includes('\r\n') ? '\r\n' : '\n';
  const { contents } = parseDocument(split.yaml);
  const items = isMap(contents) ? contents.items : [];
  const named = (name: string) =>
    items.find((item) => isScalar(item.key) && item.key.value === name);
  const rangeOf = (name: string): readonly [number, number] | null => {
    const value = named(name)?.value;
    const range = typeof value === 'object' && value && 'range' in value ? value.range : null;
    return Array.isArray(range) ? [range[0], range[1]] : null;
  };
  const range = rangeOf(key);
  let yaml: string;
  if (range) yaml = split.yaml.slice(0, range[0]) + source + split.yaml.slice(range[1]);
  else {
    const anchor = after.findLast((name) => named(name) !== undefined);
    const end = anchor === undefined ? null : (rangeOf(anchor)?.[1] ?? null);
    const lineEnd = end === null ? -1 : split.yaml.indexOf('\n', end);
    const at = lineEnd === -1 ? split.yaml.length : lineEnd + 1;
    yaml = `${split.yaml.slice(0, at)}${key}: ${source}${eol}${split.yaml.slice(at)}`;
  }
  if (split.opening === '') return `---${eol}${yaml}---${eol}${eol}${text}`;
  return split.opening + yaml + split.closing + split.body;
}

/** Replaces what stands under `## Status` in a Nygard record. */
export function setStatusSection(text: string, words: string): string {
  const split = splitFrontMatter(text);
  const nodes = parseMarkdown(split.body).children ?? [];
  const at = nodes.findIndex(
    (node) => node.type === 'heading' && textOf(node).trim().toLowerCase() === 'status',
  );
  const start = nodes[at]?.position?.end.offset;
  if (at === -1 || start === undefined) {
    throw new AdrFailure(
      'no_status',
      'The record has neither a status in its front matter nor a section `## Status`, so its status cannot be changed. Give it one.',
    );
  }
  const next = nodes.slice(at + 1).find((node) => node.type === 'heading');
  const end = next?.position?.start.offset ?? split.body.length;
  const body = `${split.body.slice(0, start)}\n\n${words}\n\n${split.body.slice(end)}`;
  return split.opening + split.yaml + split.closing + body.replace(/\n+$/, '\n');
}

const list = (ids: readonly string[]): string =>
  ids.length === 1 ? `"${ids[0]}"` : `[${ids.map((id) => `"${id}"`).join(', ')}]`;

const linkTo = (record: DecisionRecord): string =>
  `[${record.number}. ${record.title}](${record.path.split('/').at(-1) ?? ''})`;

/** The text of a record that `newer` has superseded. */
export function markSuperseded(old: DecisionRecord, newer: DecisionRecord): string {
  if (old.style === 'nygard') return setStatusSection(old.text, `Superseded by ${linkTo(newer)}`);
  const by = list([...new Set([...old.supersededBy, newer.id])]);
  const changed = setFrontMatter(old.text, 'status', 'superseded');
  return setFrontMatter(changed, 'superseded-by', by, ['status', 'date', 'supersedes']);
}

/** The text of an accepted record that supersedes `old`. */
export function markSuperseding(newer: DecisionRecord, old: DecisionRecord): string {
  if (newer.style === 'nygard') {
    return setStatusSection(newer.text, `Accepted\n\nSupersedes ${linkTo(old)}`);
  }
  const ids = list([...new Set([...newer.supersedes, old.id])]);
  const changed = setFrontMatter(newer.text, 'status', 'accepted');
  return setFrontMatter(changed, 'supersedes', ids, ['status', 'date']);
}
