import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { EngineEvent } from '../../../protocol/engine-event.ts';
import type { Checkout } from '../../../runner/guard/checkout.ts';
import { createRedactor } from '../../../runner/guard/redact.ts';
import type { Engine, EngineItem } from '../../../runner/engines/engine.ts';
import { SessionPass } from '../../../runner/sessions/session-pass.ts';
import type { SessionState } from '../../../runner/sessions/session-state.ts';
import { started } from '../../support/feed-events.ts';
import { actRulesOf } from '../../support/policy-rules.ts';
import { scriptedEngine } from '../../support/scripted-engine.ts';
import { CONFIG, SessionSimulator, turnNumber } from '../../support/session-simulator.ts';
import { ALLOW, REQUEST, anIdleSession } from '../../support/session-steps.ts';
import { aDirectory } from '../guard/repositories.ts';

const SECRET = 'sk-canary-0123456789abcdef';
const redactor = createRedactor([{ name: 'SCRIPTED_KEY', value: SECRET }]);
const notice = (message: string): EngineEvent => ({
  type: 'notice/raised',
  level: 'info',
  code: 'test',
  message,
});
const saying = (...items: EngineItem[]) => JSON.stringify(items);
const event = (of: EngineEvent): EngineItem => ({ kind: 'event', event: of });

function aPass(state: SessionState = new SessionSimulator().run().state) {
  const engine = scriptedEngine() as Engine;
  return new SessionPass({ state, engineState: [] }, { engine, config: CONFIG, redactor }, 5_000);
}
const idle = () => anIdleSession(new SessionSimulator()).state;

describe('lines of an engine', () => {
  test('become events, in their order', () => {
    const pass = aPass();
    pass.lines([saying(event(notice('a')), event(notice('b'))), saying(event(notice('c')))], 0);
    expect(pass.events).toEqual(['a', 'b', 'c'].map(notice));
  });

  test('move the parser’s state along', () => {
    const pass = aPass();
    pass.lines([saying(), saying()], 0);
    expect(pass.engineState).toEqual(['line', 'line']);
  });

  test('of which one breaks the parser lose that one alone, and say so', () => {
    const pass = aPass();
    pass.lines([saying(event(notice('before'))), '!', saying(event(notice('after')))], 0);
    expect(pass.events).toMatchObject([
      notice('before'),
      { level: 'error', code: 'parser_failed', message: expect.stringContaining('not understood') },
      notice('after'),
    ]);
  });

  test('that were too long are counted in a notice', () => {
    const pass = aPass();
    pass.lines([], 3);
    expect(pass.events).toMatchObject([
      { code: 'line_too_long', message: expect.stringMatching(/^3 lines/) },
    ]);
  });

  test('are a word of the engine, whatever they mean', () => {
    const simulator = anIdleSession(new SessionSimulator());
    simulator.input({ kind: 'instruct', turn: { turnId: turnNumber(2), text: 'go' } });
    const spoken = aPass(simulator.state);
    spoken.lines([saying()], 0);
    expect(spoken.state.held?.spokeSince).toBe(true);
    const silent = aPass(simulator.state);
    silent.lines([], 1);
    expect(silent.state.held?.spokeSince).toBe(false);
  });
});

describe('what the rules ask of the engine', () => {
  test('an instruction is encoded and written, after it was said to be handed', () => {
    const pass = aPass(idle());
    pass.input({ kind: 'instruct', turn: { turnId: turnNumber(2), text: 'mend it' } });
    expect(pass.writes).toEqual(['mend it']);
    expect(pass.events).toMatchObject([{ delivery: 'received' }, { delivery: 'handed' }]);
    expect(pass.engineState).toEqual(['instruction']);
  });

  test('an answer is encoded for the request that it answers', () => {
    const simulator = new SessionSimulator().run();
    simulator.event({ type: 'approval/requested', request: REQUEST });
    const pass = aPass(simulator.state);
    pass.input({ kind: 'answer', requestId: REQUEST.requestId, answer: ALLOW });
    expect(pass.writes).toEqual([`${REQUEST.requestId} allow`]);
  });

  test('an interrupt is written', () => {
    const pass = aPass();
    pass.input({ kind: 'interrupt' });
    expect(pass.writes).toEqual(['interrupt']);
  });

  test('a refusal is kept for the command that led to it', () => {
    const pass = aPass(idle());
    pass.input({ kind: 'interrupt' });
    expect(pass.refusal).toMatchObject({ code: 'nothing_running' });
    expect(pass.writes).toEqual([]);
  });

  test('what happens outside is left for after the transaction', () => {
    const pass = aPass();
    pass.lines(
      [
        saying(
          event({
            type: 'turn/ended',
            turnId: turnNumber(1),
            outcome: 'ok',
            error: null,
            durationMs: 1,
            usage: 'recorded',
            acts: 'none',
          }),
        ),
      ],
      0,
    );
    expect(pass.later).toEqual([{ kind: 'bringBack', turnId: turnNumber(1) }]);
  });

  test('the end of a turn hands over what waited, in the same pass', () => {
    const simulator = anIdleSession(new SessionSimulator());
    const pass = aPass({ ...simulator.state, bringingBack: turnNumber(1) });
    pass.input({ kind: 'instruct', turn: { turnId: turnNumber(2), text: 'next' } });
    expect(pass.writes).toEqual([]);
    pass.input({ kind: 'broughtBack', events: [] });
    expect(pass.writes).toEqual(['next']);
  });
});

