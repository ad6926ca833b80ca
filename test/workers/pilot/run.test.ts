import { beforeEach, describe, expect, it } from 'vitest';
import { PILOT_ACTOR } from '../../../protocol/ids.ts';
import { evidence } from '../../../protocol/pilot.ts';
import { sessionPage } from '../../../protocol/http.ts';
import { pilotDecisionPage } from '../../../protocol/pilot-view.ts';
import { ask, codeOf } from '../support/http.ts';
import { askPilot, launchPilot, PilotedRunner, readPilot, untilPilot } from '../support/pilots.ts';
import {
  type Installation,
  launchOn,
  readSession,
  relayStub,
  startOnline,
} from '../support/sessions.ts';
import { until } from '../support/socket.ts';

let installation: Installation;
beforeEach(async () => {
  installation = await startOnline();
});

async function piloted(over: Parameters<typeof launchPilot>[1] = {}) {
  const launched = await launchPilot(installation, over);
  return { ...launched, runner: new PilotedRunner(launched) };
}

describe('a session with a Pilot', () => {
  it('runs the checks after the first turn, instructs with what fails, and finishes when all pass', async () => {
    const { cli, sessionId, runner } = await piloted();
    await runner.firstTurn();
    const check = await runner.nextCheck({ tail: 'AssertionError: expected 3' });
    expect(check).toMatchObject({ command: 'npm test', title: 'Tests' });
    const { text, turnId } = await runner.nextTurn();
    expect(text).toContain('AssertionError: expected 3');
    await runner.nextCheck({ passed: true });
    const view = await untilPilot(cli, sessionId, 'finished');
    expect(view).toMatchObject({ turns: 2, reason: 'Its check passes.', policy: { mode: 'pr' } });
    expect(view.finishedAt).not.toBeNull();
    const { turns } = (await readSession(cli, sessionId)).view;
    expect(turns.find((turn) => turn.turnId === turnId)?.actorId).toBe(PILOT_ACTOR);
  });

  it('keeps each decision with its reason, its evidence and what it led to', async () => {
    const { cli, sessionId, runner } = await piloted();
    await runner.firstTurn();
    await runner.nextCheck({ tail: 'red' });
    await runner.nextTurn();
    await runner.nextCheck({ passed: true });
    await untilPilot(cli, sessionId, 'finished');
    const path = `/v1/sessions/${sessionId}/pilot/decisions`;
    const { items } = pilotDecisionPage.parse((await ask('GET', path, { bearer: cli })).body);
    expect(items.map(({ next, status }) => [next, status])).toEqual([
      ['finish', 'finished'],
      ['instruct', 'instructing'],
    ]);
    expect(items[1]?.evidence).toEqual([
      evidence.parse({
        title: 'Tests',
        command: 'npm test',
        passed: false,
        exitCode: 1,
        durationMs: 5,
        tail: 'red',
      }),
    ]);
  });

  it('proposes to a person who edits and confirms, as a co-pilot', async () => {
    const { cli, sessionId, runner } = await piloted({ mode: 'co_pilot' });
    await runner.firstTurn();
    await runner.nextCheck();
    const { step, proposal } = await untilPilot(cli, sessionId, 'waiting_person');
    expect(proposal).toContain('npm test');
    const standing = { step, status: 'waiting_person', hold: 'proposal' };
    const listed = await ask('GET', '/v1/sessions', { bearer: cli });
    expect(sessionPage.parse(listed.body).items[0]?.pilot).toMatchObject(standing);
    expect((await readSession(cli, sessionId)).summary.pilot).toMatchObject(standing);
    const wrong = await askPilot(cli, sessionId, { action: 'confirm', step: step - 1 });
    expect(codeOf(wrong)).toBe('pilot_moved_on');
    const instruction = 'Correct src/tide.js';
    expect((await askPilot(cli, sessionId, { action: 'confirm', step, instruction })).status).toBe(
      202,
    );
    expect((await runner.nextTurn()).text).toBe(instruction);
  });

  it('is paused and resumed, and sends nothing in between', async () => {
    const { cli, sessionId, runner, peer } = await piloted();
    await untilPilot(cli, sessionId, 'waiting_turn');
    await askPilot(cli, sessionId, { action: 'pause' });
    await runner.firstTurn();
    expect(await readPilot(cli, sessionId)).toMatchObject({ status: 'paused' });
    expect(peer.frames.filter((frame) => frame.type === 'command')).toHaveLength(1);
    await askPilot(cli, sessionId, { action: 'resume' });
    await runner.nextCheck({ passed: true });
    await untilPilot(cli, sessionId, 'finished');
  });

  it('asks for an approval on the machine, and goes on once it is resumed', async () => {
    const { cli, sessionId, runner, peer } = await piloted();
    await runner.firstTurn();
    const command = await runner.next('check/run');
    peer.result(command.id, { ok: false, code: 'check_not_approved', message: 'Approve it.' });
    expect(await untilPilot(cli, sessionId, 'waiting_person')).toMatchObject({ hold: 'question' });
    await askPilot(cli, sessionId, { action: 'resume' });
    await runner.nextCheck({ passed: true });
    await untilPilot(cli, sessionId, 'finished');
  });

  it('waits for the day to begin anew where a daily budget has nothing left', async () => {
    const bounds = { maxWallMs: 48 * 3_600_000 };
    const { cli, sessionId, runner } = await piloted({ bounds });
    const body = {
      scope: { kind: 'account' },
      unit: 'turns',
      renews: 'daily',
      limit: 1,
      basedOn: 0,
    };
    expect((await ask('POST', '/v1/budgets', { bearer: cli, body })).status).toBe(201);
    await runner.firstTurn();
    await runner.nextCheck();
    const view = await untilPilot(cli, sessionId, 'waiting_until');
    expect(view.reason).toContain('The daily budget of the account (1 turn) has come to 1 turn');
    const midnight = new Date(new Date().setUTCHours(24, 0, 0, 0)).getTime();
    expect(view.until).toBe(midnight);
    expect(view.turns).toBe(1);
  });

  it('asks a person where the budget never begins anew, and goes on once it is raised', async () => {
    const { cli, sessionId, runner } = await piloted();
    const body = {
      scope: { kind: 'account' },
      unit: 'turns',
      renews: 'never',
      limit: 1,
      basedOn: 0,
    };
    await ask('POST', '/v1/budgets', { bearer: cli, body });
    await runner.firstTurn();
    await runner.nextCheck();
    const held = await untilPilot(cli, sessionId, 'waiting_person');
    expect(held).toMatchObject({ hold: 'question' });
    expect(held.reason).toContain('It does not renew');
    await ask('POST', '/v1/budgets', { bearer: cli, body: { ...body, limit: 2, basedOn: 1 } });
    await askPilot(cli, sessionId, { action: 'resume' });
    // It looks at the work again before it sends anything.
    await runner.nextCheck();
    expect((await runner.nextTurn()).text).toContain('npm test');
  });

  it('waits for a machine that is away', async () => {
    const { cli, sessionId, runner, peer } = await piloted();
    await untilPilot(cli, sessionId, 'waiting_turn');
    await askPilot(cli, sessionId, { action: 'pause' });
    await runner.firstTurn();
    peer.socket.close();
    await askPilot(cli, sessionId, { action: 'resume' });
    const view = await untilPilot(cli, sessionId, 'waiting_until');
    expect(view.until).toBeGreaterThan(Date.now());
    expect(view.reason).toContain('offline');
  });

  it('takes back what waits for a machine that is away when it is stopped', async () => {
    const { cli, sessionId, runner, peer } = await piloted({ mode: 'co_pilot' });
    await runner.firstTurn();
    await runner.nextCheck();
    const { step } = await untilPilot(cli, sessionId, 'waiting_person');
    peer.socket.close();
    await until(
      async () => (await relayStub(installation.runner).readStatus()).presence === 'offline',
      'offline',
    );
    await askPilot(cli, sessionId, { action: 'confirm', step });
    await untilPilot(cli, sessionId, 'waiting_turn');
    await askPilot(cli, sessionId, { action: 'stop' });
    const { reason } = await untilPilot(cli, sessionId, 'stopped');
    expect(reason).toContain('withdrawn');
    const lastTurn = async () => (await readSession(cli, sessionId)).view.turns.at(-1);
    await until(async () => (await lastTurn())?.delivery === 'undelivered', 'undelivered');
    expect((await lastTurn())?.deliveryReason).toContain('Pilot that gave it was stopped');
  });

  it('ends with its session', async () => {
    const { cli, sessionId, runner } = await piloted();
    await untilPilot(cli, sessionId, 'waiting_turn');
    await runner.send([{ type: 'session/ended', end: 'stopped', reason: 'Stopped.' }]);
    await untilPilot(cli, sessionId, 'stopped');
    const late = await askPilot(cli, sessionId, { action: 'resume' });
    expect(codeOf(late)).toBe('pilot_over');
  });
});

describe('a session without a Pilot', () => {
  it('has none to read or to ask, and no run', async () => {
    const { cli, sessionId } = await launchOn(installation);
    const read = await ask('GET', `/v1/sessions/${sessionId}/pilot`, { bearer: cli });
    expect(codeOf(read)).toBe('pilot_not_found');
    expect(codeOf(await askPilot(cli, sessionId, { action: 'pause' }))).toBe('pilot_not_found');
  });
});
