import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { engineEvent } from '../../../../protocol/engine-event.ts';
import { turnId } from '../../../../protocol/ids.ts';
import type { EngineExit, EngineItem, EngineStep } from '../../../../runner/engines/engine.ts';
import { anEngineLaunch } from '../harness.ts';
import { eventsOf, listCaptures, readCapture } from '../replay.ts';
import { TALKS } from './replay.ts';

const exits: fc.Arbitrary<EngineExit> = fc.record({
  exitCode: fc.option(fc.nat(255)),
  signal: fc.constantFrom(null, 'SIGKILL', 'SIGTERM'),
  expected: fc.boolean(),
  stderrTail: fc.array(fc.string()),
});

describe.each(TALKS)('$folder', ({ folder, engine }) => {
  const said = listCaptures(folder).flatMap((name) =>
    readCapture(folder, name).flatMap(({ dir, line }) =>
      dir === 'out' ? [JSON.stringify(line)] : [],
    ),
  );
  const broken = fc.oneof(
    fc.string(),
    fc.json(),
    fc.constantFrom(...said).chain((line) => fc.nat(line.length).map((cut) => line.slice(0, cut))),
    fc
      .record({ id: fc.anything(), method: fc.anything(), params: fc.anything() })
      .map((line) => JSON.stringify(line)),
  );
  const lines = fc.array(fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...said) }, broken), {
    maxLength: 60,
  });

  test('lines in any order, cut or foreign, never throw, and what began ends exactly once', () => {
    expect(said.length).toBeGreaterThan(20);
    fc.assert(
      fc.property(lines, exits, fc.boolean(), fc.nat(60), (given, exit, resume, cut) => {
        const items: EngineItem[] = [];
        let state: unknown;
        const take = (step: EngineStep<unknown>): void => {
          items.push(...step.items);
          state = step.state;
        };
        take(engine.open(anEngineLaunch({ resume })));
        take(engine.encodeInstruction(state, { turnId: turnId.parse('trn_1'), text: 'go' }, 0));
        for (const [at, line] of given.entries()) {
          if (at === cut) take(engine.encodeInterrupt(state, at));
          take(engine.parse(state, line, at));
        }
        take(engine.exit(state, exit, given.length));
        const events = eventsOf(items);
        const count = (type: string) => events.filter((event) => event.type === type).length;
        expect(count('turn/ended')).toBe(count('turn/started'));
        expect(count('tool/ended')).toBe(count('tool/started'));
        expect(count('approval/resolved')).toBe(count('approval/requested'));
        for (const event of events) engineEvent.parse(event);
      }),
      { numRuns: 400 },
    );
  });
});
