import { beforeEach, describe, expect, it } from 'vitest';
import { runComparison } from '../../../protocol/run-compare.ts';
import { runReport, runStatus } from '../../../protocol/run-report.ts';
import { actSeen, approvalRequested, usageRecorded } from '../../support/feed-events.ts';
import { aUsage } from '../../support/protocol-builders.ts';
import { ask, codeOf } from '../support/http.ts';
import {
  type Installation,
  launchOn,
  readyEvents,
  startOnline,
  text,
  turnEnded,
} from '../support/sessions.ts';

describe('the reports of runs', () => {
  let home: Installation;
  beforeEach(async () => {
    home = await startOnline();
  });
  const get = (path: string) => ask('GET', path, { bearer: home.cli });

  /** A session whose one turn pushed and ended well. */
  async function ranOn(objective: string) {
    const session = await launchOn(home, { objective });
    const { turnId } = session;
    await session.peer.stored(session.sessionId, 1, [
      ...readyEvents(turnId),
      actSeen(turnId),
      { type: 'act/ended', actId: actSeen().act.actId, outcome: 'done' },
      text('It is pushed.'),
      usageRecorded(turnId, [aUsage()]),
      turnEnded(turnId),
    ]);
    return session;
  }

  it('say how a session stands, with its claim and its acts', async () => {
    const { sessionId } = await ranOn('Push it');
    const status = runStatus.parse((await get(`/v1/sessions/${sessionId}/status`)).body);
    expect(status).toMatchObject({
      standing: 'done',
      claim: { text: 'It is pushed.' },
      witnessed: { acts: [{ kind: 'push', outcome: 'done', seenBy: ['stream'] }] },
      spend: { reported: { microUsd: 1560 } },
      pilot: null,
    });
  });

  it('say what waits for a person', async () => {
    const { sessionId, turnId, peer } = await launchOn(home);
    await peer.stored(sessionId, 1, [...readyEvents(turnId), approvalRequested({ turnId })]);
    const status = runStatus.parse((await get(`/v1/sessions/${sessionId}/status`)).body);
    expect(status).toMatchObject({ standing: 'needs_person', waiting: [{ summary: 'npm test' }] });
  });

  it('are files: JSON, or Markdown of the same', async () => {
    const { sessionId } = await ranOn('Push it');
    const path = `/v1/sessions/${sessionId}/report`;
    const whole = await get(path);
    expect(runReport.parse(whole.body)).toMatchObject({ machine: 'desk', objective: 'Push it' });
    expect(whole.headers.get('content-disposition')).toContain(`${sessionId}.report.json`);
    const markdown = await get(`${path}?format=markdown`);
    expect(markdown.headers.get('content-type')).toContain('text/markdown');
    expect(markdown.headers.get('content-disposition')).toContain(`${sessionId}.report.md`);
    expect(markdown.body).toContain('# Push it\n\n**Done.**');
    expect(codeOf(await get(`${path}?format=pdf`))).toBe('bad_request');
  });

  it('are held beside each other in the order in which they were named', async () => {
    const [one, other] = [await ranOn('Push it'), await ranOn('Push it')];
    const ids = [other.sessionId, one.sessionId];
    const answer = await get(`/v1/comparisons?sessions=${ids.join(',')}`);
    const { sides, objective, conclusions } = runComparison.parse(answer.body);
    expect(sides.map(({ sessionId }) => sessionId)).toEqual(ids);
    expect([objective, conclusions[0]]).toEqual(['Push it', 'All are done.']);
    expect(codeOf(await get(`/v1/comparisons?sessions=${one.sessionId}`))).toBe('bad_request');
  });

  it('are of nobody else’s session', async () => {
    const { sessionId } = await ranOn('Push it');
    for (const path of [
      '/v1/sessions/ses_nowhere/status',
      '/v1/sessions/ses_nowhere/report',
      `/v1/comparisons?sessions=${sessionId},ses_nowhere`,
    ])
      expect(codeOf(await get(path))).toBe('session_not_found');
  });

  it('refuse whoever is not signed in', async () => {
    const answer = await ask('GET', '/v1/sessions/ses_nowhere/status');
    expect(codeOf(answer)).toBe('unauthenticated');
  });
});
