import type { EventOf } from './engine-event.ts';
import type { SessionView } from './session-view.ts';

/** What the model gate tells, beside what the engine does. */
export function reduceModel(
  view: SessionView,
  event: EventOf<'model/routed' | 'model/metered'>,
): SessionView {
  const nothing = { reason: null, calls: 0, refused: 0, microUsd: 0, engineMicroUsd: null };
  const before = view.model ?? { ...nothing, through: 'gate' as const };
  if (event.type === 'model/routed') {
    const { through, reason } = event;
    return { ...view, model: { ...before, through, reason } };
  }
  const { calls, refused, microUsd, engineMicroUsd } = event;
  const untold = (before.untoldMicroUsd ?? 0) + (engineMicroUsd === null ? (microUsd ?? 0) : 0);
  return {
    ...view,
    model: {
      ...before,
      calls: before.calls + calls,
      refused: before.refused + refused,
      microUsd: before.microUsd + (microUsd ?? 0),
      engineMicroUsd:
        engineMicroUsd === null
          ? before.engineMicroUsd
          : (before.engineMicroUsd ?? 0) + engineMicroUsd,
      ...(untold > 0 && { untoldMicroUsd: untold }),
    },
  };
}
