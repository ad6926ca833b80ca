import type { EngineError } from '../../../protocol/engine-event.ts';
import { emit, patch } from '../draft.ts';
import type { Draft } from './state.ts';

/** Says that the engine works, once, and again whenever what it says about itself changes. */
export function announceReady(draft: Draft): void {
  const { launchId, engineSessionId, version, model, payer, credential, rehearsal } = draft.state;
  const facts = {
    engineSessionId,
    engineVersion: version,
    model,
    payer: rehearsal ? ('unknown' as const) : payer,
    credential: rehearsal ? null : credential,
  };
  const announced = JSON.stringify(facts);
  if (announced === draft.state.announced) return;
  patch(draft, { announced });
  emit(draft, { type: 'engine/ready', launchId, ...facts });
}

/** The engine cannot work in this process, and began nothing: what waits is not taken for a turn. */
export function refuseLaunch(draft: Draft, error: EngineError): void {
  draft.items.push({ kind: 'fatal', error });
  patch(draft, { pending: [], dead: true });
}
