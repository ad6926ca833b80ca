import { describe, expect, it } from 'vitest';
import { adrReport } from '../../../../protocol/adr-report.ts';
import { type Format, formatReport } from '../../../../tools/adr/formats/index.ts';
import { SAMPLES } from '../../../support/adr-report-samples.ts';

const GOLDENS: readonly [string, Format][] = [
  ['terminal.txt', 'terminal'],
  ['github.txt', 'github'],
  ['junit.xml', 'junit'],
  ['sarif.json', 'sarif'],
];

describe.each(Object.entries(SAMPLES))('a report that is %s', (name, report) => {
  it('is one that the check could have made', () => {
    expect(adrReport.parse(report)).toEqual(report);
  });
  it('is, as JSON, the report itself', () => {
    const json = formatReport(report, 'json', { color: false, width: 100 });
    expect(adrReport.parse(JSON.parse(json))).toEqual(JSON.parse(JSON.stringify(report)));
  });
  it.each(GOLDENS)('is written as its golden %s', async (file, format) => {
    const text = formatReport(report, format, { color: false, width: 100 });
    await expect(`${text}\n`).toMatchFileSnapshot(`../../../fixtures/adr/formats/${name}.${file}`);
  });
});
