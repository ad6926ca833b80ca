import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { FeedEvent } from '../../../../protocol/engine-event.ts';
import { instructed } from '../../../../protocol/http.ts';
import { EXIT } from '../../../../runner/failure.ts';
import { jsonOf, runOn } from '../../../support/command-line.ts';
import { aRunner, FakeCloud } from '../../../support/fake-cloud.ts';
import { FakeSession } from '../../../support/fake-session.ts';
import {
  accepted,
  ended,
  running,
  said,
  launchFailed,
  sessionEnded,
} from '../../../support/transcript-events.ts';
import { created, SESSION } from '../../../support/protocol-builders.ts';

let cloud: FakeCloud;
beforeEach(async () => {
  cloud = await FakeCloud.listen();
});
afterEach(() => cloud.close());

const add = (...events: FeedEvent[]) =>
  cloud.addSession(
    new FakeSession(SESSION, aRunner('run_1', 'laptop')),
    created(),
    accepted(),
    ...events,
  );

describe('pilothouse sessions say', () => {
  it('sends the words and says under which turn they were accepted', async () => {
    add(...running());
    const { exitCode, stdout } = await runOn(cloud, 'sessions', 'say', SESSION, 'Now the test');
    expect({ exitCode, stdout }).toEqual({ exitCode: EXIT.ok, stdout: 'Accepted as trn_said2.\n' });
    expect(cloud.requests('POST')).toEqual([
      { path: `/v1/sessions/${SESSION}/instructions`, body: { text: 'Now the test' } },
    ]);
  });

  it('asks with --steer for the turn under way', async () => {
    add(...running());
    await runOn(cloud, 'sessions', 'say', SESSION, '--steer', 'Rather that');
    expect(cloud.requests('POST')).toMatchObject([{ body: { text: 'Rather that', steer: true } }]);
  });

  it('gives a program the ids', async () => {
    add(...running());
    const answer = await jsonOf(cloud, 'sessions', 'say', SESSION, 'Go');
    expect(instructed.parse(answer).turnId).toBe('trn_said2');
    expect(answer).toMatchObject({ sessionId: SESSION });
  });

  it('waits for its own turn, and not for the one before it', async () => {
    const session = add(...running());
    cloud.afterInstruct = () => {
      const turnId = session.view.turns.at(-1)?.turnId;
      if (!turnId) throw new Error('no turn');
      cloud.append(session, ended({ outcome: 'failed' }));
      cloud.append(session, ...running(turnId), said('Second.', { turnId }), ended({ turnId }));
    };
    const { exitCode, stdout } = await runOn(cloud, 'sessions', 'say', SESSION, '--wait', 'Again');
    expect(exitCode).toBe(EXIT.ok);
    expect(stdout).toMatch(/── turn 1 failed[\s\S]*› Again|› Again[\s\S]*── turn 1 failed/);
    expect(stdout).toMatch(/Second\.\n── turn 2 ok · /);
  });

  it('ends with 1 when the instruction cannot be delivered, with the reason for a program', async () => {
    const session = add(...running());
    cloud.afterInstruct = () => {
      const turnId = session.view.turns.at(-1)?.turnId;
      if (!turnId) throw new Error('no turn');
      const reason = 'The engine is gone.';
      session.append([{ type: 'turn/delivered', turnId, delivery: 'undelivered', reason }]);
    };
    const { exitCode, stdout } = await runOn(
      cloud,
      'sessions',
      'say',
      SESSION,
      '--wait',
      '--json',
      'Go',
    );
    expect(exitCode).toBe(EXIT.failed);
    expect(JSON.parse(stdout)).toMatchObject({
      outcome: 'failed',
      reason: 'The engine is gone.',
      spend: {},
    });
  });

  it('is refused by a session that has ended, in the table’s own sentence', async () => {
    add(sessionEnded());
    const { exitCode, stderr } = await runOn(cloud, 'sessions', 'say', SESSION, 'Go');
    expect(exitCode).toBe(EXIT.refused);
    expect(stderr).toBe('The session has ended. Use Retry to continue the same conversation.\n');
  });

  it('sends nothing but words: an empty instruction never leaves', async () => {
    add(...running());
    const { exitCode } = await runOn(cloud, 'sessions', 'say', SESSION);
    expect(exitCode).toBe(EXIT.usage);
    expect(cloud.asked).toEqual([]);
  });
});

describe('pilothouse sessions interrupt, stop and retry', () => {
  it.each([
    ['interrupt', 'Interrupting', running()],
    ['stop', 'Stopping', running()],
    ['retry', 'Starting again', [sessionEnded()]],
    ['dismiss', 'Dismissed', [launchFailed()]],
    ['restore', 'Needs you again:', [launchFailed()]],
  ] as const)('%s asks for it once and says so', async (action, done, events) => {
    const session = add(...events);
    const { exitCode, stdout } = await runOn(cloud, 'sessions', action, SESSION);
    expect({ exitCode, stdout }).toEqual({ exitCode: EXIT.ok, stdout: `${done} ${SESSION}.\n` });
    expect(session.entries.at(-1)?.event).toMatchObject({ type: 'action/requested', action });
    expect(cloud.requests('POST')).toEqual([
      { path: `/v1/sessions/${SESSION}/${action}`, body: {} },
    ]);
  });

  it.each([
    ['interrupt', [], 'nothing_running'],
    ['retry', running(), 'nothing_to_retry'],
    ['dismiss', running(), 'nothing_to_dismiss'],
    ['stop', [sessionEnded()], 'session_ended'],
    ['interrupt', [sessionEnded()], 'nothing_running'],
  ] as const)('%s is refused where it makes no sense: %#', async (action, events, code) => {
    add(...events);
    const { exitCode, stdout, stderr } = await runOn(cloud, 'sessions', action, SESSION, '--json');
    expect({ exitCode, stderr }).toEqual({ exitCode: EXIT.refused, stderr: '' });
    expect(JSON.parse(stdout)).toMatchObject({ error: { code } });
  });

  it.each(['interrupt', 'stop', 'retry'] as const)(
    '%s says to a program what was accepted',
    async (action) => {
      add(...(action === 'retry' ? [sessionEnded()] : running()));
      expect(await jsonOf(cloud, 'sessions', action, SESSION)).toEqual({
        sessionId: SESSION,
        action,
        accepted: true,
      });
    },
  );
});
