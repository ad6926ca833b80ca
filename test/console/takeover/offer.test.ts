// @vitest-environment node
import { describe, expect, it } from 'vitest';
import { ERRORS } from '../../../protocol/errors.ts';
import { decideOffer } from '../../../console/takeover/offer.ts';
import { eventsAfterApproval, eventsUntilApproval } from '../../../console/mock/sentinels.ts';
import { viewAfter } from '../../support/protocol-builders.ts';

const idle = viewAfter(...eventsUntilApproval(), ...eventsAfterApproval());
const busy = viewAfter(...eventsUntilApproval());
const takeover = {
  form: 'keys',
  actorId: idle.actorId,
  channel: 'cli',
  epoch: 2,
  at: 1,
} as const;

const said = (keys: boolean | null, allowed: boolean | null = null) => ({ keys, allowed });

describe('what pressing “Take over” does', () => {
  it('opens the terminal of an engine that has one, also where nobody has said', () => {
    expect(decideOffer(idle, 'online', said(true))).toEqual({ kind: 'open', form: 'keys' });
    expect(decideOffer(idle, 'unknown', said(null))).toEqual({ kind: 'open', form: 'keys' });
  });

  it('asks before a turn is ended, before it is taken from somebody, and where there are no keys', () => {
    expect(decideOffer(busy, 'online', said(true))).toMatchObject({
      kind: 'ask',
      because: 'working',
    });
    expect(decideOffer({ ...idle, takeover }, 'online', said(true))).toMatchObject({
      kind: 'ask',
      because: 'driven',
    });
    expect(decideOffer(busy, 'online', said(false))).toEqual({
      kind: 'ask',
      form: 'text',
      because: 'text',
    });
  });

  it('says beforehand that the machine’s own limits forbid keys, and still offers text', () => {
    expect(decideOffer(idle, 'online', said(true, false))).toEqual({
      kind: 'refused',
      reason: ERRORS.takeover_not_allowed.sentence,
    });
    expect(decideOffer(idle, 'online', said(false, false))).toMatchObject({ form: 'text' });
  });

  it('says why it cannot be, in the words of the state table and of the machine', () => {
    expect(decideOffer(idle, 'offline', said(true))).toEqual({
      kind: 'refused',
      reason: ERRORS.runner_offline.sentence,
    });
    expect(decideOffer({ ...idle, state: 'queued' }, 'online', said(true))).toEqual({
      kind: 'refused',
      reason: ERRORS.takeover_too_early.sentence,
    });
  });
});
