import { describe, expect, it } from 'vitest';
import { numberOfPath, parseRecord } from '../../../../tools/adr/records/parse-record.ts';
import { recordText, recordWithRule } from '../../../support/decision-repository.ts';

const PATH = 'docs/adr/0007-use-queues.md';
const messages = (text: string, path = PATH) =>
  parseRecord(path, text).problems.map((problem) => problem.message);

describe('a MADR record', () => {
  it('is read with what its front matter says', () => {
    const text = recordText({ number: 7, title: 'Use queues', front: 'supersedes: "0002"' });
    expect(parseRecord(PATH, text)).toMatchObject({
      id: '0007',
      number: 7,
      style: 'madr',
      title: 'Use queues',
      status: 'accepted',
      date: '2026-01-02',
      supersedes: ['0002'],
      problems: [],
    });
  });

  it('may say in its status what took its place', () => {
    const record = parseRecord(PATH, recordText({ number: 7, status: 'superseded by ADR-0009' }));
    expect(record).toMatchObject({ status: 'superseded', supersededBy: ['0009'] });
  });

  it('may have a title without a number', () => {
    expect(parseRecord(PATH, '---\nstatus: proposed\n---\n# Use queues\n').title).toBe(
      'Use queues',
    );
  });
});

describe('a Nygard record', () => {
  const text =
    '# 7. Use queues\n\nDate: 2026-03-04\n\n## Status\n\nAccepted\n\nSupersedes [2. Poll](0002-poll.md)\n\n## Context\n\nWork piles up.\n';

  it('is read with what its sections say', () => {
    expect(parseRecord(PATH, text)).toMatchObject({
      style: 'nygard',
      title: 'Use queues',
      status: 'accepted',
      date: '2026-03-04',
      supersedes: ['0002'],
      links: [{ url: '0002-poll.md', line: 9 }],
      problems: [],
    });
  });

  it('may have front matter for its rules alone', () => {
    const rules =
      '---\nenforcement:\n  - { id: a, kind: advisory, reason: It is so decided. }\n---\n';
    const record = parseRecord(PATH, rules + text);
    expect(record.rules).toHaveLength(1);
    expect(record).toMatchObject({ style: 'nygard', status: 'accepted', problems: [] });
  });
});

describe('a record with a fault', () => {
  it('says which number is which, when title and file differ', () => {
    expect(messages(recordText({ number: 8 }))[0]).toMatch(
      /title says 0008 and the file name 0007/,
    );
  });

  it('without a title says so', () => {
    expect(messages('---\nstatus: accepted\n---\n\ntext\n')[0]).toMatch(/no title/);
  });

  it('without a status could not be checked', () => {
    const [problem] = parseRecord(PATH, '# 7. A\n\n## Context\n').problems;
    expect(problem?.message).toMatch(/no status that is known \(none is said\)/);
    expect(problem?.certain).toBe(false);
  });

  it('with a rule that nobody understands says what was probably meant', () => {
    expect(messages(recordWithRule('imports', 'modles: [a.ts]'), 'docs/adr/0001-a.md')[0]).toMatch(
      /`the-rule`.*unknown key `modles`; did you mean `modules`\?/,
    );
    expect(messages(recordWithRule('layer', 'layers: []'), 'docs/adr/0001-a.md')[0]).toMatch(
      /did you mean `kind: layers`\?/,
    );
  });

  it('with a key that is nearly one of ours says so, and takes foreign keys as they are', () => {
    const text = recordText({ number: 7, front: 'enforcment: []\ndecision-makers: [a]' });
    expect(messages(text)).toEqual(['Unknown key `enforcment`; did you mean `enforcement`?']);
  });

  it('keeps its other rules', () => {
    const rule = (id: string, kind: string) =>
      `  - { id: ${id}, kind: ${kind}, reason: It is so decided. }`;
    const front = ['enforcement:', rule('a', 'advisory'), rule('b', 'nothing')].join('\n');
    const record = parseRecord(PATH, recordText({ number: 7, front }));
    expect(record.rules.map((one) => one.id)).toEqual(['a']);
    expect(record.problems).toHaveLength(1);
  });

  it('with two rules of one name says so', () => {
    const rule = '  - { id: a, kind: advisory, reason: It is so decided. }';
    const front = ['enforcement:', rule, rule].join('\n');
    expect(messages(recordText({ number: 7, front }))[0]).toMatch(/Two rules are called `a`/);
  });

  it('with a waiver for no rule says so', () => {
    const front =
      'waivers:\n  - { rule: a, path: x.ts, owner: ann, reason: not yet mended, expires: 2026-02-01 }';
    expect(messages(recordText({ number: 7, front }))[0]).toMatch(/does not have/);
  });

  it('with a waiver that has no end says so', () => {
    const front = 'waivers:\n  - { rule: a, path: x.ts, owner: ann, reason: not yet mended }';
    expect(messages(recordText({ number: 7, front }))[0]).toMatch(/waives nothing: `expires`/);
  });
});

describe('the number of a file', () => {
  it.each([
    ['docs/adr/0007-a.md', 7],
    ['0012-b-c.md', 12],
    ['docs/adr/README.md', null],
    ['docs/adr/template.md', null],
    ['docs/adr/0007-a.txt', null],
    ['docs/2026-notes/a.md', null],
  ])('of %s is %s', (path, number) => {
    expect(numberOfPath(path)).toBe(number);
  });
});
