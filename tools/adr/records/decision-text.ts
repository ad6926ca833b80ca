import type { SplitRecord } from './front-matter.ts';
import { parseFrontMatter } from './front-matter.ts';
import { type MarkdownNode, parseMarkdown, sectionsOf } from './markdown.ts';

/** Keys of the front matter that may change while a decision stands. */
const MUTABLE_KEYS = new Set([
  'status',
  'date',
  'supersedes',
  'superseded-by',
  'enforcement',
  'waivers',
]);

/**
 * The decision of a record as one comparable text: titles and words of its sections, without what
 * may change (status, links' addresses, enforcement, waivers) and without what nobody reads (line
 * breaks inside a paragraph). Two versions with the same text made the same decision.
 */
export function decisionText(split: SplitRecord): string {
  const front = parseFrontMatter(split);
  const fixed = Object.entries(front.value)
    .filter(([key]) => !MUTABLE_KEYS.has(key))
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, value]) => `${key}: ${JSON.stringify(value)}`);
  const sections = sectionsOf(parseMarkdown(split.body))
    .filter((section) => section.title.toLowerCase() !== 'status')
    .map((section) => [`## ${section.title}`, ...section.nodes.map(canonical)].join('\n'));
  return [...fixed, ...sections].join('\n');
}

/** A node as text that is the same for every way of writing the same thing. */
function canonical(node: MarkdownNode): string {
  if (node.type === 'text') return (node.value ?? '').replaceAll(/\s+/g, ' ');
  // Addresses may change, when files move; an image's or a link's words may not.
  if (node.type === 'definition') return node.title ?? '';
  // Where a Nygard record is dated; the date belongs to the status.
  const inner = (node.children ?? []).map(canonical).join('');
  if (node.type === 'paragraph' && /^Date: [\d-]+$/.test(inner.trim())) return '';
  if (node.type === 'link' || node.type === 'linkReference') return inner + (node.title ?? '');
  const mark = [node.type, node.depth, node.lang, node.ordered].filter((part) => part ?? false);
  const words = node.value ?? [inner, node.alt, node.title].filter(Boolean).join(' ');
  return `<${mark.join(' ')}>${words}</>`;
}
