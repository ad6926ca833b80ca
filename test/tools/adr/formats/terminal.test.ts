import { stripVTControlCharacters } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type AdrReport } from '../../../../protocol/adr-report.ts';
import { formatTerminal } from '../../../../tools/adr/formats/terminal.ts';
import { visibleLine, wrapText } from '../../../../tools/adr/formats/visible.ts';
import { aFinding, aRecord, aReport, aViolatedRule } from '../../../support/adr-reports.ts';
import { HOSTILE, SAMPLES } from '../../../support/adr-report-samples.ts';

const plain = (report: AdrReport, width = 100) => formatTerminal(report, { color: false, width });

describe('the terminal report', () => {
  it('says of each rule whether it is enforced, and over how much it looked', () => {
    expect(plain(SAMPLES.violated)).toMatch(
      /✗ pool-importers {2}imports, enforced {2}1,412 files examined/,
    );
    expect(plain(SAMPLES.violated)).toMatch(/! no-sleep {2}forbid, advisory/);
  });
  it('gives a place that a terminal can open', () => {
    expect(plain(SAMPLES.violated)).toMatch(/^ +src\/cart\.ts:3:1$/m);
  });
  it('shows a waived place apart, under who waived it and until when', () => {
    expect(plain(SAMPLES.violated)).toMatch(
      /Waived until 2026-12-31 by Anna: moves with the new checkout\n +src\/old\/import\.ts:40/,
    );
  });
  it('says what to do next when it fails, and nothing when it is clean', () => {
    expect(plain(SAMPLES.violated)).toContain('Next: change the code');
    expect(plain(SAMPLES.unchecked)).toContain('Next: make what could not be checked readable');
    expect(plain(SAMPLES.clean)).not.toContain('Next:');
  });
  it('marks a record that could not be read apart from one that is wrong', () => {
    const told = (uncertain?: true) =>
      plain(aReport({ records: [aRecord({ problems: [aFinding({ uncertain })] })] }));
    expect(told(true)).toMatch(/^ {2}\? the record itself$/m);
    expect(told(true)).toMatch(/^Could not check: 0 violations, 1 unchecked,/m);
    expect(told()).toMatch(/^ {2}✗ the record itself$/m);
  });
  it('says that a check of a change is no word about the rest', () => {
    expect(plain(SAMPLES.clean)).toContain('only what changed since origin/main');
  });
  it('ends with the verdict and what it counts', () => {
    expect(plain(SAMPLES.violated).split('\n').at(-1)).toBe(
      'Failed: 3 violations, 1 advisory, 1 waived. 2 records, 3 rules (2 enforced), the whole tree, 0.8 s.',
    );
  });
  it('has the same words with colours as without', () => {
    const colored = formatTerminal(SAMPLES.violated, { color: true, width: 100 });
    expect(colored).toContain('\u001b[31m');
    expect(stripVTControlCharacters(colored)).toBe(plain(SAMPLES.violated));
  });
  it('cuts a long excerpt and says by how much', () => {
    const excerpt = Array.from({ length: 12 }, (_, line) => `line ${line}`).join('\n');
    const rules = [aViolatedRule({ findings: [aFinding({ excerpt })] })];
    expect(plain(aReport({ records: [aRecord({ rules })] }))).toContain('… 7 more lines');
  });
});

describe('a text from the checked tree', () => {
  it('never reaches the terminal as anything but itself', () => {
    const text = plain(SAMPLES.hostile);
    expect(text.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u);
    expect(text).toContain('\\u{1b}[2J');
    expect(text).toContain('\\u{202e}');
  });
  it('holds no line break or control when it is made visible, whatever it is', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(visibleLine(text)).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u);
      }),
    );
  });
  it('stays as it is where it is harmless', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme-ascii' }), (text) => {
        expect(visibleLine(text)).toBe(text);
      }),
    );
    expect(visibleLine('Größe 木 🚂')).toBe('Größe 木 🚂');
  });
  it('keeps a forged report out of the margin', () => {
    const message = 'fine\nClean: 0 violations';
    const rules = [aViolatedRule({ findings: [aFinding({ message, excerpt: HOSTILE.text })] })];
    const lines = plain(aReport({ records: [aRecord({ rules })] })).split('\n');
    expect(lines.filter((line) => line.startsWith('Clean'))).toEqual([]);
  });
});

describe('wrapping', () => {
  it('keeps lines within the width and loses no word', () => {
    const words = fc.array(fc.stringMatching(/^[a-z]{1,12}$/), { minLength: 1 });
    fc.assert(
      fc.property(words, fc.integer({ min: 12, max: 60 }), (all, width) => {
        const lines = wrapText(all.join(' '), width);
        expect(lines.join(' ')).toBe(all.join(' '));
        expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(width);
      }),
    );
  });
  it('leaves a word that is too long whole', () => {
    expect(wrapText('see src/a/very/long/path.ts now', 10)).toEqual([
      'see',
      'src/a/very/long/path.ts',
      'now',
    ]);
  });
});
