import { describe, expect, it } from 'vitest';
import { GRADES } from '../../protocol/grade.ts';
import { approvalsMode } from '../../protocol/launch.ts';
import { modeObstacle } from '../../protocol/machine.ts';

const ENGINE = { label: 'Claude Code' };
const REFUSING = { ...ENGINE, sealedOnly: ['bypass' as const] };

describe('an approvals mode that an engine refuses to root', () => {
  it('is in the way outside a seal, and nowhere else', () => {
    const inTheWay = GRADES.flatMap((grade) =>
      approvalsMode.options
        .filter((mode) => modeObstacle(REFUSING, mode, grade) !== null)
        .map((mode) => `${mode} ${grade}`),
    );
    expect(inTheWay.toSorted()).toEqual(['bypass fenced', 'bypass open']);
  });

  it('is said with the three ways out', () => {
    expect(modeObstacle(REFUSING, 'bypass', 'fenced')).toBe(
      'Claude Code refuses the approvals mode `bypass` to root, and the runner is root on this machine: only a sealed session is not. Choose another mode or the grade `sealed`, or run the runner as an ordinary user.',
    );
  });

  it('is nothing where the machine says nothing of it', () => {
    for (const grade of GRADES)
      for (const mode of approvalsMode.options)
        expect(modeObstacle(ENGINE, mode, grade)).toBeNull();
  });
});

describe('an approvals mode that an engine’s own settings rule out', () => {
  const RULING_OUT = { ...REFUSING, refusedModes: [{ mode: 'bypass' as const, problem: 'Off.' }] };

  it('is in the way under every grade, in the words of the machine', () => {
    for (const grade of GRADES) expect(modeObstacle(RULING_OUT, 'bypass', grade)).toBe('Off.');
    for (const grade of GRADES) expect(modeObstacle(RULING_OUT, 'plan', grade)).toBeNull();
  });
});
