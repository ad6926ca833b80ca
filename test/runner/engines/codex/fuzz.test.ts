import fc from 'fast-check';
import { expect, test } from 'vitest';
import { engineEvent } from '../../../../protocol/engine-event.ts';
import { codex } from '../../../../runner/engines/codex/preset.ts';
import type { EngineExit } from '../../../../runner/engines/engine.ts';
import { linesOf } from '../gemini/replay.ts';
import { eventsOf, listCaptures, readCapture } from '../replay.ts';
import { aCodexLaunch, FOLDER, freshState, TURN } from './replay.ts';

const CAPTURED = listCaptures(FOLDER).flatMap((name) =>
  linesOf(readCapture(FOLDER, name)).map(({ line }) => line),
);

const broken = fc.oneof(
  fc.string(),
  fc.json(),
  fc
    .constantFrom(...CAPTURED)
    .chain((line) => fc.nat(line.length).map((cut) => line.slice(0, cut))),
  fc
    .record({ type: fc.constantFrom('turn.completed', 'item.completed'), usage: fc.anything() })
    .map((line) => JSON.stringify(line)),
);
const lines = fc.array(fc.oneof(fc.constantFrom(...CAPTURED), broken), { maxLength: 40 });

const exits: fc.Arbitrary<EngineExit> = fc.record({
  exitCode: fc.option(fc.nat(255)),
  signal: fc.constantFrom(null, 'SIGKILL', 'SIGTERM'),
  expected: fc.boolean(),
  stderrTail: fc.array(fc.oneof(fc.string(), fc.constant('Error: no rollout found'))),
});

test('lines in any order, cut or foreign, never throw, and a turn that began ends exactly once', () => {
  fc.assert(
    fc.property(lines, exits, fc.boolean(), (given, exit, resumed) => {
      const launch = aCodexLaunch(resumed ? '01a227ce-e986-76a2-98d9-e37381434603' : null);
      let { state } = codex.open(launch, resumed ? freshState() : undefined);
      const items = [];
      ({ state } = codex.encodeInstruction(state, { turnId: TURN, text: 'go' }, 0));
      for (const [at, line] of given.entries()) {
        const step = codex.parse(state, line, at);
        state = step.state;
        items.push(...step.items);
      }
      expect(eventsOf(items).filter(({ type }) => type === 'turn/ended')).toEqual([]);
      const end = codex.exit(state, exit, given.length);
      items.push(...end.items);
      const types = eventsOf(items).map(({ type }) => type);
      const count = (type: string) => types.filter((each) => each === type).length;
      expect(count('turn/ended')).toBe(count('turn/started'));
      expect(count('turn/started')).toBeLessThanOrEqual(1);
      expect(count('tool/ended')).toBe(count('tool/started'));
      for (const event of eventsOf(items)) engineEvent.parse(event);
    }),
    { numRuns: 1_000 },
  );
});
