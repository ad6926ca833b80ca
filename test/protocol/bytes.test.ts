import { describe, expect, it } from 'vitest';
import { formatBytes } from '../../protocol/bytes.ts';

describe('bytes', () => {
  it.each([
    [0, '0 B'],
    [312, '312 B'],
    [14_200, '14 KB'],
    [999_499, '999 KB'],
    [999_500, '1 MB'],
    [2_100_000, '2.1 MB'],
    [1_540_000_000, '1.5 GB'],
    [5e15, '5000 TB'],
  ])('%i read %s', (bytes, text) => {
    expect(formatBytes(bytes)).toBe(text);
  });
});
