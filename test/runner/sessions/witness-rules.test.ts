import { describe, expect, it } from 'vitest';
import type { EngineEvent } from '../../../protocol/engine-event.ts';
import type { WitnessReport } from '../../../runner/witness/join.ts';
import { aLaunch } from '../../support/protocol-builders.ts';
import { rulesOf } from '../../support/policy-rules.ts';
import { CONFIG, SessionSimulator, turnNumber } from '../../support/session-simulator.ts';
import { anIdleSession } from '../../support/session-steps.ts';
import { anAct } from '../../support/transcript-events.ts';

const MOVE = {
  place: 'origin',
  remote: true,
  ref: 'refs/heads/main',
  before: '1'.repeat(40),
  after: '2'.repeat(40),
};
const OWN = {
  logged: true,
  own: true,
  held: true,
  fetched: false,
  forward: true,
  changes: { known: true as const, paths: [] },
};
const REPORT: WitnessReport = {
  places: [{ name: 'origin', refs: {}, skipped: null, head: 'main' }],
  moves: [{ move: MOVE, kind: 'merge', evidence: OWN, defaultBranch: 'main' }],
  elapsedMs: 3,
  top: '/srv/work',
  head: 'main',
  rules: rulesOf({ mode: 'merge' }),
};

const launchedByPilot = aLaunch({
  pilot: {
    mode: 'pilot',
    brain: { kind: 'checklist', steps: [{ title: 'Tests', check: 'npm test' }] },
  },
});

const typesOf = (events: readonly EngineEvent[]) => events.map(({ type }) => type);

/** A turn at work that told of `told`, then over, and its refs compared. */
function after(told: readonly EngineEvent[], config = CONFIG): SessionSimulator {
  const simulator = new SessionSimulator(1, undefined, config);
  simulator.run();
  for (const event of told) simulator.event(event);
  simulator.endTurn({ acts: 'recorded' });
  simulator.events.length = 0;
  simulator.bringing = false;
  simulator.input({ kind: 'broughtBack', events: [], turnId: turnNumber(1), report: REPORT });
  return simulator;
}

describe('what was pushed beside a session that works in place', () => {
  const report = { ...REPORT, inPlace: true, rules: rulesOf({ mode: 'pr' }) };
  const ended = (guarded: boolean, launch = aLaunch()) => {
    const simulator = new SessionSimulator(1, launch, CONFIG);
    simulator.run();
    simulator.state = { ...simulator.state, guarded };
    simulator.endTurn({ acts: 'recorded' });
    simulator.events.length = 0;
    simulator.bringing = false;
    simulator.input({ kind: 'broughtBack', events: [], turnId: turnNumber(1), report });
    return simulator;
  };

  it('is asked about and halts nothing, where the guard would have seen the session', () => {
    const { events, state } = ended(true);
    expect(state.halted).toBe(false);
    expect(events).toMatchObject([
      { type: 'turn/witnessed', others: [{ ref: 'refs/heads/main' }] },
      {
        type: 'notice/raised',
        level: 'warning',
        code: 'moved_beside',
        message: expect.stringMatching(
          /main on origin.*If it was you.*git push --force-with-lease/,
        ),
      },
    ]);
  });

  it('halts it where it has no guard, and where a Pilot drives it and nobody need be there', () => {
    expect(ended(false).state.halted).toBe(true);
    expect(ended(true, launchedByPilot).state.halted).toBe(true);
  });
});

describe('a comparison of refs', () => {
  it('confirms the act that the turn told of, and adds none', () => {
    const { events, state } = after([
      { type: 'act/seen', act: anAct({ turnId: turnNumber(1) }) },
      { type: 'act/ended', actId: anAct().actId, outcome: 'done' },
    ]);
    expect(typesOf(events)).toEqual(['act/witnessed', 'turn/witnessed']);
    expect(events[0]).toMatchObject({ actId: anAct().actId, finding: 'confirmed' });
    expect(state.watched).toMatchObject({ since: null, claims: [] });
    expect(state.watched?.told).toHaveLength(1);
  });

  it('keeps an act under way for the next one', () => {
    const other = anAct({ command: 'git push origin late', target: 'origin late' });
    const { state } = after([{ type: 'act/seen', act: other }]);
    expect(state.watched?.claims.map(({ actId }) => actId)).toEqual([other.actId]);
  });

  it('is an oddity where the engine tells its acts, and the only word where it does not', () => {
    const found = ({ events }: SessionSimulator) =>
      events.flatMap((event) => (event.type === 'act/witnessed' ? [event.finding] : []));
    const silent = {
      ...CONFIG,
      capabilities: { ...CONFIG.capabilities, acts: 'none' as const },
    };
    const tool: EngineEvent = {
      type: 'tool/started',
      turnId: turnNumber(1),
      toolId: 't1',
      parentToolId: null,
      name: 'Bash',
      summary: 'ls',
      input: { text: '', truncated: null },
    };
    expect(found(after([tool]))).toEqual(['unclaimed']);
    expect(found(after([], silent))).toEqual(['only']);
  });

  it('that is made again after a crash tells nothing again, and judges nothing again', () => {
    const simulator = after([
      { type: 'act/seen', act: anAct({ turnId: turnNumber(1) }) },
      { type: 'act/ended', actId: anAct().actId, outcome: 'done' },
    ]);
    simulator.events.length = 0;
    const again = { ...REPORT, rules: rulesOf() };
    const ended = { kind: 'broughtBack', events: [], turnId: turnNumber(2) } as const;
    simulator.input({ ...ended, report: again });
    expect(typesOf(simulator.events)).toEqual(['turn/witnessed']);
    const [first] = REPORT.moves;
    const further = first && { ...first, move: { ...first.move, after: '3'.repeat(40) } };
    simulator.input({ ...ended, report: { ...REPORT, moves: further ? [further] : [] } });
    expect(typesOf(simulator.events)).toContain('act/seen');
  });

  it('remembers when the turn began, for what is only the session’s while it works', () => {
    const simulator = anIdleSession(new SessionSimulator());
    expect(simulator.state.watched).toEqual({ since: simulator.now, claims: [] });
  });

  it('tells what was brought back before it, and goes on only after it', () => {
    const simulator = new SessionSimulator();
    simulator.run();
    simulator.endTurn();
    simulator.input({ kind: 'instruct', turn: { turnId: turnNumber(2), text: 'go' } });
    const notice = { type: 'notice/raised', level: 'info', code: 'x', message: 'back' } as const;
    simulator.input({ kind: 'returned', events: [notice] });
    expect(simulator.events.at(-1)).toEqual(notice);
    expect(simulator.engineHas).toBeNull();
    simulator.bringing = false;
    simulator.input({ kind: 'broughtBack', events: [], turnId: turnNumber(1), report: null });
    expect(simulator.engineHas).toBe(turnNumber(2));
  });
});
