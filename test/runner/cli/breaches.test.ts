import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { breachPage, type BreachRow } from '../../../protocol/http.ts';
import { instanceId, operatorId } from '../../../protocol/ids.ts';
import { EXIT } from '../../../runner/failure.ts';
import { aBreach, breachFound, overridden } from '../../support/breach-builders.ts';
import { jsonOf, runOn } from '../../support/command-line.ts';
import { aRunner, FakeCloud } from '../../support/fake-cloud.ts';
import { FakeSession } from '../../support/fake-session.ts';
import { created, SESSION } from '../../support/protocol-builders.ts';

let cloud: FakeCloud;
beforeEach(async () => {
  cloud = await FakeCloud.listen();
  cloud.addSession(new FakeSession(SESSION, aRunner('run_1', 'laptop')), created(), breachFound());
});
afterEach(() => cloud.close());

const row = (over: Partial<BreachRow> = {}): BreachRow => ({
  ...aBreach(),
  sessionId: SESSION,
  sessionTitle: 'Fix the tests',
  engineId: 'claude',
  policy: [],
  drive: null,
  at: 1,
  override: null,
  ...over,
});
const put = (...items: BreachRow[]) => cloud.ledgers.set('breaches', { items, nextCursor: null });

describe('pilothouse breaches', () => {
  it('says so when there are none', async () => {
    const { stdout, exitCode } = await runOn(cloud, 'breaches');
    expect([exitCode, stdout]).toEqual([EXIT.ok, 'Nothing was done that the policy forbids.\n']);
  });

  it('shows what, by which command, what forbids it, how to undo it and how to go on', async () => {
    put(row());
    const { stdout } = await runOn(cloud, 'breaches', '--open');
    expect(stdout).toContain('merge, main on origin: 111111111 → 222222222');
    expect(stdout).toContain('git push origin HEAD:main');
    expect(stdout).toContain('main is protected');
    expect(stdout).toContain('    cd -- /srv/work\n');
    for (const command of aBreach().undo.commands) expect(stdout).toContain(`    ${command}\n`);
    expect(stdout).toContain(`pilothouse breaches override ${SESSION} act_1 --reason`);
    expect(cloud.asked.at(-1)?.query).toMatchObject({ open: 'true' });
  });

  it('shows into which terminal an operator wrote it, and its own way to go on', async () => {
    const drive = {
      operatorId: operatorId.parse('opr_1'),
      callId: 'chat.1',
      target: 'tmux:own:1.1:%1',
    };
    put(row({ sessionId: instanceId.parse('ins_1'), turnId: null, drive }));
    const { stdout } = await runOn(cloud, 'breaches');
    expect(stdout).toContain('pilothouse breaches override ins_1 act_1 --reason');
    expect(stdout).toContain('terminal  tmux:own:1.1:%1, call chat.1');
  });

  it('shows who answered for one, and no way on any more', async () => {
    const { reason, actorId, channel } = overridden();
    put(row({ override: { reason, actorId, channel, at: 2 } }));
    const { stdout } = await runOn(cloud, 'breaches');
    expect(stdout).toContain('answered for by usr_local: reverted by hand');
    expect(stdout).not.toContain('to go on');
  });

  it('is read by programs as it is', async () => {
    put(row());
    const page = breachPage.parse(await jsonOf(cloud, 'breaches'));
    expect(page).toEqual({ items: [row()], nextCursor: null });
  });

  it('stands on the page of its session', async () => {
    const { stdout } = await runOn(cloud, 'sessions', 'show', SESSION);
    expect(stdout).toContain('Forbidden by its policy');
    expect(stdout).toContain('--force-with-lease');
  });
});

describe('pilothouse breaches override', () => {
  it('sends the reason', async () => {
    const args = ['breaches', 'override', SESSION, 'act_1', '--reason', 'it was me'];
    const { exitCode, stderr } = await runOn(cloud, ...args);
    expect({ exitCode, stderr }).toEqual({ exitCode: EXIT.ok, stderr: '' });
    expect(cloud.asked.at(-1)).toMatchObject({
      method: 'POST',
      path: `/v1/sessions/${SESSION}/breaches/act_1/override`,
      body: { reason: 'it was me' },
    });
  });

  it('sends it for an operator by the whole id of its instance', async () => {
    cloud.operators.breaches.push(row({ sessionId: instanceId.parse('ins_1') }));
    const args = ['breaches', 'override', 'ins_1', 'act_1', '--reason', 'it was me'];
    const { exitCode, stdout } = await runOn(cloud, ...args);
    expect(exitCode).toBe(EXIT.ok);
    expect(stdout).toContain('ins_1 may write again');
    expect(cloud.asked.at(-1)).toMatchObject({
      path: '/v1/instances/ins_1/breaches/act_1/override',
      body: { reason: 'it was me' },
    });
  });

  it.each([
    [['breaches', 'override', SESSION, 'act_1'], EXIT.usage],
    [['breaches', 'override', SESSION, 'act_1', '--reason'], EXIT.usage],
    [['breaches', 'override', SESSION, 'act_1', '--reason', ''], EXIT.usage],
    [['breaches', 'override', SESSION, 'act_1', '--reason', '--json'], EXIT.usage],
    [['breaches', 'override', SESSION, 'act_1', '--reason', '-v'], EXIT.usage],
    [['breaches', 'override', SESSION, 'act_1', '--reason', ' x '], EXIT.usage],
    [['breaches', 'override', 'nobody', 'act_1', '--reason', 'it was me'], EXIT.refused],
  ])('refuses %j (S2)', async (args, code) => {
    const asked = cloud.asked.length;
    expect((await runOn(cloud, ...args)).exitCode).toBe(code);
    expect(cloud.asked.slice(asked).every(({ method }) => method === 'GET')).toBe(true);
  });
});
