import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  markSuperseded,
  markSuperseding,
  setFrontMatter,
  setStatusSection,
} from '../../../../tools/adr/records/edit.ts';
import { parseRecord } from '../../../../tools/adr/records/parse-record.ts';

const TEXT =
  "---\n# why this is here\nstatus:   'accepted'   # since spring\ndate: 2026-01-02\ntags: [a,   b]\n---\n\n# 1. A\n";

describe('a key of front matter', () => {
  it('is changed, and every other byte stays', () => {
    expect(setFrontMatter(TEXT, 'status', 'superseded')).toBe(
      TEXT.replace("'accepted'", 'superseded'),
    );
  });

  it('that is new stands after the ones it belongs to', () => {
    expect(setFrontMatter(TEXT, 'superseded-by', '"0002"', ['status', 'date'])).toBe(
      TEXT.replace('2026-01-02\n', '2026-01-02\nsuperseded-by: "0002"\n'),
    );
  });

  it('is put before a text without any', () => {
    expect(setFrontMatter('# A\n', 'status', 'accepted')).toBe(
      '---\nstatus: accepted\n---\n\n# A\n',
    );
  });

  it('is read again as it was written, among any others', () => {
    const key = fc.stringMatching(/^[a-z]{1,8}$/);
    fc.assert(
      fc.property(fc.dictionary(key, fc.integer()), (others) => {
        const lines = Object.entries(others).map(([name, value]) => `x${name}: ${value}\n`);
        const text = `---\nstatus: proposed\n${lines.join('')}---\n\n# 1. A\n`;
        const changed = setFrontMatter(text, 'status', 'accepted');
        expect(parseRecord('docs/adr/0001-a.md', changed).status).toBe('accepted');
        expect(changed.replace('accepted', 'proposed')).toBe(text);
      }),
    );
  });
});

describe('a status section', () => {
  const text = '# 1. A\n\n## Status\n\nAccepted\n\n## Context\n\nSo it is.\n';

  it('is replaced, and the others stay', () => {
    expect(setStatusSection(text, 'Deprecated')).toBe(text.replace('Accepted', 'Deprecated'));
  });

  it('may be the last one', () => {
    expect(setStatusSection('# 1. A\n\n## Status\n\nAccepted\n', 'Rejected')).toBe(
      '# 1. A\n\n## Status\n\nRejected\n',
    );
  });

  it('that is not there is told, not invented', () => {
    expect(() => setStatusSection('# 1. A\n', 'Rejected')).toThrow(/neither a status/);
  });
});

describe.each([
  ['madr', (n: number, status: string) => `---\nstatus: ${status}\n---\n\n# 000${n}. T${n}\n`],
  [
    'nygard',
    (n: number, status: string) => `# ${n}. T${n}\n\n## Status\n\n${status}\n\n## Context\n\nX\n`,
  ],
])('superseding in the style %s', (style, make) => {
  const old = parseRecord('docs/adr/0001-t1.md', make(1, 'Accepted'));
  const newer = parseRecord('docs/adr/0002-t2.md', make(2, 'Proposed'));

  it('is written on both sides, and read again', () => {
    expect(old.style).toBe(style);
    const oldAfter = parseRecord(old.path, markSuperseded(old, newer));
    const newAfter = parseRecord(newer.path, markSuperseding(newer, old));
    expect(oldAfter).toMatchObject({ status: 'superseded', supersededBy: ['0002'], problems: [] });
    expect(newAfter).toMatchObject({ status: 'accepted', supersedes: ['0001'], problems: [] });
  });
});
