import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createRehearsalRepository } from '../../../runner/engines/rehearsal/repository.ts';
import { createLaunchPorts } from '../../../runner/sessions/ports.ts';
import { launchId } from '../../../protocol/ids.ts';
import { aLaunch } from '../../support/protocol-builders.ts';
import {
  aCommand,
  anInstruction,
  aSessionId,
  aStart,
  aTurnId,
} from '../../support/runner-builders.ts';
import { aMachineForEachTest, machine, relay } from '../../support/machine-each-test.ts';

const usage = { do: 'usage', outputTokens: 5, costUsd: 0.01 } as const;
const fast = { retryDelaysMs: [20, 20] };

aMachineForEachTest();

describe('a launch in a checkout of its own', () => {
  test('works on a branch that is brought back after the turn, and leaves the directory alone', async () => {
    const repository = join(machine.root, 'repository');
    await createRehearsalRepository(repository);
    machine.play({
      turns: [
        [
          {
            do: 'bash',
            command: 'echo new > new.txt && git add new.txt && git commit -qm "Add new"',
          },
          usage,
        ],
      ],
    });
    machine.startDaemon(relay);
    const session = aSessionId();
    relay.command(aStart(session, 'Add a file', { directory: repository, checkout: 'own' }));

    const back = await relay.event(session, 'checkout/broughtBack');
    expect(back).toMatchObject({ commits: 1, uncommittedFiles: 0 });
    const log = execFileSync('git', ['-C', repository, 'log', '--format=%s', '-1', back.branch], {
      encoding: 'utf8',
    });
    expect(log.trim()).toBe('Add new');
    expect(readdirSync(repository)).not.toContain('new.txt');
  });

  test('without a directory is a rehearsal in a repository made for it', async () => {
    machine.startDaemon(relay);
    const session = aSessionId();
    relay.command(
      aStart(session, 'Rehearse', { directory: null, checkout: 'own', approvals: 'ask' }),
    );
    const { request } = await relay.event(session, 'approval/requested', () => true, 25_000);
    expect(request.summary).toContain('git push');
    const answer = { decision: 'allow', message: null, answers: null, suggestion: null } as const;
    relay.command(aCommand('session/answer', session, { requestId: request.requestId, answer }));
    expect(await relay.event(session, 'turn/ended', () => true, 25_000)).toMatchObject({
      outcome: 'ok',
      usage: 'recorded',
    });
    expect(relay.ofType(session, 'act/seen').map(({ act }) => act.kind)).toContain('push');
  });

  test('is refused outside a repository, as the command’s result and as a failed launch', async () => {
    machine.startDaemon(relay);
    const session = aSessionId();
    const start = aStart(session, 'go', { directory: machine.work, checkout: 'own' });
    relay.command(start);
    expect(await relay.result(start.id)).toMatchObject({ ok: false, code: 'not_a_repository' });
    const failed = await relay.event(session, 'launch/failed');
    expect(failed).toMatchObject({
      state: 'provider_failed',
      stage: 'queued',
      error: { code: 'workspace_refused' },
    });
    expect(relay.ofType(session, 'turn/delivered').map(({ delivery }) => delivery)).toEqual([
      'received',
      'undelivered',
    ]);
  });
});

describe('the machine’s own limits', () => {
  test('refuse a directory that the cloud says is fine', async () => {
    machine.startDaemon(relay);
    const session = aSessionId();
    const start = aStart(session, 'go', { directory: '/usr' });
    relay.command(start);
    expect(await relay.result(start.id)).toMatchObject({
      ok: false,
      code: 'directory_not_allowed',
    });
    expect(relay.ofType(session, 'launch/staged')).toEqual([]);
  });

  test('refuse to bypass approvals', async () => {
    machine.startDaemon(relay);
    const start = aStart(aSessionId(), 'go', { directory: machine.work, approvals: 'bypass' });
    relay.command(start);
    expect(await relay.result(start.id)).toMatchObject({
      ok: false,
      code: 'approvals_not_allowed',
    });
  });

  test('count for a session that resumes, too', async () => {
    machine.play({ turns: [[{ do: 'text', text: 'done' }, usage]] });
    machine.startDaemon(relay, { timings: { idleMs: 20 } });
    const session = aSessionId();
    relay.command(aStart(session, 'one', { directory: machine.work }));
    await relay.event(session, 'engine/parked');
    machine.limit('directories = []');
    relay.command(anInstruction(session, 'two'));
    expect(await relay.event(session, 'launch/failed')).toMatchObject({
      error: { code: 'workspace_refused' },
    });
    expect(relay.ofType(session, 'turn/started')).toHaveLength(1);
  });
});

