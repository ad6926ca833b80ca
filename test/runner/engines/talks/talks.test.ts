import { describe, expect, test } from 'vitest';
import { engineEvent, type EngineEvent, type EventOf } from '../../../../protocol/engine-event.ts';
import { eventsOf, listCaptures } from '../replay.ts';
import { showItem } from '../show-item.ts';
import { replay, TALKS } from './replay.ts';

/** What must hold of every conversation with a real engine that was recorded in both directions. */
const ALL = TALKS.flatMap((talk) =>
  listCaptures(talk.folder).map((name) => ({ ...talk, name, title: `${talk.folder}/${name}` })),
);

test('of four engines are known', () => {
  expect(TALKS.map(({ engine: { id, form } }) => form ?? id)).toEqual(
    expect.arrayContaining(['app-server', 'acp', 'opencode', 'qwen']),
  );
});

const ofType = <T extends EngineEvent['type']>(events: readonly EngineEvent[], type: T) =>
  events.filter((event): event is EventOf<T> & EngineEvent => event.type === type) as EventOf<T>[];

describe.each(ALL)('$title', (talk) => {
  const { items, written, recorded } = replay(talk);
  const events = eventsOf(items);

  test('reads as reviewed', async () => {
    await expect(`${items.map(showItem).join('\n')}\n`).toMatchFileSnapshot(
      `../../../fixtures/engines/goldens/${talk.folder}/${talk.name.replace('.jsonl', '.txt')}`,
    );
  });

  test('makes events that the protocol accepts', () => {
    expect(events.map((event) => engineEvent.parse(event))).toEqual(events);
  });

  test('writes what the real engine was told then, line by line', () => {
    expect(written).toEqual(recorded);
  });

  test('ends every turn, tool call and request that began, once', () => {
    const ids = (type: 'turn/started' | 'turn/ended') =>
      ofType(events, type).map(({ turnId }) => turnId);
    expect(ids('turn/ended')).toEqual(ids('turn/started'));
    const calls = (type: 'tool/started' | 'tool/ended') =>
      ofType(events, type)
        .map(({ toolId }) => toolId)
        .toSorted();
    expect(calls('tool/ended')).toEqual(calls('tool/started'));
    expect(ofType(events, 'approval/resolved').map(({ requestId }) => requestId)).toEqual(
      ofType(events, 'approval/requested').map(({ request }) => request.requestId),
    );
  });

  test('never says of a turn that it used nothing, unless the provider refused it', () => {
    for (const { usage, error } of ofType(events, 'turn/ended'))
      if (error === null) expect(usage).not.toBe('none');
    expect(ofType(events, 'turn/ended').length).toBeGreaterThan(0);
  });

  test('reads the same when the parser starts again from its stored state after every line', () => {
    const again = replay(talk, (state) => JSON.parse(JSON.stringify(state)));
    expect(again.items).toEqual(items);
  });
});
