import { expect, it } from 'vitest';
import { describeModelGate } from './model-gate-report.ts';
import { summarise } from './statistics.ts';

it('says what the gate adds to a call, and what a stream comes to', () => {
  const text = describeModelGate({
    requestBytes: 80_120,
    direct: summarise([1, 2, 3]),
    gated: summarise([2.5, 3.5, 4.5]),
    directMegabytesPerSecond: 412.4,
    gatedMegabytesPerSecond: 199.6,
  });
  expect(text.split('\n')).toEqual([
    'First byte of a call of 80 KB, 3 samples each, in turns',
    '  direct     p50 2.00 ms, p95 3.00 ms, p99 3.00 ms',
    '  the gate   p50 3.50 ms, p95 4.50 ms, p99 4.50 ms',
    '  added      p50 1.50 ms',
    'One long stream: 412 MB/s direct, 200 MB/s through the gate',
  ]);
});
