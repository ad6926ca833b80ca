import { describe, expect, test } from 'vitest';
import { engineEvent, type EngineEvent, type EventOf } from '../../../../protocol/engine-event.ts';
import { eventsOf, listCaptures, readCapture } from '../replay.ts';
import { FOLDER, linesOf, replay } from './replay.ts';

/** What must hold of every capture, computed from its lines without the parser's own code. */
const NAMES = listCaptures(FOLDER);

const ofType = <T extends EngineEvent['type']>(events: readonly EngineEvent[], type: T) =>
  events.filter((event): event is EventOf<T> & EngineEvent => event.type === type) as EventOf<T>[];

type Raw = {
  type: string;
  role?: string;
  content?: string;
  status?: string;
  stats?: { total_tokens: number; input_tokens: number; cached: number };
};

describe.each(NAMES)('%s', (name) => {
  const records = readCapture(FOLDER, name);
  const raw = linesOf(records).map(({ line }) => JSON.parse(line) as Raw);
  const result = raw.find(({ type }) => type === 'result');
  const items = replay(records);
  const events = eventsOf(items);
  const lost = JSON.stringify(records).includes('Error resuming session: ');

  test('makes events that the protocol accepts', () => {
    for (const event of events) engineEvent.parse(event);
    expect(items.length).toBeGreaterThan(0);
  });

  test.runIf(lost)('is no turn, of a conversation that it does not know', () => {
    expect(items).toMatchObject([{ kind: 'fatal', error: { code: 'conversation_lost' } }]);
  });

  test.skipIf(lost)('is one turn that starts once and ends once, last', () => {
    expect(ofType(events, 'turn/started')).toHaveLength(1);
    expect(ofType(events, 'turn/ended')).toHaveLength(1);
    expect(events.at(-1)?.type).toBe('turn/ended');
  });

  test('records every token that the engine counted, thoughts included', () => {
    const entries = ofType(events, 'usage/recorded').flatMap((event) => event.entries);
    const known = entries.filter(({ provenance }) => provenance === 'estimated');
    const sum = (of: (entry: (typeof known)[number]) => number) =>
      known.reduce((total, entry) => total + of(entry), 0);
    const stats = result?.stats ?? { total_tokens: 0, input_tokens: 0, cached: 0 };
    expect(sum((entry) => entry.inputTokens + entry.cacheReadTokens)).toBe(stats.input_tokens);
    expect(sum((entry) => entry.cacheReadTokens)).toBe(stats.cached);
    expect(sum((entry) => entry.outputTokens)).toBe(stats.total_tokens - stats.input_tokens);
    for (const entry of known) expect(entry.microUsd).toBeGreaterThan(0);
  });

  test.skipIf(lost)(
    'says that its spend is unsettled where the engine began and gave no figures',
    () => {
      const began = raw.some(({ type }) => type === 'init');
      const [ended] = ofType(events, 'turn/ended');
      if (began && !result) {
        expect(ended).toMatchObject({ outcome: 'killed', usage: 'unsettled' });
        const entries = ofType(events, 'usage/recorded').flatMap((event) => event.entries);
        expect(entries).toMatchObject([{ provenance: 'unsettled', microUsd: null }]);
      } else {
        expect(ended?.outcome).toBe(result?.status === 'success' ? 'ok' : 'failed');
      }
    },
  );

  test('shows all that the model said, in pieces and whole', () => {
    const said = raw
      .filter(({ type, role }) => type === 'message' && role === 'assistant')
      .map(({ content }) => content)
      .join('');
    const pieces = items.flatMap((item) => (item.kind === 'delta' ? [item.delta.text] : []));
    expect(pieces.join('')).toBe(said);
    expect(
      ofType(events, 'text/completed')
        .map((event) => event.text.text)
        .join(''),
    ).toBe(said);
  });

  test('ends every tool call that began', () => {
    const started = ofType(events, 'tool/started').map(({ toolId }) => toolId);
    const ended = ofType(events, 'tool/ended').map(({ toolId }) => toolId);
    expect(started).toHaveLength(raw.filter(({ type }) => type === 'tool_use').length);
    expect(ended.toSorted()).toEqual(started.toSorted());
  });

  test('reads the same when the parser starts again from its stored state after every line', () => {
    const again = replay(records, (state) => JSON.parse(JSON.stringify(state)) as typeof state);
    expect(again).toEqual(items);
  });
});
