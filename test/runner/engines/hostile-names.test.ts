import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { engineEvent } from '../../../protocol/engine-event.ts';
import { turnId } from '../../../protocol/ids.ts';
import type { EngineItem, EngineStep } from '../../../runner/engines/engine.ts';
import { anEngineLaunch } from './harness.ts';
import { eventsOf, listCaptures, readCapture } from './replay.ts';
import { TALKS } from './talks/replay.ts';

/** Names that every object has from its prototype: an engine may call a tool or a reason so. */
const INHERITED = ['constructor', '__proto__'] as const;
const EXIT = { exitCode: 1, signal: null, expected: false, stderrTail: [] };

type Line = { [key: string]: unknown };

/** Everything that a line says in words, with where it says it. */
function wordsIn(value: unknown, path: string[] = []): string[][] {
  if (typeof value === 'string') return [path];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, each]) => wordsIn(each, [...path, key]));
}
function put(line: Line, path: readonly string[], word: unknown): Line {
  const copy = structuredClone(line);
  let at: Line = copy;
  for (const key of path.slice(0, -1)) at = at[key] as Line;
  const last = path.at(-1);
  if (last !== undefined) at[last] = word;
  return copy;
}

const recordingsOf = (folder: string): Line[][] =>
  listCaptures(folder).map((name) =>
    readCapture(folder, name).flatMap(({ dir, line }) =>
      dir === 'out' && typeof line === 'object' && !('_text' in (line as Line))
        ? [line as Line]
        : [],
    ),
  );

/** Where each kind of line says a word, once: what was said just before it, and a little after. */
function placesOf(folder: string): { lines: Line[]; index: number; path: string[] }[] {
  const seen = new Set<string>();
  return recordingsOf(folder).flatMap((lines) =>
    lines.flatMap((line, at) =>
      wordsIn(line).flatMap((path) => {
        const kind = /"(?:method|sessionUpdate|type)":"[^"]*"/g;
        const key = [...(JSON.stringify(line).match(kind) ?? []), ...path].join(' ');
        if (seen.has(key)) return [];
        seen.add(key);
        const from = Math.max(4, at - 6);
        const before =
          at < 4 ? lines.slice(0, at) : [...lines.slice(0, 4), ...lines.slice(from, at)];
        return [{ lines: [...before, ...lines.slice(at, at + 3)], index: before.length, path }];
      }),
    ),
  );
}

describe.each(TALKS)('an engine that speaks as $folder', ({ folder, engine }) => {
  /** Plays lines to a new process with an instruction; checks the state after every one of them. */
  function play(lines: readonly string[]): EngineItem[] {
    const items: EngineItem[] = [];
    let state: unknown;
    const take = (step: EngineStep<unknown>): void => {
      items.push(...step.items);
      state = step.state;
      expect(JSON.parse(JSON.stringify(state))).toEqual(state);
    };
    take(engine.open(anEngineLaunch()));
    take(engine.encodeInstruction(state, { turnId: turnId.parse('trn_1'), text: 'go' }, 0));
    for (const [at, line] of lines.entries()) take(engine.parse(state, line, at));
    take(engine.exit(state, EXIT, lines.length));
    return items;
  }
  function check(items: readonly EngineItem[]): void {
    for (const event of eventsOf(items)) engineEvent.parse(event);
    for (const item of items)
      if (item.kind === 'delta') expect(Number.isInteger(item.delta.offset)).toBe(true);
  }

  it.each(INHERITED)('may say “%s” wherever it says a word', (word) => {
    const places = placesOf(folder);
    expect(places.length).toBeGreaterThan(30);
    for (const { lines, index, path } of places) {
      const changed = lines.map((line, at) => (at === index ? put(line, path, word) : line));
      check(play(changed.map((line) => JSON.stringify(line))));
    }
  });

  it('may say anything else where it says a word', () => {
    const lines = recordingsOf(folder).flat().slice(0, 30);
    const other = fc.oneof(fc.constantFrom(null, true, -1, 1e308, [], {}), fc.jsonValue());
    const line = fc.constantFrom(...lines).chain((each) => {
      const path = fc.constantFrom(...wordsIn(each));
      return fc.tuple(path, other).map(([place, value]) => put(each, place, value));
    });
    fc.assert(
      fc.property(fc.array(line, { maxLength: 12 }), (broken) => {
        const whole = [...lines.slice(0, 4), ...broken];
        const played = whole.map((each) => JSON.stringify(each));
        expect(() => check(play(played))).not.toThrow();
      }),
      { numRuns: 60 },
    );
  });
});
