import { describe, expect, it } from 'vitest';
import { createRedactor } from '../../../runner/guard/redact.ts';
import { PilothouseError } from '../../../protocol/errors.ts';
import { DEFAULT_POLICY } from '../../../protocol/merge-policy.ts';
import {
  openGateSession,
  type GatePush,
  type GateRoom,
} from '../../../runner/gate/gate-session.ts';
import type { PushCommand, RefFacts } from '../../../runner/gate/policy.ts';
import { SESSION } from '../guard/repositories.ts';

const ZERO = '0'.repeat(40);
const push: PushCommand = { ref: 'refs/heads/feature', before: ZERO, after: 'a'.repeat(40) };
const facts: RefFacts = { own: false, forward: false, changes: { known: true, paths: [] } };

/** A gate whose forge takes everything, and what it was asked and told. */
function aGate(over: Partial<GateRoom> = {}, read: () => Promise<RefFacts> = async () => facts) {
  const told: GatePush[] = [];
  const logged: string[] = [];
  let forwarded = 0;
  const quarantine = {
    defaultBranch: 'main',
    readFacts: read,
    objects: {
      measure: () => Promise.resolve(0),
      takeIn: () => Promise.resolve({ bytes: 0, missing: [], program: true }),
      passOn: () => Promise.resolve(null),
    },
    forgetObjects: () => Promise.resolve(),
    forward: (commands: readonly PushCommand[]) => {
      forwarded += commands.length;
      return Promise.resolve(new Map(commands.map(({ ref }) => [ref, { kind: 'done' as const }])));
    },
  };
  const session = openGateSession({
    sessionId: SESSION,
    quarantine: quarantine as unknown as GateRoom['quarantine'],
    limits: () => null,
    pushes: () => ({
      policyOf: () => DEFAULT_POLICY,
      pushed: (_session, each) => void told.push(each),
      waiting: () => [],
      redactorOf: nothingSecret,
    }),
    forges: () => ({ forges: [], env: {} }),
    now: Date.now,
    log: (_level, message) => void logged.push(message),
    ...over,
  });
  return { session, told, logged, forwarded: () => forwarded };
}

const nothingSecret = async () => createRedactor([]);

describe('the gate of a session', () => {
  it('passes on what the policy allows, and has it on record before it answers', async () => {
    const { session, told, forwarded } = aGate();
    expect(await session.decide([push])).toMatchObject([{ outcome: 'done', by: 'forge' }]);
    expect(forwarded()).toBe(1);
    expect(told).toMatchObject([{ outcomes: [{ ref: push.ref, kind: 'push', outcome: 'done' }] }]);
  });

  it.each<[string, Partial<GateRoom>, RegExp]>([
    ['nobody knows the sessions', { pushes: () => null }, /policy cannot be read/],
    [
      'the session is not known',
      {
        pushes: () => ({
          policyOf: () => null,
          pushed: () => undefined,
          waiting: () => [],
          redactorOf: nothingSecret,
        }),
      },
      /policy cannot be read/,
    ],
    [
      'the limits cannot be read',
      {
        limits: () => {
          throw new PilothouseError('limits_unreadable', { detail: 'line 3' });
        },
      },
      /line 3/,
    ],
  ])('passes nothing on where %s, and says so', async (_name, over, reason) => {
    const { session, forwarded } = aGate(over);
    const [outcome] = await session.decide([push]);
    expect(outcome).toMatchObject({ outcome: 'not_done', by: 'policy' });
    expect(outcome?.reason).toMatch(reason);
    expect(forwarded()).toBe(0);
  });

  it('passes nothing on that git cannot look at', async () => {
    const { session, forwarded, told } = aGate({}, () => Promise.reject(new Error('git is old')));
    const [outcome] = await session.decide([push]);
    expect(outcome?.reason).toBe('it could not be judged, and so is refused: git is old');
    expect(forwarded()).toBe(0);
    expect(told).toHaveLength(1);
  });

  it('tells the session the truth where its record cannot be written', async () => {
    const pushes = () => ({
      policyOf: () => DEFAULT_POLICY,
      pushed: () => {
        throw new Error('disk full');
      },
      waiting: () => [],
      redactorOf: nothingSecret,
    });
    const { session, logged } = aGate({ pushes });
    expect(await session.decide([push])).toMatchObject([{ outcome: 'done' }]);
    expect(logged).toContain('a push could not be put on record');
  });
});
