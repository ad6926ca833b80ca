import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseFrontMatter, splitFrontMatter } from '../../../../tools/adr/records/front-matter.ts';

const join = (text: string): string => {
  const { opening, yaml, closing, body } = splitFrontMatter(text);
  return opening + yaml + closing + body;
};

describe('a record in its parts', () => {
  it('is the same text put together again, whatever it is', () => {
    const line = fc.constantFrom(
      '---',
      '--- ',
      'status: accepted',
      '# A',
      '',
      '\r',
      'a: |',
      '  ---',
    );
    fc.assert(
      fc.property(fc.array(line), fc.string(), (lines, rest) => {
        const text = lines.join('\n') + rest;
        expect(join(text)).toBe(text);
      }),
    );
  });

  it('has no front matter when it does not begin with a fence', () => {
    expect(splitFrontMatter('# A\n\n---\nx: 1\n---\n')).toMatchObject({ yaml: '', bodyLine: 1 });
  });

  it('has none when the fence is never closed', () => {
    expect(splitFrontMatter('---\nstatus: accepted\n').yaml).toBe('');
  });

  it('knows the line on which the body begins', () => {
    expect(splitFrontMatter('---\na: 1\nb: 2\n---\n\n# A\n').bodyLine).toBe(5);
  });

  it('may have line ends of Windows', () => {
    const split = splitFrontMatter('---\r\nstatus: accepted\r\n---\r\n# A\r\n');
    expect(parseFrontMatter(split).value).toEqual({ status: 'accepted' });
  });
});

describe('front matter', () => {
  it('knows the line of each of its places', () => {
    const front = parseFrontMatter(
      splitFrontMatter('---\nstatus: accepted\nenforcement:\n  - id: a\n  - id: b\n---\n'),
    );
    expect(front.lineOf(['enforcement', 1, 'id'])).toBe(5);
    expect(front.lineOf(['enforcement', 1, 'nothing'])).toBe(5);
    expect(front.lineOf(['nothing'])).toBe(1);
  });

  it('that is no YAML is a fault at its line', () => {
    const front = parseFrontMatter(splitFrontMatter('---\nstatus: accepted\nx: [1, 2\n---\n'));
    expect(front.errors[0]?.line).toBeGreaterThanOrEqual(3);
    expect(front.value).toEqual({});
  });

  it('with a key given twice is a fault, because one of them would be ignored', () => {
    expect(parseFrontMatter(splitFrontMatter('---\na: 1\na: 2\n---\n')).errors).toHaveLength(1);
  });

  it('that is a list is a fault', () => {
    expect(parseFrontMatter(splitFrontMatter('---\n- a\n---\n')).errors).toHaveLength(1);
  });

  it('with a bracket that is never closed is one fault, and not one for each line after it', () => {
    const text = '---\nrules: [\n  - a: 1\n    b: 2\n  - c: 3\nmore: 4\n---\n';
    expect(parseFrontMatter(splitFrontMatter(text)).errors).toHaveLength(1);
  });

  it('that is empty says nothing and is no fault', () => {
    expect(parseFrontMatter(splitFrontMatter('---\n---\n'))).toMatchObject({
      errors: [],
      value: {},
    });
  });
});
