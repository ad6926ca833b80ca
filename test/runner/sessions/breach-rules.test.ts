import { describe, expect, it } from 'vitest';
import type { EngineEvent } from '../../../protocol/engine-event.ts';
import { wholeText } from '../../../protocol/text.ts';
import type { WitnessReport } from '../../../runner/witness/join.ts';
import { SessionSimulator, turnNumber } from '../../support/session-simulator.ts';
import { rulesOf } from '../../support/policy-rules.ts';

const seen = (over: Partial<WitnessReport['moves'][number]['move']> = {}): WitnessReport => ({
  places: [{ name: 'origin', refs: {}, skipped: null, head: 'main' }],
  moves: [
    {
      move: {
        place: 'origin',
        remote: true,
        ref: 'refs/heads/main',
        before: '1'.repeat(40),
        after: '2'.repeat(40),
        ...over,
      },
      kind: 'merge',
      evidence: {
        logged: true,
        own: true,
        held: true,
        fetched: false,
        forward: true,
        changes: { known: true, paths: [] },
      },
      defaultBranch: 'main',
    },
  ],
  elapsedMs: 3,
  top: '/srv/work',
  head: 'main',
  rules: rulesOf(),
});

/** Without any, the session would be halted for hiding what it does. */
const TOOL: EngineEvent = {
  type: 'tool/started',
  turnId: turnNumber(1),
  toolId: 't1',
  parentToolId: null,
  name: 'Bash',
  summary: 'ls',
  input: wholeText(''),
};

/** A session after its first turn, whose refs were compared so. */
function after(report: WitnessReport, waiting = false): SessionSimulator {
  const simulator = new SessionSimulator();
  simulator.run();
  simulator.event(TOOL);
  simulator.endTurn({ acts: 'recorded' });
  if (waiting) simulator.input({ kind: 'instruct', turn: { turnId: turnNumber(2), text: 'next' } });
  simulator.events.length = 0;
  simulator.bringing = false;
  simulator.input({ kind: 'broughtBack', events: [], turnId: turnNumber(1), report });
  return simulator;
}
const typesOf = ({ events }: SessionSimulator) => events.map(({ type }) => type);

describe('a forbidden act that happened', () => {
  it('is put on record and halts the session, whose process ends', () => {
    const simulator = after(seen());
    expect(typesOf(simulator).slice(-2)).toEqual(['breach/found', 'session/halted']);
    expect(simulator.events.at(-1)).toMatchObject({ reason: 'breach' });
    expect(simulator.state).toMatchObject({ halted: true, haltedBy: 'breach' });
    expect(simulator.state.phase.kind).toBe('ending');
  });

  it('lets nothing through that waited', () => {
    const simulator = after(seen(), true);
    expect(simulator.engineHas).toBeNull();
    expect(simulator.events).toContainEqual(
      expect.objectContaining({ type: 'turn/delivered', delivery: 'undelivered' }),
    );
    simulator.input({ kind: 'instruct', turn: { turnId: turnNumber(3), text: 'more' } });
    expect(simulator.refusals.at(-1)).toBe('session_halted');
  });

  it('is no matter where the policy allows it', () => {
    const report = seen();
    expect(after({ ...report, rules: rulesOf({ mode: 'merge' }) }).state.halted).toBe(false);
  });

  it('goes on once a person has answered for it', () => {
    const simulator = after(seen());
    simulator.exit();
    simulator.input({ kind: 'resume' });
    expect(typesOf(simulator).at(-1)).toBe('session/resumed');
    expect(simulator.state.halted).toBe(false);
    expect(simulator.state.haltedBy).toBeUndefined();
    simulator.input({ kind: 'instruct', turn: { turnId: turnNumber(2), text: 'next' } });
    expect(simulator.state.phase.kind).toBe('spawning');
  });

  it('does not lift a halt for another reason', () => {
    const simulator = after({ ...seen(), moves: [] });
    simulator.state = { ...simulator.state, halted: true };
    simulator.input({ kind: 'resume' });
    expect(simulator.state.halted).toBe(true);
    expect(typesOf(simulator)).not.toContain('session/resumed');
  });

  it('remembers which branches the session made, so that it may rewrite those alone', () => {
    const made = seen({ ref: 'refs/heads/feature', before: null });
    const first = after(made);
    expect(first.state.halted).toBe(false);
    expect(first.state.watched?.made).toEqual(['origin refs/heads/feature']);
    const rewritten = seen({ ref: 'refs/heads/feature' });
    const moves = rewritten.moves.map((each) => ({
      ...each,
      evidence: { ...each.evidence, forward: false },
    }));
    first.input({
      kind: 'broughtBack',
      events: [],
      turnId: turnNumber(1),
      report: { ...rewritten, moves },
    });
    expect(first.state.halted).toBe(false);
    expect(after({ ...rewritten, moves }).state.halted).toBe(true);
  });
});
