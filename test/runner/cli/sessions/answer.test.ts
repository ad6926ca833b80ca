import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ApprovalRequest } from '../../../../protocol/approval.ts';
import { requestId } from '../../../../protocol/ids.ts';
import { EXIT } from '../../../../runner/failure.ts';
import { jsonOf, runOn } from '../../../support/command-line.ts';
import { aRunner, FakeCloud } from '../../../support/fake-cloud.ts';
import { FakeSession } from '../../../support/fake-session.ts';
import { accepted, anApproval, aQuestion, running } from '../../../support/transcript-events.ts';
import { created, SESSION } from '../../../support/protocol-builders.ts';

let cloud: FakeCloud;
beforeEach(async () => {
  cloud = await FakeCloud.listen();
});
afterEach(() => cloud.close());

const waitingFor = (...requests: ApprovalRequest[]) =>
  cloud.addSession(
    new FakeSession(SESSION, aRunner('run_1', 'laptop')),
    created(),
    accepted(),
    ...running(),
    ...requests.map((request) => ({ type: 'approval/requested' as const, request })),
  );
const OTHER = anApproval({ requestId: requestId.parse('apr_other'), summary: 'rm -rf build' });
const answer = (...args: string[]) => runOn(cloud, 'sessions', ...args);

describe('pilothouse sessions approve', () => {
  it('allows the one thing that waits and says what it was', async () => {
    waitingFor(anApproval());
    const { exitCode, stdout } = await answer('approve', SESSION);
    expect({ exitCode, stdout }).toEqual({
      exitCode: EXIT.ok,
      stdout: 'Allowed: git push origin main\n',
    });
    expect(cloud.requests('POST')).toEqual([
      {
        path: `/v1/sessions/${SESSION}/approvals/apr_test1`,
        body: { decision: 'allow', message: null, answers: null, suggestion: null },
      },
    ]);
  });

  it('answers a question in words', async () => {
    waitingFor(aQuestion('Which database?'));
    await answer('approve', SESSION, '--answer', 'Use SQLite, please');
    expect(cloud.requests('POST')[0]?.body).toMatchObject({
      decision: 'allow',
      answers: { 'Which database?': 'Use SQLite, please' },
    });
  });

  it('answers several questions in their order', async () => {
    waitingFor(aQuestion('Which?', 'When?'));
    await answer('approve', SESSION, '--answer', 'A', 'Now');
    expect(cloud.requests('POST')[0]?.body).toMatchObject({
      answers: { 'Which?': 'A', 'When?': 'Now' },
    });
  });

  it('sends nothing when the answers do not match the questions', async () => {
    waitingFor(aQuestion('Which?', 'When?'));
    const { exitCode, stderr } = await answer('approve', SESSION, '--answer', 'A');
    expect(exitCode).toBe(EXIT.usage);
    expect(stderr).toMatch(/^2 questions wait, and 1 answers were given\./);
    expect(cloud.requests('POST')).toEqual([]);
  });

  it('never guesses between two, and lists them', async () => {
    waitingFor(anApproval(), OTHER);
    const { exitCode, stderr } = await answer('approve', SESSION);
    expect(exitCode).toBe(EXIT.refused);
    expect(stderr).toBe(
      'More than one approval waits; say which:\n  apr_test1  git push origin main\n  apr_other  rm -rf build\n',
    );
    expect(cloud.requests('POST')).toEqual([]);
  });

  it('takes the one whose id is given', async () => {
    waitingFor(anApproval(), OTHER);
    expect((await answer('approve', SESSION, 'apr_other')).stdout).toBe('Allowed: rm -rf build\n');
  });

  it('asks the cloud about an id that does not wait: it knows whether it expired', async () => {
    waitingFor();
    const { exitCode, stderr } = await answer('approve', SESSION, 'apr_gone');
    expect(exitCode).toBe(EXIT.refused);
    expect(stderr).toMatch(/^This approval has expired/);
    expect(cloud.requests('POST')).toHaveLength(1);
  });

  it('gives a program what was decided', async () => {
    waitingFor(anApproval());
    expect(await jsonOf(cloud, 'sessions', 'approve', SESSION)).toEqual({
      sessionId: SESSION,
      requestId: 'apr_test1',
      decision: 'allow',
      accepted: true,
    });
  });
});

describe('pilothouse sessions deny', () => {
  it('passes the reason on to the engine', async () => {
    waitingFor(anApproval());
    const denied = await answer('deny', SESSION, '--message', 'Open a pull request instead');
    expect(denied.stdout).toBe('Denied: git push origin main\n');
    expect(cloud.requests('POST')[0]?.body).toMatchObject({
      decision: 'deny',
      message: 'Open a pull request instead',
    });
  });

  it('says that nothing waits, without asking for anything', async () => {
    waitingFor();
    const { exitCode, stderr } = await answer('deny', SESSION);
    expect({ exitCode, stderr }).toEqual({
      exitCode: EXIT.refused,
      stderr: 'Nothing of this session waits for an answer.\n',
    });
    expect(cloud.requests('POST')).toEqual([]);
  });

  it.each([
    ['approval_answered', EXIT.refused],
    ['approval_expired', EXIT.refused],
    ['runner_offline', EXIT.unreachable],
  ] as const)('ends with the refusal %s', async (code, exitCode) => {
    waitingFor(anApproval());
    cloud.refuse(/approvals/, code);
    const ended = await answer('deny', SESSION, '--json');
    expect(ended.exitCode).toBe(exitCode);
    expect(JSON.parse(ended.stdout)).toMatchObject({ error: { code } });
  });
});
