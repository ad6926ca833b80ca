import { splitFrontMatter } from './front-matter.ts';
import { parseMarkdown, sectionsOf } from './markdown.ts';
import type { DecisionRecord, RecordStyle } from './record.ts';
import { formatId } from './status.ts';

/** Answers to the three bars: why a comment would not do. */
export type Bars = { constrains: string; violable: string; unchecked: string };

export type Draft = {
  number: number;
  title: string;
  style: RecordStyle;
  /** `2026-11-29` */
  date: string;
  bars: Bars;
  /** The sections of the record before, whose form the new one takes; empty for the first. */
  sections: readonly string[];
};

const MADR_SECTIONS = [
  'Context and Problem Statement',
  'Considered Options',
  'Decision Outcome',
  'Consequences',
];
const NYGARD_SECTIONS = ['Context', 'Decision', 'Consequences'];

/** A file name such as `0009-the-gate-alone-imports-connectors.md`. */
export function fileNameOf(number: number, title: string): string {
  const words = title
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '');
  return `${formatId(number)}-${words || 'decision'}.md`;
}

/** The text of a new record, proposed, with the answers to the bars where the context is told. */
export function writeDraft(draft: Draft): string {
  const { number, title, style, date, bars } = draft;
  const context = [
    `It constrains later code: ${bars.constrains}`,
    `A reasonable editor would violate it: ${bars.violable}`,
    `Neither types nor tests would catch that: ${bars.unchecked}`,
  ].map((line) => `- ${line}`);
  const sections =
    draft.sections.length > 0 ? draft.sections : style === 'madr' ? MADR_SECTIONS : NYGARD_SECTIONS;
  const body = sections.flatMap((name, index) => [
    `## ${name}`,
    '',
    ...(index === 0 ? [...context, ''] : []),
  ]);
  const head =
    style === 'madr'
      ? [
          '---',
          'status: proposed',
          `date: ${date}`,
          'enforcement: []',
          '---',
          '',
          `# ${formatId(number)}. ${title}`,
          '',
        ]
      : [`# ${number}. ${title}`, '', `Date: ${date}`, '', '## Status', '', 'Proposed', ''];
  return `${[...head, ...body].join('\n').trimEnd()}\n`;
}

/** The titles of a record's sections, but for the status. */
export function sectionTitles(record: DecisionRecord): string[] {
  return sectionsOf(parseMarkdown(splitFrontMatter(record.text).body))
    .map((section) => section.title)
    .filter((title) => title !== '' && title.toLowerCase() !== 'status');
}
