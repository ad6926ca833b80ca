import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Collector } from '../../../../runner/terminal/run/collector.ts';
import { beginMark, endMark } from '../../../../runner/terminal/run/scripts.ts';

const ID = 'a'.repeat(32);
const end = (code: number) => `${endMark(ID)}${code}\x07`;

/** Feeds bytes in pieces of this size. */
function feed(bytes: Buffer, size: number, collector = new Collector(ID)): Collector {
  for (let at = 0; at < bytes.length; at += size) collector.feed(bytes.subarray(at, at + size));
  return collector;
}

describe('what a command wrote', () => {
  it('is exactly what stands between its marks, wherever the chunks are cut', () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ maxLength: 200 }),
        fc.uint8Array({ maxLength: 200 }),
        fc.nat(255),
        fc.integer({ min: 1, max: 60 }),
        (before, output, code, size) => {
          const all = [before, beginMark(ID), output, end(code), 'after'].map((part) =>
            typeof part === 'string' ? Buffer.from(part) : Buffer.from(part),
          );
          const collector = feed(Buffer.concat(all), size);
          expect(collector.begun).toBe(true);
          expect(collector.exitCode).toBe(code);
          expect(collector.read()).toEqual(Buffer.from(output));
          expect(collector.omittedBytes).toBe(0);
        },
      ),
    );
  });

  it('is nothing before it began, whatever the pane shows', () => {
    const collector = feed(Buffer.from(`$ ls\nfile\n${endMark('b'.repeat(32))}0\x07`), 7);
    expect(collector).toMatchObject({ begun: false, exitCode: null });
    expect(collector.read()).toHaveLength(0);
  });

  it('is open until its own end, not that of another command', () => {
    const collector = feed(Buffer.from(`${beginMark(ID)}x${endMark('b'.repeat(32))}0\x07`), 5);
    expect(collector).toMatchObject({ begun: true, exitCode: null });
    collector.feed(Buffer.from(end(3)));
    expect(collector.exitCode).toBe(3);
    expect(collector.read().toString()).toContain('x\x1b]7777;');
  });

  it('waits for an exit code that is cut in the middle', () => {
    const collector = new Collector(ID);
    collector.feed(Buffer.from(`${beginMark(ID)}x${endMark(ID)}13`));
    expect(collector.exitCode).toBeNull();
    collector.feed(Buffer.from('7\x07'));
    expect(collector.exitCode).toBe(137);
    expect(collector.read().toString()).toBe('x');
  });

  it('takes nothing after its end', () => {
    const collector = feed(Buffer.from(beginMark(ID) + end(0)), 1_000);
    collector.feed(Buffer.from(`${beginMark(ID)}more${end(1)}`));
    expect(collector.exitCode).toBe(0);
    expect(collector.read()).toHaveLength(0);
  });

  it('is kept in bounded memory: the beginning, the end, and how much is left out', () => {
    const chunk = randomBytes(64 * 1024);
    const collector = new Collector(ID);
    collector.feed(Buffer.from(`${beginMark(ID)}first`));
    for (let round = 0; round < 100; round++) collector.feed(chunk);
    collector.feed(Buffer.from(`last${end(0)}`));
    const kept = collector.read();
    expect(kept.length).toBeLessThan(700 * 1024);
    expect(kept.toString('latin1').startsWith('first')).toBe(true);
    expect(kept.toString('latin1').endsWith('last')).toBe(true);
    expect(kept.length + collector.omittedBytes).toBe(
      'first'.length + 100 * chunk.length + 'last'.length,
    );
  });

  it('is read soon, however small the chunks are', () => {
    const begun = performance.now();
    feed(Buffer.from(beginMark(ID) + 'x'.repeat(200_000) + end(0)), 16);
    // In one go it is some milliseconds; squared it would be minutes.
    expect(performance.now() - begun).toBeLessThan(20_000);
  });
});
