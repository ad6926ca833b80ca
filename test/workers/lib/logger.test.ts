import { afterEach, describe, expect, it, vi } from 'vitest';
import { describeFault, log } from '../../../workers/lib/logger.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

describe('a log line', () => {
  it.each([
    ['info', 'log'],
    ['warn', 'warn'],
    ['error', 'error'],
  ] as const)('of the level %s is one line of JSON', (level, method) => {
    const lines: unknown[] = [];
    vi.spyOn(console, method).mockImplementation((line: unknown) => void lines.push(line));
    log(level, 'feed.append', { sessionId: 'ses_1', count: 3, nothing: null, absent: undefined });
    expect(lines).toHaveLength(1);
    expect(String(lines[0])).not.toContain('\n');
    expect(JSON.parse(String(lines[0]))).toEqual({
      level,
      operation: 'feed.append',
      sessionId: 'ses_1',
      count: 3,
      nothing: null,
    });
  });

  it('cannot be made two by what is in it', () => {
    const lines: unknown[] = [];
    vi.spyOn(console, 'log').mockImplementation((line: unknown) => void lines.push(line));
    log('info', 'x.y', { fault: 'one\n{"level":"error"}' });
    expect(String(lines[0]).split('\n')).toHaveLength(1);
  });
});

describe('what a caught value says', () => {
  it.each([
    [new TypeError('not a function'), 'TypeError: not a function'],
    ['text', 'text'],
    [undefined, 'undefined'],
    [null, 'null'],
    [42, '42'],
  ])('is one text: %#', (fault, words) => {
    expect(describeFault(fault)).toBe(words);
  });
});
