import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { countShown, decisionsSearch, filterRecords } from '../../../console/decisions/filter.ts';
import { cutText, showInvisible } from '../../../console/decisions/visible.ts';
import { decideWaiver } from '../../../console/decisions/waiver.ts';
import { aFinding, aRecord, aRule } from '../../support/adr-reports.ts';

const waiver = { owner: 'o', reason: 'r', expires: '2026-12-10' };
const records = [
  aRecord({ id: '0001', rules: [aRule({ state: 'violated' })] }),
  aRecord({ id: '0002', title: 'Money is integers', status: 'superseded' }),
  aRecord({ id: '0003', rules: [aRule({ id: 'gate', state: 'could_not_check' })] }),
  aRecord({ id: '0004', rules: [aRule({ findings: [aFinding({ waiver })] })] }),
];
const found = (search: Parameters<typeof filterRecords>[1]) =>
  filterRecords(records, search).map(({ record }) => record.id);

describe('the filter of records', () => {
  it('counts what each choice would show', () => {
    expect(countShown(records)).toEqual({ all: 4, failing: 1, unchecked: 1, waived: 1 });
  });
  it('leaves what failed, what was not checked, or what is waived', () => {
    expect([
      found({ show: 'failing' }),
      found({ show: 'unchecked' }),
      found({ show: 'waived' }),
    ]).toEqual([['0001'], ['0003'], ['0004']]);
  });
  it('finds words of title, number and rule in any order and case', () => {
    expect(found({ text: 'INTEGERS money' })).toEqual(['0002']);
    expect(found({ text: 'gate 0003' })).toEqual(['0003']);
    expect(found({ status: 'superseded' })).toEqual(['0002']);
  });
  it('ignores what an address says that is no choice', () => {
    expect(decisionsSearch.parse({ show: 'x', status: 3 })).toEqual({});
  });
});

describe('a waiver', () => {
  const at = (day: string) => decideWaiver(waiver, Date.parse(`${day}T12:00:00Z`)).kind;
  it('stands through its last day and asks to be looked at before', () => {
    expect([at('2026-11-01'), at('2026-12-01'), at('2026-12-10'), at('2026-12-11')]).toEqual([
      'standing',
      'soon',
      'soon',
      'expired',
    ]);
  });
});

describe('text of a repository', () => {
  it('shows what turns or hides text, and leaves line ends alone', () => {
    expect(showInvisible('a\u202Eb\u200Bc\u001B[2J\r\n\t')).toBe(
      'a⟨U+202E⟩b⟨U+200B⟩c⟨U+001B⟩[2J\r\n\t',
    );
  });
  it('is cut without halving a character', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary', minLength: 1 }),
        fc.integer({ min: 1, max: 40 }),
        (text, most) => {
          const part = cutText(text, most);
          expect(text.startsWith(part.text)).toBe(true);
          expect(part.text.isWellFormed()).toBe(true);
          expect(part.cut).toBe(text.length > most);
        },
      ),
    );
  });
});
