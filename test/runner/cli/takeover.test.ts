import { expect, it } from 'vitest';
import type { MachineFacts } from '../../../protocol/machine.ts';
import { obstacleOf } from '../../../runner/cli/takeover/takeover.ts';

const engine = (keys?: boolean): MachineFacts['engines'][number] => ({
  engineId: 'claude',
  label: 'Claude Code',
  ready: true,
  version: null,
  payer: 'unknown',
  credential: null,
  approvals: ['ask'],
  problem: null,
  remedy: null,
  ...(keys !== undefined && { keys }),
});
const machine = (keys?: boolean, takeover?: boolean): Pick<MachineFacts, 'limits' | 'engines'> => ({
  engines: [engine(keys)],
  limits: {
    source: null,
    directories: [],
    engines: [],
    bypass: false,
    noOutputMaxMs: 1_000,
    minimumGrade: 'open',
    ...(takeover !== undefined && { takeover }),
  },
});

it('is told before anything is ended that the machine forbids keys, or has none', () => {
  expect(obstacleOf(machine(true, false), 'claude')).toBe('takeover_not_allowed');
  expect(obstacleOf(machine(false, true), 'claude')).toBe('keys_unsupported');
  expect(obstacleOf(machine(true, true), 'claude')).toBeNull();
});

it('leaves it to a machine that has not said', () => {
  expect(obstacleOf(machine(), 'claude')).toBeNull();
  expect(obstacleOf(machine(true), 'another')).toBeNull();
});
