import { expect, it } from 'vitest';
import type { ApprovalsMode } from '../../../protocol/launch.ts';
import type { MachineFacts } from '../../../protocol/machine.ts';
import type { ParserId } from '../../../protocol/parsers.ts';
import { obstacleOf } from '../../../runner/cli/takeover/takeover.ts';
import { aPreset } from '../../support/preset-builders.ts';

const engine = (keys?: boolean, keysIn?: ApprovalsMode[]): MachineFacts['engines'][number] => ({
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
  ...(keysIn && { keysIn }),
});
const CLAUDE = { engineId: 'claude', approvals: 'ask' } as const;
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
  expect(obstacleOf(machine(true, false), CLAUDE)).toBe('takeover_not_allowed');
  expect(obstacleOf(machine(false, true), CLAUDE)).toBe('keys_unsupported');
  expect(obstacleOf(machine(true, true), CLAUDE)).toBeNull();
});

it('leaves it to a machine that has not said', () => {
  expect(obstacleOf(machine(), CLAUDE)).toBeNull();
});

it('looks at the form of the engine that the session has, and knows none that is not there', () => {
  const inForms = { ...machine(true), engines: [engine(true, ['bypass'])] };
  expect(obstacleOf(inForms, CLAUDE)).toBe('keys_unsupported');
  expect(obstacleOf(inForms, { ...CLAUDE, approvals: 'bypass' })).toBeNull();
  expect(obstacleOf(machine(true), { ...CLAUDE, engineId: 'another' })).toBe('keys_unsupported');
});

it('looks at what reads an engine of a person’s own, and at whether the machine opens terminals', () => {
  const own = (parser: ParserId) => ({
    engineId: 'my-agent',
    approvals: 'ask' as const,
    preset: aPreset({ parser }),
  });
  expect(obstacleOf(machine(true), own('opencode-acp'))).toBeNull();
  expect(obstacleOf(machine(false), own('opencode-acp'))).toBe('keys_unsupported');
  expect(obstacleOf(machine(), own('opencode-acp'))).toBeNull();
  expect(obstacleOf(machine(true), own('acp'))).toBe('keys_unsupported');
  expect(obstacleOf(machine(true), own('text'))).toBe('keys_unsupported');
});
