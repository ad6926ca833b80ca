import { describe, expect, it } from 'vitest';
import { decisionText } from '../../../../tools/adr/records/decision-text.ts';
import { splitFrontMatter } from '../../../../tools/adr/records/front-matter.ts';

const text = (markdown: string): string => decisionText(splitFrontMatter(markdown));
const RECORD =
  '---\nstatus: accepted\ndate: 2026-01-02\ndeciders: [ann]\n---\n\n# 1. Use queues\n\n## Decision\n\nWe use [queues](https://example.com/a)\nand nothing else.\n\n- one\n- two\n\n![The new way](a.png "As planned")\n';

describe('the same decision', () => {
  it.each([
    ['another status', (a: string) => a.replace('accepted', 'superseded\nsuperseded-by: "0002"')],
    ['another address of a link', (a: string) => a.replace('example.com/a', 'example.org/b')],
    ['other line breaks', (a: string) => a.replace('(https://example.com/a)\nand', '(x) and')],
    [
      'rules and waivers',
      (a: string) => a.replace('---\n\n#', 'enforcement: []\nwaivers: []\n---\n\n#'),
    ],
    ['another address of an image', (a: string) => a.replace('a.png', 'b.png')],
    ['other blank lines', (a: string) => a.replace('## Decision\n', '## Decision\n\n\n')],
    ['line ends of Windows', (a: string) => a.replaceAll('\n', '\r\n')],
    ['a section that tells the status', (a: string) => `${a}\n## Status\n\nSuperseded by 2\n`],
    ['another mark for lists', (a: string) => a.replaceAll('\n- ', '\n* ')],
  ])('is seen behind %s', (_, change) => {
    expect(change(RECORD)).not.toBe(RECORD);
    expect(text(change(RECORD))).toBe(text(RECORD));
  });
});

describe('another decision', () => {
  it.each([
    ['a word', (a: string) => a.replace('nothing else', 'little else')],
    ['a title', (a: string) => a.replace('Use queues', 'Use topics')],
    ['the name of a section', (a: string) => a.replace('## Decision', '## Idea')],
    ['an entry of a list', (a: string) => a.replace('- two\n', '')],
    ['the words of a link', (a: string) => a.replace('[queues]', '[topics]')],
    ['the words for an image', (a: string) => a.replace('The new way', 'The old way')],
    ['the title of an image', (a: string) => a.replace('As planned', 'As it is')],
    ['the title of a link', (a: string) => a.replace('com/a)', 'com/a "unless")')],
    ['who decided', (a: string) => a.replace('ann', 'bob')],
    ['emphasis on code', (a: string) => a.replace('nothing else', '`nothing` else')],
    ['a new section', (a: string) => `${a}\n## More\n\nAnd that.\n`],
    ['a list that becomes numbered', (a: string) => a.replace('- one\n- two', '1. one\n2. two')],
  ])('is seen in %s', (_, change) => {
    expect(text(change(RECORD))).not.toBe(text(RECORD));
  });
});
