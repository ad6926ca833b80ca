import type { Breach } from '../../protocol/breach.ts';
import type { EventOf } from '../../protocol/engine-event.ts';
import { actId, LOCAL_ACTOR } from '../../protocol/ids.ts';

const OLD = '1'.repeat(40);
const NEW = '2'.repeat(40);

/** A push to main that the policy forbids, as the refs showed it. */
export const aBreach = (over: Partial<Breach> = {}): Breach => ({
  actId: actId.parse('act_1'),
  turnId: null,
  kind: 'merge',
  seenBy: 'git',
  command: 'git push origin HEAD:main',
  move: { place: 'origin', ref: 'refs/heads/main', before: OLD, after: NEW },
  rule: 'The policy of the session forbids it: main is protected.',
  undo: {
    directory: '/srv/work',
    commands: [
      'git fetch origin',
      `git push --force-with-lease=refs/heads/main:${NEW} origin ${OLD}:refs/heads/main`,
    ],
    note: 'Where the forge refuses a forced push, revert.',
  },
  ...over,
});

export const breachFound = (over: Partial<Breach> = {}): EventOf<'breach/found'> => ({
  type: 'breach/found',
  breach: aBreach(over),
});

export const halted: EventOf<'session/halted'> = {
  type: 'session/halted',
  reason: 'breach',
  message: 'Its policy forbids what it did: merge, main on origin.',
};

export const overridden = (reason = 'reverted by hand'): EventOf<'breach/overridden'> => ({
  type: 'breach/overridden',
  actId: actId.parse('act_1'),
  reason,
  actorId: LOCAL_ACTOR,
  channel: 'cli',
});