describe('an engine that is not there', () => {
  test('or not known is refused by name', async () => {
    machine.startDaemon(relay);
    const start = aStart(aSessionId(), 'go', { directory: machine.work, engineId: 'nothing' });
    relay.command(start);
    expect(await relay.result(start.id)).toMatchObject({ ok: false, code: 'engine_unknown' });
  });

  test('is told as missing, with what to do', async () => {
    machine.startDaemon(relay, {
      ports: withReadiness({
        executable: null,
        ready: false,
        failure: 'engine_missing',
        problem: 'Not installed.',
        remedy: 'Install it.',
      }),
    });
    const session = aSessionId();
    relay.command(aStart(session, 'go', { directory: machine.work }));
    const { error, state } = await relay.event(session, 'launch/failed');
    expect({ error, state }).toEqual({
      error: { code: 'engine_missing', message: 'Not installed. Install it.' },
      state: 'provider_failed',
    });
  });

  test('is not started without a login, which is told within seconds', async () => {
    const ports = withReadiness({
      ready: false,
      credential: null,
      failure: 'auth_missing',
      problem: 'Nobody is logged in.',
      remedy: 'Log in.',
    });
    machine.startDaemon(relay, { ports });
    const session = aSessionId();
    relay.command(aStart(session, 'go', { directory: machine.work }));
    expect(await relay.event(session, 'launch/failed', () => true, 3_000)).toMatchObject({
      error: { code: 'auth_missing' },
    });
    expect(relay.ofType(session, 'launch/staged')).toEqual([]);
  });
});

test('an engine that says in mid-launch that its login is refused is ended at once', async () => {
  machine.play({
    turns: [
      [
        {
          do: 'failure',
          error: 'authentication_failed',
          status: 401,
          retries: 10,
          retryMs: 60_000,
        },
      ],
    ],
  });
  machine.startDaemon(relay);
  const session = aSessionId();
  const turn = aTurnId();
  relay.command(aStart(session, 'go', { directory: machine.work }, turn));
  const failed = await relay.event(session, 'launch/failed', () => true, 5_000);
  expect(failed.state).toBe('provider_failed');
  expect(failed.error.code).toMatch(/^auth_/);
  expect(await relay.event(session, 'engine/exited')).toMatchObject({ expected: true });
});

test('an engine that hangs before its first output ends the launch as stalled, with its last words (L4)', async () => {
  machine.play({ startUp: { hang: true, stderr: 'waiting for the keychain' }, turns: [[usage]] });
  machine.startDaemon(relay, { timings: fast });
  // Read for each session: what is changed here holds for the next one.
  machine.limit(`directories = ["${machine.root}"]\nstart_minutes = 0.025`);
  const session = aSessionId();
  relay.command(aStart(session, 'go', { directory: machine.work }));
  const failed = await relay.event(session, 'launch/failed');
  expect(failed.error.message).toContain('`start_minutes` in limits.toml');
  expect(failed).toMatchObject({
    state: 'bootstrap_stalled',
    stage: 'bootstrap_submitted',
    error: { code: 'no_output' },
    stderrTail: ['waiting for the keychain'],
  });
  expect(failed.elapsedMs).toBeGreaterThanOrEqual(1_500);
  await relay.event(session, 'engine/exited');
});

test('an engine that dies before it accepted an instruction is tried again a bounded number of times, then it is undelivered (D3)', async () => {
  machine.play({ startUp: { exitCode: 7, stderr: 'no such option' }, turns: [[usage]] });
  machine.startDaemon(relay, { timings: fast });
  const session = aSessionId();
  const turn = aTurnId();
  relay.command(aStart(session, 'go', { directory: machine.work }, turn));
  const failed = await relay.event(session, 'launch/failed');
  expect(failed).toMatchObject({
    state: 'failed_to_start',
    error: { code: 'engine_crashed' },
    stderrTail: ['no such option'],
  });
  expect(relay.ofType(session, 'engine/exited')).toHaveLength(3);
  const last = relay.ofType(session, 'turn/delivered').at(-1);
  expect(last).toMatchObject({
    turnId: turn,
    delivery: 'undelivered',
    reason: failed.error.message,
  });
});

test('an instruction survives an engine that fails first and works at the next attempt', async () => {
  machine.play({ startUp: { exitCode: 7 }, turns: [[usage]] });
  machine.startDaemon(relay, { timings: { retryDelaysMs: [500, 500] } });
  const session = aSessionId();
  const turn = aTurnId();
  relay.command(aStart(session, 'go', { directory: machine.work }, turn));
  await relay.event(session, 'engine/exited');
  machine.play({ turns: [[{ do: 'text', text: 'now' }, usage]] });
  expect(await relay.event(session, 'turn/ended')).toMatchObject({ turnId: turn, outcome: 'ok' });
});

