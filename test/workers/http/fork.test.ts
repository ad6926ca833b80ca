import { beforeEach, describe, expect, it, vi } from 'vitest';
import { ask, codeOf, registerRunner } from '../support/http.ts';
import { MACHINE, PeerRunner } from '../support/peers.ts';
import { until } from '../support/socket.ts';
import { newId } from '../../../workers/lib/crypto.ts';
import { SessionFeed } from '../../../workers/relay/session-feed.ts';
import {
  type Installation,
  type Launched,
  launchOn,
  launchSpecOf,
  readSession,
  readyEvents,
  startOnline,
  text,
  turnEnded,
} from '../support/sessions.ts';

describe('a launch that forks a session', () => {
  let home: Installation;
  beforeEach(async () => {
    home = await startOnline();
  });

  const checkout = (mode: 'own' | 'inPlace') => ({
    type: 'checkout/prepared' as const,
    mode,
    directory: '/work',
    branch: 'pilothouse/x',
    baseCommit: '1'.repeat(40),
    included: [],
    fromUncommitted: false,
  });
  const worked = async (mode: 'own' | 'inPlace' = 'own', over: Record<string, unknown> = {}) => {
    const session = await launchOn(home, { objective: 'Count the masts', ...over });
    await home.peer.stored(session.sessionId, 1, [
      checkout(mode),
      ...readyEvents(session.turnId),
      { ...text('Three.'), turnId: session.turnId } as ReturnType<typeof text>,
      turnEnded(session.turnId),
    ]);
    return session;
  };
  const tryToLaunch = (body: Record<string, unknown>) =>
    ask('POST', '/v1/sessions', {
      bearer: home.cli,
      body: {
        runnerId: home.runner.runnerId,
        engineId: 'rehearsal',
        directory: '/elsewhere',
        objective: 'x',
        ...body,
      },
    });
  /** A second instruction that reaches the machine, by its turn. */
  const sayMore = async ({ sessionId }: Launched): Promise<Launched['turnId']> => {
    const said = await ask('POST', `/v1/sessions/${sessionId}/instructions`, {
      bearer: home.cli,
      body: { text: 'Now the sails' },
    });
    await home.peer.next('command');
    return (said.body as { turnId: Launched['turnId'] }).turnId;
  };
  const refusal = async (body: Record<string, unknown>) => codeOf(await tryToLaunch(body));

  it('is of its repository, told of it, held to the same, and known to it', async () => {
    const policy = { mode: 'none' } as const;
    const before = await worked('own', { policy });
    const fork = { turnId: before.turnId };
    const after = await launchOn(home, {
      from: before.sessionId,
      fork,
      directory: '/elsewhere',
    });
    const spec = launchSpecOf(after);
    expect(spec.directory).toBe(launchSpecOf(before).directory);
    expect(spec.policy?.policy.mode).toBe('none');
    expect(spec.from).toMatchObject({
      sessionId: before.sessionId,
      story: [{ asked: 'Count the masts', answer: 'Three.' }],
      fork: { turnId: before.turnId, number: 1, nextTurnId: null, filesNow: false },
    });
    const { view } = await readSession(home.cli, before.sessionId);
    expect(view.forks).toEqual([{ sessionId: after.sessionId, turnId: before.turnId, number: 1 }]);
    expect(view.state).toBe('idle');
  });

  it('is told nothing of what began after its turn', async () => {
    const before = await worked();
    const later = await sayMore(before);
    await home.peer.stored(before.sessionId, readyEvents(later).length + 4, [
      { type: 'turn/started', turnId: later, origin: 'instruction' },
      { ...text('Nine.'), turnId: later } as ReturnType<typeof text>,
    ]);
    const fork = await launchOn(home, { from: before.sessionId, fork: { turnId: null } });
    const { from } = launchSpecOf(fork);
    expect(from?.story.map(({ asked }) => asked)).toEqual(['Count the masts']);
    // It is at work: the files are those after the turn that is over.
    expect(from?.fork).toMatchObject({ nextTurnId: later, filesNow: false });
  });

  it('is told on the forked session as it was made, though that moved on before it was asked again', async () => {
    const before = await worked();
    const turnId = newId('trn', Date.now());
    const launch = { turnId, from: before.sessionId, fork: { turnId: null } };
    vi.spyOn(SessionFeed.prototype, 'request').mockRejectedValueOnce(new Error('lost on its way'));
    expect((await tryToLaunch(launch)).status).toBe(500);
    vi.restoreAllMocks();
    await home.peer.next('command');
    const later = await sayMore(before);
    await home.peer.stored(before.sessionId, readyEvents(later).length + 4, [
      { type: 'turn/started', turnId: later, origin: 'instruction' },
      turnEnded(later),
    ]);
    expect((await tryToLaunch(launch)).status).toBeLessThan(300);
    const { view } = await readSession(home.cli, before.sessionId);
    expect(view.forks).toMatchObject([{ turnId: before.turnId, number: 1 }]);
  });

  it('is refused where the runner of its machine would begin without it', async () => {
    const before = await worked();
    const { forks: _forks, ...older } = MACHINE;
    home.peer.send({ type: 'machine', machine: older });
    const fork = { turnId: null };
    await until(
      async () => (await refusal({ from: before.sessionId, fork })) === 'fork_unavailable',
      'the refusal',
    );
    const { view } = await readSession(home.cli, before.sessionId);
    expect(view.forks).toBeUndefined();
  });

  it('is refused where there is nothing to fork', async () => {
    const fork = { turnId: null };
    const [own, inPlace] = [await worked(), await worked('inPlace')];
    const queued = await launchOn(home);
    expect(await refusal({ from: queued.sessionId, fork })).toBe('fork_unavailable');
    expect(await refusal({ from: inPlace.sessionId, fork })).toBe('fork_unavailable');
    expect(await refusal({ from: own.sessionId, fork, checkout: 'inPlace' })).toBe(
      'fork_unavailable',
    );
    const other = { turnId: inPlace.turnId };
    expect(await refusal({ from: own.sessionId, fork: other })).toBe('fork_unavailable');
    expect(await refusal({ fork })).toBe('bad_request');
    const runner = await registerRunner();
    await PeerRunner.online(runner);
    expect(await refusal({ from: own.sessionId, fork, runnerId: runner.runnerId })).toBe(
      'fork_unavailable',
    );
  });
});
