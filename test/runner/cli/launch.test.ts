import { mkdtempSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { beforeEach, afterEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { launched, type LaunchRequest } from '../../../protocol/http.ts';
import { commandId, sessionId } from '../../../protocol/ids.ts';
import { createApi } from '../../../runner/cli/api.ts';
import { awaitLaunch } from '../../../runner/cli/await-launch.ts';
import { EXIT } from '../../../runner/failure.ts';
import { FakeSession } from '../../support/fake-session.ts';
import { jsonOf, runOn } from '../../support/command-line.ts';
import { aRunner, FakeCloud } from '../../support/fake-cloud.ts';
import { accepted, ended, launchFailed, running, said } from '../../support/transcript-events.ts';
import { checkoutPrepared } from '../../support/feed-events.ts';
import { aUsage, created } from '../../support/protocol-builders.ts';

let cloud: FakeCloud;
beforeEach(async () => {
  cloud = await FakeCloud.listen();
  cloud.runners.push(aRunner('run_1', 'laptop', { engines: ['claude', 'rehearsal'] }));
});
afterEach(() => cloud.close());

/** The launch that the cloud was asked for. */
const asked = () => cloud.requests('POST')[0]?.body as LaunchRequest;

it('a launch with a limit that cannot be kept is refused before it is made', async () => {
  const models = ['gpt-5.5'];
  for (const engine of cloud.runners[0]?.machine?.engines ?? [])
    engine.budget = { kind: 'estimated', models, ownModel: null, namesModel: false };
  const refused = await runOn(cloud, 'launch', '--budget', '5', 'go');
  expect(refused.exitCode).toBe(EXIT.refused);
  expect(refused.stderr).toContain('does not say which model it chooses');
  expect(cloud.requests('POST')).toEqual([]);
  const { exitCode } = await runOn(cloud, 'launch', '--budget', '5', '--model', 'gpt-5.5', 'go');
  expect(exitCode).toBe(EXIT.ok);
});

it('a limit is refused in the approvals mode that tells no cost, and taken in another', async () => {
  for (const engine of cloud.runners[0]?.machine?.engines ?? [])
    Object.assign(engine, { budget: { kind: 'reported' }, unmetered: ['ask'] });
  const refused = await runOn(cloud, 'launch', '--budget', '5', 'go');
  expect(refused.exitCode).toBe(EXIT.refused);
  expect(refused.stderr).toContain('in this approvals mode');
  const taken = await runOn(cloud, 'launch', '--budget', '5', '--approvals', 'plan', 'go');
  expect(taken.exitCode).toBe(EXIT.ok);
});

describe('a launch with images', () => {
  const png = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  const file = join(mkdtempSync(join(tmpdir(), 'launch-images-')), 'rig.png');
  writeFileSync(file, png);

  it('holds each of them first, and names them with what is to be done', async () => {
    for (const { machine } of cloud.runners) Object.assign(machine ?? {}, { images: true });
    cloud.garble(/\/v1\/launches\//, JSON.stringify({ image: null }));
    const done = await runOn(cloud, 'launch', '--image', file, `--image=${file}`, 'look');
    expect(done.exitCode).toBe(EXIT.ok);
    const [first, second, made] = cloud.requests('POST');
    const [, under, id] = /launches\/(\w+)\/images\/(\w+)$/.exec(first?.path ?? '') ?? [];
    const other = /images\/(\w+)$/.exec(second?.path ?? '')?.[1];
    expect(made).toMatchObject({
      path: '/v1/sessions',
      body: { objective: 'look', images: { under, imageIds: [id, other] } },
    });
  });

  it.each([
    ['on a machine that takes none', {}, file, 'older than images with instructions'],
    ['that are none', { images: true }, import.meta.filename, 'This is no PNG'],
  ])('%s is refused before anything is sent', async (_, facts, image, words) => {
    for (const { machine } of cloud.runners) Object.assign(machine ?? {}, facts);
    const { exitCode, stderr } = await runOn(cloud, 'launch', '--image', image, 'look');
    expect([exitCode, stderr]).toEqual([EXIT.refused, expect.stringContaining(words)]);
    expect(cloud.requests('POST')).toEqual([]);
  });
});

describe('a launch that goes on from another session', () => {
  const BEFORE = sessionId.parse('ses_01kbefore00000000000aa');
  beforeEach(() => {
    const old = new FakeSession(BEFORE, aRunner('run_2', 'desk'));
    cloud.addSession(
      old,
      created({ engineId: 'rehearsal' }),
      accepted(),
      checkoutPrepared(),
      ...running(),
    );
  });

  it('names it by a part of its id, with its engine, and says what does not come along', async () => {
    const { stdout } = await runOn(cloud, 'launch', '--from', 'before', 'Finish it');
    expect(asked()).toMatchObject({ from: BEFORE, engineId: 'rehearsal', objective: 'Finish it' });
    expect(stdout).toContain(`Briefed, not resumed: its engine is told the record of ${BEFORE}.`);
    expect(stdout).toMatch(/push pilothouse\/\S+ from desk to have them here/);
  });

  it('takes another engine where that is asked for, or where its own is not there', async () => {
    await runOn(cloud, 'launch', '--from', BEFORE, '--engine', 'claude', 'go');
    expect(asked()).toMatchObject({ from: BEFORE, engineId: 'claude' });
  });

  it('is not made where there is no such session', async () => {
    const { exitCode, stderr } = await runOn(cloud, 'launch', '--from', 'nowhere', 'go');
    expect(exitCode).toBe(EXIT.refused);
    expect(stderr).toContain('No session has this id');
    expect(cloud.requests('POST')).toEqual([]);
  });
});

describe('what a launch asks for', () => {
  it('is in the home directory where the shell left a `~` as it was', async () => {
    await runOn(cloud, 'launch', '--dir=~/site', 'go');
    expect(asked().directory).toBe(join(homedir(), 'site'));
  });

  it('is an own checkout of this directory with the first ready engine, asking before it acts', async () => {
    const { exitCode } = await runOn(cloud, 'launch', 'Fix the test');
    expect(exitCode).toBe(EXIT.ok);
    expect(asked()).toEqual({
      runnerId: 'run_1',
      engineId: 'claude',
      directory: process.cwd(),
      objective: 'Fix the test',
      checkout: 'own',
      baseRef: null,
      fromUncommitted: false,
      approvals: 'ask',
      model: null,
      conversation: null,
      budgetMicroUsd: null,
      limits: null,
      noOutputMs: 900_000,
      answerMs: 86_400_000,
      grade: null,
      pilot: null,
    });
  });

  it.each([
    [['--engine', 'codex'], { engineId: 'codex' }],
    [['--directory', '/srv/site'], { directory: '/srv/site' }],
    [['--dir', '/srv/site'], { directory: '/srv/site' }],
    [['--dir', 'sub/../other'], { directory: resolve('other') }],
    [['--in-place'], { checkout: 'inPlace' }],
    [['--base', 'release/2'], { baseRef: 'release/2' }],
    [['--uncommitted'], { fromUncommitted: true }],
    [['--approvals', 'plan'], { approvals: 'plan' }],
    [['--approvals', 'bypass'], { approvals: 'bypass' }],
    [['--model', 'opus'], { model: 'opus' }],
    [['--conversation', 'c-1'], { conversation: 'c-1', checkout: 'inPlace' }],
    [['--budget', '2.5'], { budgetMicroUsd: 2_500_000 }],
    [['--budget', '$0.000001'], { budgetMicroUsd: 1 }],
    [['--silence', '45'], { noOutputMs: 2_700_000 }],
    [['--silence', '0.5'], { noOutputMs: 30_000 }],
    [['--answer-within', '0.5'], { answerMs: 1_800_000 }],
  ])('changes with %j', async (options, expected) => {
    await runOn(cloud, 'launch', ...options, 'Go');
    expect(asked()).toMatchObject(expected);
  });

  it.each(['0', '0.001', '1441', 'soon', '-1'])('is no silence of %s minutes', async (silence) => {
    const { exitCode } = await runOn(cloud, 'launch', `--silence=${silence}`, 'Go');
    expect(exitCode).toBe(EXIT.usage);
    expect(cloud.requests('POST')).toEqual([]);
  });

  it.each(['0', '721', 'soon', '-1'])('is no wait of %s hours for an answer', async (hours) => {
    const { exitCode } = await runOn(cloud, 'launch', `--answer-within=${hours}`, 'Go');
    expect(exitCode).toBe(EXIT.usage);
    expect(cloud.requests('POST')).toEqual([]);
  });

  it('lets an approval wait no longer than the machine allows, where nobody says', async () => {
    const limits = cloud.runners[0]?.machine?.limits;
    if (limits) limits.answerMaxMs = 7_200_000;
    await runOn(cloud, 'launch', 'Go');
    expect(asked().answerMs).toBe(7_200_000);
  });

  it('waits no longer for a silent engine than the machine allows, where nobody says', async () => {
    const limits = cloud.runners[0]?.machine?.limits;
    if (limits) limits.noOutputMaxMs = 60_000;
    await runOn(cloud, 'launch', 'Go');
    expect(asked().noOutputMs).toBe(60_000);
  });

  it('leaves the rehearsal to make its own repository, unless one is named', async () => {
    await runOn(cloud, 'launch', '--engine', 'rehearsal', 'Show me');
    expect(asked().directory).toBeNull();
    await runOn(cloud, 'launch', '--engine', 'rehearsal', '--dir', '/srv/site', 'Show me');
    expect(cloud.requests('POST')[1]?.body).toMatchObject({ directory: '/srv/site' });
  });

  it('keeps the words of the objective as they were typed', async () => {
    const objective = ' "quoted" – ünïcode $HOME `id`\n\ttwo lines ';
    await runOn(cloud, 'launch', objective);
    expect(asked().objective).toBe(objective);
  });

  it('makes no Pilot with all of a person’s power that nobody chose', async () => {
    const file = join(mkdtempSync(join(tmpdir(), 'pilothouse-checks-')), 'done.yaml');
    writeFileSync(file, 'steps:\n  - title: Tests\n    check: npm test\n');
    const pilot = ['--in-place', '--mode', 'pilot', '--checklist', file];
    const refused = await runOn(cloud, 'launch', ...pilot, 'Go');
    expect(refused.exitCode).toBe(EXIT.refused);
    expect(refused.stderr).toContain('`--grade open`');
    expect(cloud.requests('POST')).toEqual([]);
    await runOn(cloud, 'launch', ...pilot, '--grade', 'open', 'Go');
    expect(asked()).toMatchObject({ checkout: 'inPlace', grade: 'open', pilot: { mode: 'pilot' } });
  });

  it('takes the machine by its name', async () => {
    cloud.runners.push(aRunner('run_2', 'server', { engines: ['claude'] }));
    await runOn(cloud, 'launch', '--runner', 'server', 'Go');
    expect(asked().runnerId).toBe('run_2');
  });
});

describe('what a launch says', () => {
  it('is the session, the machine, how much power it holds and why, its page and how to watch it', async () => {
    const { stdout } = await runOn(cloud, 'launch', 'Go');
    const [id] = cloud.sessions.keys();
    expect(stdout).toBe(
      `Launched ${id} on laptop.\n  sealed: This machine can seal sessions, and no other grade was asked for.\n  ${cloud.url}/sessions/${id}\n  pilothouse watch ${id}\n`,
    );
  });

  it('is that a machine which is away starts it later', async () => {
    cloud.runners.splice(0, 1, aRunner('run_1', 'laptop', { presence: 'unknown' }));
    const { stdout } = await runOn(cloud, 'launch', '--engine', 'claude', 'Go');
    expect(stdout).toContain('The machine is not online; the session starts when it is.');
  });

  it('is ids and the page for a program', async () => {
    const answer = launched
      .extend({ url: z.url(), begun: z.literal(true) })
      .parse(await jsonOf(cloud, 'launch', 'Go'));
    expect(answer.url).toBe(`${cloud.url}/sessions/${answer.sessionId}`);
  });
});

describe('a launch that cannot be', () => {
  it('names the machines when there are several and none is chosen', async () => {
    cloud.runners.push(aRunner('run_2', 'server'));
    const { exitCode, stderr } = await runOn(cloud, 'launch', 'Go');
    expect(exitCode).toBe(EXIT.refused);
    expect(stderr).toBe(
      'Say on which machine with --runner. Machines: laptop (run_1), server (run_2).\n',
    );
  });

  it('says that no machine is there', async () => {
    cloud.runners.length = 0;
    const { exitCode, stderr } = await runOn(cloud, 'launch', 'Go');
    expect(exitCode).toBe(EXIT.refused);
    expect(stderr).toMatch(/Machines: none\.$/m);
  });

  it('says that no engine is ready, before it asks for anything', async () => {
    cloud.runners.splice(0, 1, aRunner('run_1', 'laptop', { engines: ['rehearsal'] }));
    const { exitCode, stderr } = await runOn(cloud, 'launch', 'Go');
    expect(exitCode).toBe(EXIT.refused);
    expect(stderr).toMatch(/^No engine is ready on laptop\./);
    expect(cloud.requests('POST')).toEqual([]);
  });

  it.each([
    ['directory_not_allowed', EXIT.refused],
    ['engine_not_allowed', EXIT.refused],
    ['runner_offline', EXIT.unreachable],
    ['internal', EXIT.failed],
  ] as const)('ends with %s as the cloud says it', async (code, exitCode) => {
    cloud.refuse(/^\/v1\/sessions$/, code, `About ${code}.`);
    expect(await runOn(cloud, 'launch', 'Go')).toEqual({
      exitCode,
      stdout: '',
      stderr: `About ${code}.\n`,
    });
  });
});

describe('a launch that the machine refuses', () => {
  const refuse = (session: FakeSession) =>
    void session.append([
      {
        type: 'command/failed',
        commandId: commandId.parse('cmd_1'),
        method: 'session/start',
        turnId: session.view.turns[0]?.turnId ?? null,
        code: 'engine_not_allowed',
        message: 'Not this engine.',
      },
    ]);

  it('ends with 4 and the machine’s own reason', async () => {
    cloud.afterLaunch = refuse;
    const ended = await runOn(cloud, 'launch', 'Go');
    const [id] = cloud.sessions.keys();
    expect(ended).toEqual({
      exitCode: EXIT.refused,
      stdout: '',
      stderr: `The machine refused ${id}: Not this engine.\n`,
    });
  });

  it.each([['--json'], ['--json', '--wait']])('tells a program so with %j', async (...options) => {
    cloud.afterLaunch = refuse;
    const { exitCode, stdout } = await runOn(cloud, 'launch', ...options.flat(), 'Go');
    expect(exitCode).toBe(EXIT.refused);
    expect(JSON.parse(stdout)).toMatchObject({ error: { code: 'engine_not_allowed' } });
  });

  it('ends with 4 for one that shows the work too, told once', async () => {
    cloud.afterLaunch = (session) => void session.append([launchFailed()]);
    const { exitCode, stdout, stderr } = await runOn(cloud, 'launch', '--wait', 'Go');
    expect({ exitCode, stderr }).toEqual({ exitCode: EXIT.refused, stderr: '' });
    expect(stdout).toContain('The launch failed (workspace_refused)');
  });

  it('is heard as soon as it is said, not only when it comes with the launch', async () => {
    cloud.afterLaunch = (session) =>
      void setTimeout(() => cloud.append(session, launchFailed()), 300);
    expect((await runOn(cloud, 'launch', 'Go')).exitCode).toBe(EXIT.refused);
  });

  it('is not claimed of a machine that says nothing: the launch stays queued', async () => {
    cloud.afterLaunch = () => undefined;
    const api = createApi(cloud.url, cloud.token);
    const launched = await api.launch({
      runnerId: cloud.runners[0]?.runnerId as LaunchRequest['runnerId'],
      engineId: 'claude',
      directory: '/srv',
      objective: 'Go',
    });
    const connection = { api, url: cloud.url, token: cloud.token, localRunnerId: null };
    expect(await awaitLaunch(connection, launched.sessionId, 200)).toBe(false);
  });
});

describe('a launch that is waited for', () => {
  it('shows the work, and ends with 0 when the turn is ok', async () => {
    cloud.afterLaunch = (session) => {
      const { turnId = null } = session.view.turns[0] ?? {};
      if (!turnId) throw new Error('no turn');
      session.append([...running(turnId), said('Done.', { turnId }), ended({ turnId })]);
    };
    const { exitCode, stdout } = await runOn(cloud, 'launch', '--wait', 'Go');
    expect(exitCode).toBe(EXIT.ok);
    expect(stdout).toBe(
      '› Go\nEngine ready · 2.1 · opus\nDone.\n── turn 1 ok · 2.0 s · no usage recorded · 0 acts\n\n',
    );
  });

  it('gives a program one object at the end, with spend by provenance and acts', async () => {
    cloud.afterLaunch = (session) => {
      const turnId = session.view.turns[0]?.turnId;
      if (!turnId) throw new Error('no turn');
      const entries = [aUsage(), aUsage({ provenance: 'estimated', microUsd: null })];
      session.append([...running(turnId), { type: 'usage/recorded', turnId, entries }]);
      session.append([ended({ turnId })]);
    };
    expect(await jsonOf(cloud, 'launch', '--wait', 'Go')).toMatchObject({
      outcome: 'ok',
      reason: null,
      spend: { reported: { microUsd: 1560 }, estimated: { entries: 1, unpriced: 1 } },
      acts: 0,
    });
  });

  it('ends with 1 and the reason when the launch fails after it began', async () => {
    const failed = launchFailed({ stage: 'bootstrap_submitted' });
    cloud.afterLaunch = (session) => void session.append([failed]);
    const { exitCode, stdout, stderr } = await runOn(cloud, 'launch', '--wait', 'Go');
    expect({ exitCode, stderr }).toEqual({ exitCode: EXIT.failed, stderr: '' });
    expect(stdout).toContain(
      'The launch failed (workspace_refused): The directory is not there.\n',
    );
  });

  it.each(['failed', 'killed', 'interrupted', 'unknown'] as const)(
    'ends with 1 when the turn is %s',
    async (outcome) => {
      cloud.afterLaunch = (session) => {
        const turnId = session.view.turns[0]?.turnId;
        if (turnId) session.append([...running(turnId), ended({ turnId, outcome })]);
      };
      const { exitCode, stdout } = await runOn(cloud, 'launch', '--wait', '--json', 'Go');
      expect(exitCode).toBe(EXIT.failed);
      expect(JSON.parse(stdout)).toMatchObject({ outcome });
    },
  );
});