test('a failed launch can be launched again, and the same instruction then runs', async () => {
  machine.play({ startUp: { exitCode: 7 }, turns: [[usage]] });
  machine.startDaemon(relay, { timings: { retryDelaysMs: [] } });
  const session = aSessionId();
  const turn = aTurnId();
  relay.command(aStart(session, 'go', { directory: machine.work }, turn));
  await relay.event(session, 'launch/failed');
  machine.play({ turns: [[{ do: 'text', text: 'now' }, usage]] });
  relay.command(aStart(session, 'go', { directory: machine.work }, turn));
  expect(await relay.event(session, 'turn/ended')).toMatchObject({ turnId: turn, outcome: 'ok' });
});

test.each([
  ['conversation', { engineSessionId: '--dangerously-skip-permissions' }],
  ['model', { launch: aLaunch({ model: '--dangerously-skip-permissions' }) }],
])('a %s that reads like an option of the engine starts nothing', async (_what, over) => {
  machine.startDaemon(relay);
  const session = aSessionId();
  const start = aCommand('session/start', session, {
    launch: aLaunch({ directory: machine.work, checkout: 'inPlace' }),
    launchId: launchId.parse('lau_option'),
    engineSessionId: null,
    firstTurn: null,
    ...over,
  });
  relay.command(start);
  expect(await relay.result(start.id)).toMatchObject({ ok: false, code: 'bad_request' });
  expect(relay.events(session)).toEqual([]);
});

test('a launch that failed can be launched again while its engine is still being ended', async () => {
  const refused = { do: 'failure', error: 'authentication_failed', status: 401 } as const;
  machine.play({
    turns: [[{ do: 'bash', command: 'setsid sleep 600 >/dev/null 2>&1 &' }, refused]],
  });
  machine.startDaemon(relay);
  const session = aSessionId();
  relay.command(aStart(session, 'go', { directory: machine.work }));
  await relay.event(session, 'launch/failed');
  machine.play({ turns: [[{ do: 'text', text: 'now' }, usage]] });
  const [turn, again] = [aTurnId(), aTurnId()];
  const start = aStart(session, 'go', { directory: machine.work }, turn);
  const next = anInstruction(session, 'on', again);
  relay.command({ ...start, epoch: 2 });
  relay.command({ ...next, epoch: 2 });
  expect(await relay.result(start.id)).toMatchObject({ ok: true });
  await relay.event(session, 'turn/ended', ({ turnId }) => turnId === again);
});

test('two sessions do not work in one directory at once, nor in one inside the other', async () => {
  machine.play({ turns: [[{ do: 'wait', ms: 60_000 }]] });
  machine.startDaemon(relay);
  const [first, second] = [aSessionId(), aSessionId()];
  relay.command(aStart(first, 'go', { directory: machine.work }));
  await relay.event(first, 'turn/started');
  const rival = aStart(second, 'go', { directory: `${machine.work}/../work` });
  relay.command(rival);
  expect(await relay.result(rival.id)).toMatchObject({ ok: false, code: 'directory_busy' });
  mkdirSync(join(machine.work, 'inside'));
  const inner = aStart(second, 'go', { directory: join(machine.work, 'inside') });
  relay.command(inner);
  expect(await relay.result(inner.id)).toMatchObject({ ok: false, code: 'directory_busy' });

  relay.command(aCommand('session/stop', first, {}));
  await relay.event(first, 'session/ended');
  relay.command(aStart(second, 'go', { directory: machine.work }));
  await relay.event(second, 'turn/started');
});

test('a command with an epoch that another driver has left behind is refused', async () => {
  machine.play({ turns: [[{ do: 'text', text: 'done' }, usage]] });
  machine.startDaemon(relay);
  const session = aSessionId();
  relay.command(aStart(session, 'go', { directory: machine.work }));
  await relay.event(session, 'turn/ended');
  const newer = aCommand(
    'session/instruct',
    session,
    { turnId: aTurnId(), text: 'newer' },
    { epoch: 3 },
  );
  relay.command(newer);
  await relay.result(newer.id);
  const stale = aCommand(
    'session/instruct',
    session,
    { turnId: aTurnId(), text: 'older' },
    { epoch: 2 },
  );
  relay.command(stale);
  expect(await relay.result(stale.id)).toMatchObject({ ok: false, code: 'stale_epoch' });
});

test('a launch into a directory that is gone names it', async () => {
  const gone = join(machine.root, 'gone');
  mkdirSync(gone);
  rmSync(gone, { recursive: true });
  machine.startDaemon(relay);
  const start = aStart(aSessionId(), 'go', { directory: gone });
  relay.command(start);
  const result = await relay.result(start.id);
  expect(result).toMatchObject({ ok: false, code: 'directory_missing' });
  expect(JSON.stringify(result)).toContain(gone);
});

function withReadiness(
  over: Partial<Awaited<ReturnType<ReturnType<typeof createLaunchPorts>['probe']>>>,
) {
  const real = createLaunchPorts(machine.data, machine.env);
  return {
    ...real,
    probe: async (...args: Parameters<typeof real.probe>) => ({
      ...(await real.probe(...args)),
      ...over,
    }),
  };
}
