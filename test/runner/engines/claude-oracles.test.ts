import { describe, expect, test } from 'vitest';
import { engineEvent, type EngineEvent, type EventOf } from '../../../protocol/engine-event.ts';
import { callsOf, eventsOf, launchOf, listCaptures, readCapture, replay } from './replay.ts';
import { claude } from '../../../runner/engines/claude/preset.ts';
import type { ClaudeState } from '../../../runner/engines/claude/state.ts';

/**
 * What must hold of every capture, computed from its lines without the parser's own code.
 */
const CAPTURES = ['claude-2.1.197', 'claude-2.1.332', 'claude-2.1.332-partials'].flatMap((folder) =>
  listCaptures(folder).map((name) => ({ folder, name })),
);

const ofType = <T extends EngineEvent['type']>(events: readonly EngineEvent[], type: T) =>
  events.filter((event): event is EventOf<T> & EngineEvent => event.type === type) as EventOf<T>[];

const sorted = (ids: readonly string[]) => ids.toSorted((a, b) => a.localeCompare(b));

type ResultLine = {
  type: string;
  subtype: string;
  total_cost_usd: number;
  local_command?: string;
  errors?: readonly string[];
};

function resultsOf(folder: string, name: string): ResultLine[] {
  return readCapture(folder, name)
    .filter((record) => record.dir === 'out')
    .map((record) => record.line as ResultLine)
    .filter((line) => line.type === 'result');
}

/** What the conversation had cost when this process began: the new engine carries it over. */
function costBefore(folder: string, name: string): number {
  const records = readCapture(folder, name);
  const told = records
    .map((record) => JSON.stringify(record.line))
    .find((line) => line.includes('"model_usage":{'));
  const match = told === undefined ? null : /"session":\{"total_cost_usd":([\d.e-]+)/.exec(told);
  if (match) return Number(match[1]);
  const first = records.find((record) => (record.line as ResultLine).type === 'result')?.line as
    | (ResultLine & { model_usage_since_last_result?: Record<string, { costUSD: number }> })
    | undefined;
  const since = first?.model_usage_since_last_result;
  if (!first || !since) return 0;
  return first.total_cost_usd - Object.values(since).reduce((sum, model) => sum + model.costUSD, 0);
}

describe.each(CAPTURES)('$folder $name', ({ folder, name }) => {
  const records = readCapture(folder, name);
  const items = replay(records);
  const events = eventsOf(items);

  test('makes events that the protocol accepts', () => {
    for (const event of events) expect(() => engineEvent.parse(event)).not.toThrow();
  });

  test('adds up to what the engine says it cost', () => {
    const results = resultsOf(folder, name).filter((line) => line.local_command !== 'clear');
    const reported = ofType(events, 'usage/recorded')
      .flatMap((event) => event.entries)
      .filter((entry) => entry.provenance === 'reported')
      .reduce((sum, entry) => sum + (entry.microUsd ?? 0), 0);
    const last = results.at(-1)?.total_cost_usd ?? 0;
    const before = results.length > 0 ? costBefore(folder, name) : 0;
    expect(reported).toBe(Math.round(last * 1e6) - Math.round(before * 1e6));
  });

  test('ends every turn that it starts, once', () => {
    const started = ofType(events, 'turn/started').map((event) => event.turnId);
    const ended = ofType(events, 'turn/ended').map((event) => event.turnId);
    expect(new Set(started).size).toBe(started.length);
    expect(sorted(ended)).toEqual(sorted(started));
  });

  test('has one turn per result and instruction at least, and none of a conversation that is lost', () => {
    const told = resultsOf(folder, name).map(({ errors = [] }) => errors.join(' '));
    const lost = told.filter((words) => words.includes('No conversation found')).length;
    expect(items.filter(({ kind }) => kind === 'fatal').length).toBeGreaterThanOrEqual(lost);
    expect(ofType(events, 'turn/ended').length).toBeGreaterThanOrEqual(told.length - lost);
    if (lost > 0) expect(ofType(events, 'turn/started')).toEqual([]);
  });

  test('ends every tool call and every act that it starts, once', () => {
    const pairs = [
      [
        ofType(events, 'tool/started').map((event) => event.toolId),
        ofType(events, 'tool/ended').map((event) => event.toolId),
      ],
      [
        ofType(events, 'act/seen').map((event) => event.act.actId),
        ofType(events, 'act/ended').map((event) => event.actId),
      ],
    ] as const;
    for (const [started, ended] of pairs) expect(sorted(ended)).toEqual(sorted(started));
  });

  test('shows every tool call of the stream', () => {
    const called = new Set(
      JSON.stringify(records.filter((record) => record.dir === 'out')).match(
        /"type":"tool_use","id":"[^"]+"/g,
      ),
    );
    const aborted = ofType(events, 'tool/started').length;
    expect(aborted).toBeLessThanOrEqual(called.size);
    const whole = records.filter(
      (record) => record.dir === 'out' && (record.line as ResultLine).type === 'assistant',
    );
    const inMessages = new Set(JSON.stringify(whole).match(/"type":"tool_use","id":"[^"]+"/g));
    expect(aborted).toBe(inMessages.size);
  });

  test('answers or withdraws every request', () => {
    const requested = ofType(events, 'approval/requested').map((event) => event.request.requestId);
    const resolved = ofType(events, 'approval/resolved').map((event) => event.requestId);
    expect(sorted(resolved)).toEqual(sorted(requested));
  });

  test('reads the same when the state goes through JSON after every line', () => {
    const again = replay(records, (state) => JSON.parse(JSON.stringify(state)) as ClaudeState);
    expect(again).toEqual(items);
  });

  test('leaves a state as it was: a line can be read again', () => {
    let state = claude.open(launchOf(records)).state;
    for (const call of callsOf(records)) {
      const before = JSON.stringify(state);
      const step = call(state);
      expect(JSON.stringify(state)).toBe(before);
      state = step.state;
    }
  });
});
