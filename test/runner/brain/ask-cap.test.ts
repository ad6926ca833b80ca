import { describe, expect, it } from 'vitest';
import { decideAskCap } from '../../../runner/brain/ask-cap.ts';
import type { SessionState } from '../../../runner/sessions/session-state.ts';
import { aLaunch } from '../../support/protocol-builders.ts';

/** A session at rest that has spent 300 micro-dollars, as its gate saw too. */
const atRest = (budgetMicroUsd: number | null, over: object = {}): SessionState =>
  ({
    launch: aLaunch({ budgetMicroUsd }),
    spent: { reported: 300 },
    estimateMicroUsd: 0,
    model: { microUsd: 300, overBudget: false },
    held: null,
    queue: [],
    ...over,
  }) as unknown as SessionState;
const grant = (microUsd: number | null, paidMicroUsd: number | null = null) => ({
  microUsd,
  paidMicroUsd,
});

describe('how far a question to an engine may go', () => {
  it('is what is left of the session where that is less, or nothing was granted', () => {
    expect(decideAskCap(atRest(1_000), undefined, 'api-key')).toEqual({
      microUsd: 700,
      gateMicroUsd: 1_000,
      byGrant: false,
    });
    expect(decideAskCap(atRest(1_000), grant(700), 'api-key').byGrant).toBe(false);
    expect(decideAskCap(atRest(null), undefined, 'api-key').microUsd).toBeNull();
  });

  it('is its grant where that is less, at the gate on top of what the session has come to', () => {
    const cap = { microUsd: 250, gateMicroUsd: 550, byGrant: true };
    expect(decideAskCap(atRest(1_000), grant(250), 'api-key')).toEqual(cap);
    expect(decideAskCap(atRest(null), grant(null, 250), 'api-key')).toEqual(cap);
  });

  it('is not bound by paid dollars where a subscription pays', () => {
    expect(decideAskCap(atRest(null), grant(null, 250), 'subscription').microUsd).toBeNull();
  });

  it('takes nothing at the gate from a turn that runs beside it', () => {
    const held = { turnId: 'trn_1', cap: { microUsd: 900, paidMicroUsd: null } };
    expect(decideAskCap(atRest(null, { held }), grant(250), 'api-key')).toMatchObject({
      microUsd: 250,
      gateMicroUsd: 900,
    });
  });
});
