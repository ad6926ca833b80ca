import { describe, expect, it } from 'vitest';
import { type LaunchSpec, launchSpec, modeOf } from '../../protocol/launch.ts';
import {
  checkCommand,
  checklistStep,
  evidence,
  EVIDENCE_TAIL_CHARS,
  isPilotOver,
  PILOT_STATUSES,
  pilotAsk,
  pilotDecision,
  pilotSpec,
} from '../../protocol/pilot.ts';
import { aLaunch } from '../support/protocol-builders.ts';

const BRAIN = { kind: 'checklist', steps: [{ title: 'Tests', check: 'npm test' }] };
const accepts = (schema: { safeParse(value: unknown): { success: boolean } }, value: unknown) =>
  schema.safeParse(value).success;

describe('the Pilot of a launch', () => {
  it('is nobody unless it is asked for: a person gives the instructions', () => {
    expect(aLaunch().pilot).toBeNull();
    expect(modeOf(aLaunch())).toBe('manual');
  });

  it('is nobody in a launch from before there was one', () => {
    const { pilot: _, ...older }: Partial<LaunchSpec> = aLaunch();
    const launch: Partial<LaunchSpec> = older;
    expect(modeOf(launch)).toBe('manual');
    expect(launchSpec.parse(older).pilot).toBeNull();
  });

  it('has bounds in any case, and the checks have their time', () => {
    const spec = pilotSpec.parse({ mode: 'pilot', brain: BRAIN });
    expect(spec.bounds).toEqual({
      maxTurns: 30,
      maxWallMs: 8 * 3_600_000,
      maxDecisionRetries: 2,
      stallTurns: 3,
    });
    expect(spec.brain.steps).toEqual([{ title: 'Tests', check: 'npm test', timeoutMs: 600_000 }]);
  });

  it.each([
    ['a person', { mode: 'manual', brain: BRAIN }],
    ['no brain', { mode: 'pilot' }],
    ['a brain that nobody offers yet', { mode: 'pilot', brain: { kind: 'api' } }],
    ['no step', { mode: 'pilot', brain: { kind: 'checklist', steps: [] } }],
    ['no turn', { mode: 'pilot', brain: BRAIN, bounds: { maxTurns: 0 } }],
    ['a year', { mode: 'pilot', brain: BRAIN, bounds: { maxWallMs: 365 * 86_400_000 } }],
  ])('cannot be %s', (_, spec) => {
    expect(accepts(pilotSpec, spec)).toBe(false);
  });
});

describe('a check', () => {
  it.each(['npm test', 'test "$(wc -l < a)" -ge 3', 'cd web && npm test'])('may be %s', (line) => {
    expect(accepts(checkCommand, line)).toBe(true);
  });

  it.each([
    ['nothing', ''],
    ['spaces', '   '],
    ['two lines', 'true\nfalse'],
    ['a carriage return', 'true\rfalse'],
    ['a zero byte', 'true\0'],
    ['a novel', 'x'.repeat(2_001)],
  ])('may not be %s', (_, line) => {
    expect(accepts(checkCommand, line)).toBe(false);
  });

  it('has at most an hour', () => {
    const step = { title: 'T', check: 'true' };
    expect(accepts(checklistStep, { ...step, timeoutMs: 3_600_000 })).toBe(true);
    expect(accepts(checklistStep, { ...step, timeoutMs: 3_600_001 })).toBe(false);
  });

  it('leaves evidence of which the end is kept, and no more', () => {
    const one = { title: 'T', command: 'true', passed: true, exitCode: 0, durationMs: 1 };
    expect(accepts(evidence, { ...one, tail: 'x'.repeat(EVIDENCE_TAIL_CHARS) })).toBe(true);
    expect(accepts(evidence, { ...one, tail: 'x'.repeat(EVIDENCE_TAIL_CHARS + 1) })).toBe(false);
  });
});

describe('a decision', () => {
  const why = { reason: 'Because.', evidence: [] };

  it('is one of four, each with its reason', () => {
    for (const decision of [
      { next: 'instruct', instruction: 'Go on', ...why },
      { next: 'finish', ...why },
      { next: 'ask_human', ...why },
      { next: 'wait_until', until: 1, ...why },
    ]) {
      expect(accepts(pilotDecision, decision)).toBe(true);
      expect(accepts(pilotDecision, { ...decision, reason: ' ' })).toBe(false);
      expect(accepts(pilotDecision, { ...decision, evidence: undefined })).toBe(false);
    }
    expect(accepts(pilotDecision, { next: 'merge', ...why })).toBe(false);
  });
});

describe('what a person asks of a Pilot', () => {
  it('is one of five, and nothing else', () => {
    for (const action of ['pause', 'resume', 'stop'])
      expect(accepts(pilotAsk, { action })).toBe(true);
    expect(accepts(pilotAsk, { action: 'objective', objective: 'Other' })).toBe(true);
    expect(accepts(pilotAsk, { action: 'objective', objective: ' ' })).toBe(false);
    expect(accepts(pilotAsk, { action: 'confirm', step: 3 })).toBe(true);
    expect(accepts(pilotAsk, { action: 'confirm' })).toBe(false);
    expect(accepts(pilotAsk, { action: 'merge' })).toBe(false);
  });
});

describe('a run', () => {
  it('is over in three of its states', () => {
    expect(PILOT_STATUSES.filter(isPilotOver)).toEqual(['finished', 'stopped', 'failed']);
  });
});
