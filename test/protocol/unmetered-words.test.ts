import { expect, it } from 'vitest';
import { describeUnmetered } from '../../protocol/unmetered-words.ts';

const told = (drives: number, aiCliDrives: number, instances = 1) =>
  describeUnmetered({ drives, aiCliDrives, instances, lastAt: 1, windowDays: 1 });

it('says how much was written, where agents ran, and that its cost is not known', () => {
  expect(told(1, 0)).toBe(
    '1 write to terminals by 1 operator. What the programs there cost is not known, and is in no figure here.',
  );
  expect(told(1200, 3, 2)).toContain(
    '1,200 writes to terminals by 2 operators, 3 of them where a coding agent was running.',
  );
  expect(told(2, 2)).toContain('all where a coding agent was running');
});
