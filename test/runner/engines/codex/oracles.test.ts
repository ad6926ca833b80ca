import { describe, expect, test } from 'vitest';
import { engineEvent, type EngineEvent, type EventOf } from '../../../../protocol/engine-event.ts';
import { linesOf } from '../gemini/replay.ts';
import { eventsOf, listCaptures, readCapture } from '../replay.ts';
import { FOLDER, replay } from './replay.ts';

/** What must hold of every capture, computed from its lines without the parser's own code. */
const NAMES = listCaptures(FOLDER);

const ofType = <T extends EngineEvent['type']>(events: readonly EngineEvent[], type: T) =>
  events.filter((event): event is EventOf<T> & EngineEvent => event.type === type) as EventOf<T>[];

type Raw = {
  type: string;
  item?: { id: string; type: string; text?: string };
  usage?: { input_tokens: number; cached_input_tokens: number; output_tokens: number };
};

describe.each(NAMES)('%s', (name) => {
  const records = readCapture(FOLDER, name);
  const raw = linesOf(records).map(({ line }) => JSON.parse(line) as Raw);
  const completed = raw.find(({ type }) => type === 'turn.completed');
  const items = replay(records);
  const events = eventsOf(items);
  const began = raw.some(({ type }) => type === 'turn.started');

  test('makes events that the protocol accepts', () => {
    expect(events.map((event) => engineEvent.parse(event))).toEqual(events);
  });

  test('is at most one turn, which ends once and last', () => {
    const started = ofType(events, 'turn/started').length;
    expect(ofType(events, 'turn/ended')).toHaveLength(started);
    if (began) expect(started).toBe(1);
    if (started === 1) expect(events.at(-1)?.type).toBe('turn/ended');
  });

  test('is a turn that went well exactly where the engine says so', () => {
    const [ended] = ofType(events, 'turn/ended');
    const outcomes = completed ? ['ok'] : ['failed', 'killed', undefined];
    expect(outcomes).toContain(ended?.outcome);
  });

  test('records every token of the thread’s total, cached ones apart', () => {
    const entries = ofType(events, 'usage/recorded')
      .flatMap((event) => event.entries)
      .filter(({ provenance }) => provenance === 'estimated');
    const sum = entries.reduce(
      (total, entry) => ({
        input: total.input + entry.inputTokens + entry.cacheReadTokens + entry.cacheWriteTokens,
        cached: total.cached + entry.cacheReadTokens,
        output: total.output + entry.outputTokens,
      }),
      { input: 0, cached: 0, output: 0 },
    );
    const usage = completed?.usage;
    expect(sum).toEqual({
      input: usage?.input_tokens ?? 0,
      cached: usage?.cached_input_tokens ?? 0,
      output: usage?.output_tokens ?? 0,
    });
  });

  test('shows all that the model said', () => {
    const said = raw.flatMap(({ type, item }) =>
      type === 'item.completed' && (item?.type === 'agent_message' || item?.type === 'reasoning')
        ? [item.text]
        : [],
    );
    expect(ofType(events, 'text/completed').map((event) => event.text.text)).toEqual(said);
  });

  test('ends every tool call that began', () => {
    const started = ofType(events, 'tool/started').map(({ toolId }) => toolId);
    const ended = ofType(events, 'tool/ended').map(({ toolId }) => toolId);
    expect(ended.toSorted()).toEqual(started.toSorted());
    const calls = raw.filter(({ item }) => /command|file_change/.test(item?.type ?? ''));
    expect(new Set(started).size).toBe(new Set(calls.map(({ item }) => item?.id)).size);
  });

  test('reads the same when the parser starts again from its stored state after every line', () => {
    const again = replay(records, (state) => JSON.parse(JSON.stringify(state)) as typeof state);
    expect(again).toEqual(items);
  });
});
