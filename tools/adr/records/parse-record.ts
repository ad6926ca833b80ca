import { type Finding, found, undecided } from '../finding.ts';
import { parseFrontMatter, splitFrontMatter } from './front-matter.ts';
import { type MarkdownNode, parseMarkdown, sectionsOf, textOf, walkMarkdown } from './markdown.ts';
import { parseEnforcement } from './parse-enforcement.ts';
import type { DecisionRecord } from './record.ts';
import { formatId, parseRecordIds, parseStatus } from './status.ts';

const FILE_NAME = /(?:^|\/)(\d{3,5})-[^/]+\.md$/;

/** The number in a record's file name, or null for a file that is no record. */
export function numberOfPath(path: string): number | null {
  const digits = FILE_NAME.exec(path)?.[1];
  return digits === undefined ? null : Number(digits);
}

/** A number, a text or a list of them, as one text. */
const strings = (value: unknown): string =>
  [value]
    .flat()
    .filter((part) => typeof part === 'string' || typeof part === 'number')
    .join(', ');

/** Reads one record of either style. What is wrong with it stands in `problems`. */
export function parseRecord(path: string, text: string): DecisionRecord {
  const number = numberOfPath(path) ?? 0;
  const split = splitFrontMatter(text);
  const front = parseFrontMatter(split);
  const root = parseMarkdown(split.body);
  const sections = sectionsOf(root);
  const problems: Finding[] = front.errors.map(({ message, line }) =>
    undecided(
      { path, line },
      `The front matter cannot be read (${message}), so neither status nor rules of this record are known. Correct the YAML.`,
    ),
  );
  const lineOf = (node: MarkdownNode): number =>
    (node.position?.start.line ?? 1) + split.bodyLine - 1;

  const heading = walkMarkdown(root).find((node) => node.type === 'heading' && node.depth === 1);
  const title = heading ? titleOf(textOf(heading)) : '';
  const titled = heading && /^(?:ADR[- ]?)?(\d{1,5})[.:]/i.exec(textOf(heading).trim())?.[1];
  if (!title) problems.push(found({ path }, 'The record has no title: begin it with `# Title`.'));
  if (heading && titled && Number(titled) !== number) {
    problems.push(
      found(
        { path, line: lineOf(heading) },
        `The title says ${titled} and the file name ${formatId(number)}. Give both the same number.`,
      ),
    );
  }

  const section = sections.find((one) => one.title.toLowerCase() === 'status');
  const said = front.value['status'];
  const words =
    typeof said === 'string' ? said : section ? statusText(section.nodes, split.body) : '';
  const status = front.errors.length === 0 ? parseStatus(words) : null;
  if (!status && front.errors.length === 0) {
    problems.push(
      undecided(
        { path, line: 1 },
        `The record has no status that is known (${words.trim() === '' ? 'none is said' : `"${words.trim()}"`}), so it is not known whether its rules are in force. Say proposed, accepted, rejected, deprecated or superseded.`,
      ),
    );
  }
  const enforcement = parseEnforcement(front, path);
  const listed = (key: string, more: readonly string[] = []): string[] => [
    ...new Set([...parseRecordIds(strings(front.value[key])), ...more]),
  ];
  return {
    id: formatId(number),
    number,
    path,
    style: typeof said === 'string' ? 'madr' : 'nygard',
    title,
    status: status?.status ?? 'unknown',
    date: dateOf(front.value['date'], split.body),
    supersedes: listed('supersedes', status?.supersedes),
    supersededBy: listed('superseded-by', status?.supersededBy),
    rules: enforcement.rules,
    waivers: enforcement.waivers,
    text,
    links: walkMarkdown(root)
      .filter((node) => node.url !== undefined && node.type !== 'image')
      .map((node) => ({ url: node.url ?? '', line: lineOf(node) })),
    problems: [...problems, ...enforcement.problems],
  };
}

/** A title without the number that stands before it. */
function titleOf(heading: string): string {
  return heading.trim().replace(/^(?:ADR[- ]?)?\d{1,5}[.:]\s*/i, '');
}

/** The source of a status section: links are wanted as they are written. */
function statusText(nodes: readonly MarkdownNode[], body: string): string {
  return nodes
    .map((node) => body.slice(node.position?.start.offset, node.position?.end.offset))
    .join('\n');
}

function dateOf(value: unknown, body: string): string | null {
  if (value instanceof Date) return value.toISOString().slice(0, 10);
  if (typeof value === 'string') return value;
  return /^Date:\s*(\S+)\s*$/m.exec(body)?.[1] ?? null;
}
