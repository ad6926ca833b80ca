import type { EngineEvent, EventOf } from '../../../../protocol/engine-event.ts';
import type { EnginePresetInput } from '../../../../protocol/preset.ts';
import type { EngineExit, EngineItem, EngineStep } from '../../../../runner/engines/engine.ts';
import { engineOfPreset } from '../../../../runner/engines/presets.ts';
import { aPreset } from '../../../support/preset-builders.ts';
import { anEngineLaunch, FIRST } from '../harness.ts';

/** One process of a command, started with an instruction. */
export function aCommandProcess(over: Partial<EnginePresetInput> = {}) {
  const engine = engineOfPreset(aPreset(over));
  const kept: EngineItem[] = [];
  let { state } = engine.open(anEngineLaunch({}, { engineId: 'my-agent' }));
  let at = 0;
  const take = (step: EngineStep<unknown>) => {
    // A state is stored as JSON between any two lines.
    state = JSON.parse(JSON.stringify(step.state));
    kept.push(...step.items);
    return self;
  };
  const self = {
    items: kept,
    events: () => kept.flatMap((item) => (item.kind === 'event' ? [item.event] : [])),
    of: <T extends EngineEvent['type']>(type: T) =>
      self.events().filter((event) => event.type === type) as EventOf<T>[],
    lines: (...lines: string[]) => {
      for (const line of lines) take(engine.parse(state, line, (at += 1000)));
      return self;
    },
    interrupt: () => take(engine.encodeInterrupt(state, (at += 1000))),
    exit: (exit: Partial<EngineExit> = {}) =>
      take(
        engine.exit(
          state,
          { exitCode: 0, signal: null, expected: false, stderrTail: [], ...exit },
          (at += 1000),
        ),
      ),
    shown: () =>
      self
        .of('text/completed')
        .map(({ text }) => text.text)
        .join(''),
    ended: () => self.of('turn/ended')[0],
  };
  take(engine.encodeInstruction(state, { turnId: FIRST, text: 'go' }, 0));
  return self;
}
