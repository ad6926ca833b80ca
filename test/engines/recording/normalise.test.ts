import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { normalise, toJsonLines } from './normalise.ts';

describe('a recording', () => {
  it('names no folder of the machine that made it, in values or in keys', () => {
    const line = { cwd: '/var/run-1/repo', files: { '/var/run-1/repo/a': ['see /var/run-1'] } };
    expect(normalise(line, [['/var/run-1', '/home/dev']])).toEqual({
      cwd: '/home/dev/repo',
      files: { '/home/dev/repo/a': ['see /home/dev'] },
    });
  });

  it('shortens long texts and lists, except the lists that a parser reads', () => {
    const many = Array.from({ length: 20 }, (_, index) => index);
    const short = normalise({ text: 'x'.repeat(900), tools: many, content: many }, []);
    expect(short).toEqual({
      text: `${'x'.repeat(700)}…[cut]`,
      tools: many.slice(0, 8),
      content: many,
    });
  });

  it('leaves a text that is short enough as it is', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.string({ maxLength: 700 })), (line) => {
        expect(normalise(line, [])).toEqual(line);
      }),
    );
  });

  it('is one line per record, which reads back as it was', () => {
    const records = [{ t: 1, dir: 'out' as const, line: { text: 'two\nlines' } }];
    const lines = toJsonLines(records).trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual(records);
  });
});
