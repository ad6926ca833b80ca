import { afterEach, beforeEach, expect, test } from 'vitest';
import { findEngine } from '../../../runner/engines/registry.ts';
import type { Engine } from '../../../runner/engines/engine.ts';
import { createRedactor } from '../../../runner/guard/redact.ts';
import { commitPass } from '../../../runner/sessions/session-commit.ts';
import { SessionPass } from '../../../runner/sessions/session-pass.ts';
import { EMPTY_ROW, type SessionRow } from '../../../runner/sessions/session-store.ts';
import { UNSEALED } from '../../support/launch-ports.ts';
import { SessionHouse } from '../../support/session-house.ts';
import { CONFIG, SessionSimulator } from '../../support/session-simulator.ts';
import { anEngineLaunch } from '../engines/harness.ts';

let house: SessionHouse;
beforeEach(() => {
  house = new SessionHouse();
});
afterEach(() => house.close());

/** A text that is begun under a name of its own and never ended, as the app-server tells it. */
const begun = (name: number): string =>
  JSON.stringify({
    method: 'item/agentMessage/delta',
    params: { threadId: 'thread', itemId: `item-${name}`, delta: 'x'.repeat(16_000) },
  });

test('a real parser that is told of ever new texts is bounded by what is stored of it', () => {
  const engine = findEngine('codex', 'ask') as Engine;
  const redactor = createRedactor([]);
  const launch = anEngineLaunch({ resume: true, engineSessionId: 'thread' }, { approvals: 'ask' });
  const { state } = new SessionSimulator().run();
  let row: SessionRow = { ...EMPTY_ROW, state, engineState: engine.open(launch).state };
  for (let chunk = 0; chunk < 60; chunk++) {
    const pass = new SessionPass(row, { engine, config: CONFIG, redactor }, chunk);
    const lines = Array.from({ length: 16 }, (_, line) => begun(chunk * 16 + line));
    const options = { whole: false, spoolOffset: chunk, process: () => null, unwrittenBytes: 0 };
    const deps = {
      store: house.store,
      outbox: house.outbox,
      sessions: house.sessions,
      commands: { record: () => undefined },
      ports: UNSEALED as never,
      now: () => chunk,
    };
    const tools = { pass, redactor };
    ({ row } = commitPass(deps, row, tools, (each) => each.lines(lines, 0), options));
  }
  const told = house.eventsOf(state.sessionId).filter(({ type }) => type === 'notice/raised');
  expect(told).toMatchObject([{ level: 'error', code: 'output_too_large' }]);
  // 256,000 characters in each: beyond 8 million after the thirty-third.
  expect(row.state.phase).toMatchObject({ kind: 'interrupting', ending: { of: 'open' } });
});