describe('other things that an engine’s lines mean', () => {
  test('an answer to a handshake is written without asking anybody', () => {
    const pass = aPass();
    pass.lines([saying({ kind: 'write', line: 'pong' })], 0);
    expect(pass.writes).toEqual(['pong']);
  });

  test('text on its way is kept apart from what is durable', () => {
    const pass = aPass();
    const delta = {
      turnId: null,
      blockId: 'b',
      parentToolId: null,
      kind: 'answer',
      offset: 0,
      text: 'Hel',
    } as const;
    pass.lines([saying({ kind: 'delta', delta })], 0);
    expect(pass.deltas).toEqual([delta]);
    expect(pass.events).toEqual([]);
  });

  test('a failure that the engine cannot escape ends its process', () => {
    const pass = aPass();
    pass.lines(
      [saying({ kind: 'fatal', error: { code: 'auth_missing', message: 'no login' } })],
      0,
    );
    expect(pass.later).toContainEqual({ kind: 'terminate' });
  });

  test('an event of the engine is told and learnt from', () => {
    const pass = aPass(idle());
    pass.lines([saying(event(started(turnNumber(9), 'engine')))], 0);
    expect(pass.state.openTurnId).toBe(turnNumber(9));
    expect(pass.events).toHaveLength(1);
  });
});

describe('a secret', () => {
  test('is in no event of the engine', () => {
    const pass = aPass();
    pass.lines([saying(event(notice(`key ${SECRET}!`)))], 0);
    expect(pass.events).toEqual([notice('key [redacted:SCRIPTED_KEY]!')]);
  });

  test('is in no event of the rules, as in the last words of a process', () => {
    const pass = aPass();
    pass.input({ kind: 'exited', exit: { exitCode: 1, signal: null, stderrTail: [SECRET] } });
    expect(JSON.stringify(pass.events)).not.toContain(SECRET);
    expect(JSON.stringify(pass.events)).toContain('[redacted:SCRIPTED_KEY]');
  });

  test('is in no output that is kept on the machine', () => {
    const pass = aPass();
    pass.lines([saying({ kind: 'output', toolId: 't', text: `a ${SECRET} b` })], 0);
    expect(pass.outputs).toEqual([{ toolId: 't', text: 'a [redacted:SCRIPTED_KEY] b' }]);
  });

  test('is not in the reason of a launch that failed', () => {
    const pass = aPass();
    pass.lines(
      [saying({ kind: 'fatal', error: { code: 'auth_expired', message: `bad ${SECRET}` } })],
      0,
    );
    expect(JSON.stringify([pass.events, pass.state])).not.toContain(SECRET);
  });

  test('is not in the notice of a line that broke the parser', () => {
    const engine = scriptedEngine({
      parse: () => {
        throw new Error(`unexpected ${SECRET}`);
      },
    }) as Engine;
    const pass = new SessionPass(
      { state: idle(), engineState: [] },
      { engine, config: CONFIG, redactor },
      1,
    );
    pass.lines(['anything'], 0);
    expect(JSON.stringify(pass.events)).not.toContain(SECRET);
  });

  test('is not in what the rules keep of a request', () => {
    const pass = aPass();
    const request = { ...REQUEST, summary: `curl -H ${SECRET}` };
    pass.lines([saying(event({ type: 'approval/requested', request }))], 0);
    expect(JSON.stringify(pass.state)).not.toContain(SECRET);
  });
});

describe('what a command of the checkout would run', () => {
  test('is judged before a person is asked, by the file that lies there', () => {
    const directory = aDirectory();
    writeFileSync(join(directory, 'ship.sh'), 'git push origin HEAD:main');
    const checkout = { mode: 'inPlace', directory } as Checkout;
    const state = { ...idle(), acts: actRulesOf() };
    const input = { text: JSON.stringify({ command: 'sh ship.sh' }), truncated: null };
    const request = { ...REQUEST, toolName: 'Bash', input };
    const looked: unknown[] = [];
    const engine = scriptedEngine({
      parse: (was, _line, _at, look) => {
        looked.push(look?.('ship.sh'), look?.('../x'));
        return { state: was, items: [event({ type: 'approval/requested', request })] };
      },
    }) as Engine;
    const pass = new SessionPass(
      { state, engineState: [], checkout },
      { engine, config: CONFIG, redactor },
      1,
    );
    pass.lines(['asks'], 0);
    expect(looked).toEqual([{ text: 'git push origin HEAD:main', whole: true }, null]);
    expect(pass.writes).toEqual([`${request.requestId} deny`]);
  });
});

describe('a pass', () => {
  test('leaves what it began with as it was', () => {
    const state = idle();
    const before = structuredClone(state);
    const pass = aPass(state);
    pass.input({ kind: 'instruct', turn: { turnId: turnNumber(2), text: 'go' } });
    pass.input({ kind: 'stop' });
    expect(state).toEqual(before);
    expect(pass.state).not.toEqual(before);
  });
});
