import fc from 'fast-check';
import { XmlDocument, type XmlElement } from 'libxml2-wasm';
import { describe, expect, it } from 'vitest';
import { type AdrReport } from '../../../../protocol/adr-report.ts';
import { formatJunit } from '../../../../tools/adr/formats/junit.ts';
import { element, escapeXml, writeXml } from '../../../../tools/adr/formats/xml.ts';
import { aFinding, aRecord, aReport, aViolatedRule } from '../../../support/adr-reports.ts';
import { HOSTILE, SAMPLES } from '../../../support/adr-report-samples.ts';

/** What a strict parser, not ours, reads at a path. */
function readXml<T>(xml: string, read: (find: (path: string) => XmlElement[]) => T): T {
  const document = XmlDocument.fromString(xml);
  try {
    return read((path) => document.find(path) as XmlElement[]);
  } finally {
    document.dispose();
  }
}

const readJunit = <T>(report: AdrReport, read: (find: (path: string) => XmlElement[]) => T) =>
  readXml(formatJunit(report), read);

const attribute = (node: XmlElement | undefined, name: string) => node?.attr(name)?.value;

it('tells a record that could not be read as an error, and a wrong one as a failure', () => {
  const told = (uncertain?: true) =>
    readJunit(aReport({ records: [aRecord({ problems: [aFinding({ uncertain })] })] }), (find) => [
      find('//testcase[@name="the record itself"]/error').length,
      find('//testcase[@name="the record itself"]/failure').length,
    ]);
  expect(told(true)).toEqual([1, 0]);
  expect(told()).toEqual([0, 1]);
});

describe('a written document', () => {
  const XML_TEXT = fc
    .string({ unit: 'binary' })
    .filter((text) =>
      /^[\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]*$/u.test(text),
    );

  it('gives a strict parser every text back, attribute and content alike', () => {
    fc.assert(
      fc.property(XML_TEXT, (text) => {
        const xml = writeXml(element('a', { b: text }, [text]));
        readXml(xml, (find) => {
          expect(attribute(find('/a')[0], 'b')).toBe(text);
          expect(find('/a')[0]?.content).toBe(text);
        });
      }),
      { numRuns: 500 },
    );
  });
  it('is one that a strict parser reads, whatever it was given', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        readXml(
          writeXml(element('a', { b: text }, [element('c', {}), element('d', {}, [text])])),
          (find) => expect(find('/a/d')).toHaveLength(1),
        );
      }),
      { numRuns: 500 },
    );
  });
  it('writes what XML has no character for as an escape that can be read', () => {
    expect(escapeXml('a\u0000b\u001bc\ud800d\uffff')).toBe('a\\u{0}b\\u{1b}c\\u{d800}d\\u{ffff}');
  });
});

describe('a report as JUnit', () => {
  it('counts its cases the way it writes them', () => {
    for (const report of Object.values(SAMPLES)) {
      readJunit(report, (find) => {
        for (const path of ['/testsuites', '//testsuite']) {
          for (const node of find(path)) {
            const count = (inner: string) =>
              String((node.find(`.//testcase${inner}`) as XmlElement[]).length);
            expect(attribute(node, 'tests')).toBe(count(''));
            expect(attribute(node, 'failures')).toBe(count('[failure]'));
            expect(attribute(node, 'errors')).toBe(count('[error]'));
            expect(attribute(node, 'skipped')).toBe(count('[skipped]'));
          }
        }
      });
    }
  });
  it('fails the case of a violated rule and names each place', () => {
    readJunit(SAMPLES.violated, (find) => {
      const [failure] = find('//testcase[starts-with(@name,"pool-importers")]/failure');
      expect(failure?.content).toContain('src/cart.ts:3:1: src/cart.ts imports');
      expect(failure?.content).not.toContain('src/old/import.ts');
    });
  });
  it('shows a waived place beside the verdict, with who and until when', () => {
    readJunit(SAMPLES.violated, (find) => {
      const [out] = find('//testcase[starts-with(@name,"pool-importers")]/system-out');
      expect(out?.content).toContain('src/old/import.ts:40');
      expect(out?.content).toContain('Waived until 2026-12-31 by Anna');
    });
  });
  it('lets a violated advisory rule pass, and tells of it', () => {
    readJunit(SAMPLES.violated, (find) => {
      const [advice] = find('//testcase[starts-with(@name,"no-sleep")]');
      expect(advice?.find('failure')).toEqual([]);
      expect(advice?.content).toContain('src/retry.ts:9:5');
    });
  });
  it('makes an error of what could not be checked, not a failure', () => {
    readJunit(SAMPLES.unchecked, (find) => {
      expect(find('//failure')).toHaveLength(0);
      expect(find('//error').map((node) => attribute(node, 'type'))).toEqual(['check', 'imports']);
    });
  });
  it('fails for a rule that found nothing to look at', () => {
    readJunit(SAMPLES.violated, (find) => {
      const [failure] = find('//testcase[starts-with(@name,"conformance")]/failure');
      expect(attribute(failure, 'message')).toContain('a rule that looks at nothing');
    });
  });
  it('holds a file name made of markup as text', () => {
    const place = { path: HOSTILE.path, line: 3, column: 1 };
    const rules = [aViolatedRule({ findings: [aFinding({ place, message: 'm', excerpt: null })] })];
    readJunit(aReport({ records: [aRecord({ rules })] }), (find) => {
      expect(find('//failure')[0]?.content).toBe(
        `${HOSTILE.path.replace('\u001b', '\\u{1b}')}:3:1: m`,
      );
    });
  });
});
