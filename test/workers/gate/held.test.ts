import { env } from 'cloudflare:workers';
import { beforeEach, describe, expect, it } from 'vitest';
import type { DriveWitness } from '../../../protocol/drive-witness.ts';
import { actPage, breachPage } from '../../../protocol/http.ts';
import { actId, commandId, LOCAL_ACCOUNT } from '../../../protocol/ids.ts';
import { gateDecisionPage } from '../../../protocol/gate.ts';
import { instanceDetail } from '../../../protocol/operator-http.ts';
import type { RunnerFrame } from '../../../protocol/runner-frames.ts';
import type { ForeseenAct } from '../../../protocol/terminal-command.ts';
import { callTool } from '../../../workers/gate/call.ts';
import { keepTold } from '../../../workers/relay/told.ts';
import { listRung } from '../support/bell.ts';
import { ask } from '../support/http.ts';
import { type House, PANE, startOperating } from '../support/operators.ts';

let house: House;
beforeEach(async () => {
  house = await startOperating();
  await house.change({ change: 'consent', consents: { run: 'always', send: 'always' } });
});

const PUSH: ForeseenAct = {
  kind: 'push',
  command: 'git push origin feature',
  target: 'origin feature',
  uncertain: false,
};
const MOVE = {
  place: 'origin',
  ref: 'refs/heads/main',
  before: '1'.repeat(40),
  after: '2'.repeat(40),
};
const call = (callId: string, tool = 'tmux_run_command') =>
  callTool(env, {
    instanceId: house.instanceId,
    call: {
      tool,
      params: { target: PANE, ...(tool === 'tmux_run_command' && { command: 'make' }) },
    },
    actor: { kind: 'agent', id: 'chat' },
    callId,
  });
/** What the machine was told to hold the last write to. */
const watch = () => {
  const command = house.machine.asked.findLast(({ method }) => method === 'terminal/call');
  return command && 'watch' in command.params ? command.params.watch : undefined;
};
const reportOf = (callId: string, over: Partial<DriveWitness> = {}): DriveWitness => ({
  id: commandId.parse('cmd_1'),
  drive: { instanceId: house.instanceId, callId },
  at: 5_000,
  end: 'ended',
  sources: [],
  directory: '/code/shop',
  places: [{ name: 'origin', refs: 3, skipped: null }],
  acts: [
    {
      actId: actId.parse('act_found'),
      by: 'git',
      finding: 'unclaimed',
      move: MOVE,
      evidence: 'A reflog says so.',
      found: { kind: 'merge', command: 'origin refs/heads/main', target: 'origin main' },
    },
  ],
  breaches: [
    {
      actId: actId.parse('act_found'),
      kind: 'merge',
      seenBy: 'git',
      command: 'origin refs/heads/main',
      move: MOVE,
      rule: 'The merge policy forbids it: main is protected.',
      undo: { directory: '/code/shop', commands: ['git push'], note: '' },
    },
  ],
  others: [],
  more: 0,
  ...over,
});
const tell = (report: DriveWitness, runnerId = house.runner.runnerId) => {
  const frame = { type: 'driveWitness', report } satisfies RunnerFrame;
  return keepTold(env, { accountId: LOCAL_ACCOUNT, runnerId }, frame);
};
const breaches = async (query = '?doer=any') =>
  breachPage.parse((await ask('GET', `/v1/breaches${query}`, { bearer: house.cli })).body).items;
const answer = (reason: string, act = 'act_found') =>
  ask('POST', `/v1/instances/${house.instanceId}/breaches/${act}/override`, {
    bearer: house.cli,
    body: { reason },
  });

describe('an operator that did what the policy forbids', () => {
  it('is held until a person answers for it: it reads, and writes nothing', async () => {
    await call('one');
    await tell(reportOf('one'));
    expect(await call('two')).toMatchObject({ kind: 'denied', rule: 'breach' });
    expect(await call('three', 'tmux_capture_pane')).toMatchObject({ kind: 'done' });
    expect(await answer('no')).toMatchObject({ status: 400 });
    expect(await answer('it was me', 'act_other')).toMatchObject({ status: 404 });
    expect(await answer('it was me')).toMatchObject({ status: 202 });
    expect(await call('four')).toMatchObject({ kind: 'done' });
    expect(house.machine.writes).toHaveLength(2);
  });

  it('stands on record with its terminal, its call and who answered for it first', async () => {
    await call('one');
    await tell(reportOf('one'));
    await tell(reportOf('one', { at: 6_000 }));
    // A caller of before operators could have breaches would read none of the list.
    expect(await breaches('?open=true')).toEqual([]);
    expect(await breaches(`?open=true&sessionId=${house.instanceId}`)).toMatchObject([
      {
        sessionId: house.instanceId,
        sessionTitle: 'mine',
        engineId: 'operator',
        turnId: null,
        at: 5_000,
        drive: { operatorId: 'opr_watcher', callId: 'one', target: PANE },
        override: null,
      },
    ]);
    const { body } = await ask('GET', `/v1/instances/${house.instanceId}`, { bearer: house.cli });
    expect(instanceDetail.parse(body).breaches).toMatchObject([{ actId: 'act_found' }]);
    await answer('it was me');
    await answer('somebody else');
    expect(await breaches('?open=true&doer=any')).toEqual([]);
    expect(await breaches()).toMatchObject([{ override: { reason: 'it was me', channel: 'cli' } }]);
    const acts = await ask('GET', '/v1/acts', { bearer: house.cli });
    expect(actPage.parse(acts.body).items).toMatchObject([
      { actId: 'act_found', toolId: 'one', witness: 'git', outcome: 'done', breach: true },
    ]);
  });

  it.each([
    ['never made', 'other', 'run_operated'],
    ['made on another machine', 'one', 'run_other'],
  ])('by a call that was %s is nobody’s', async (_, callId, runnerId) => {
    await call('one');
    await tell(reportOf(callId), runnerId as typeof house.runner.runnerId);
    expect(await breaches()).toEqual([]);
    expect(await call('two')).toMatchObject({ kind: 'done' });
  });

  it('rings for what is a breach, once, and for nothing else', async () => {
    await call('one');
    await call('two');
    expect(await tell(reportOf('one'))).toEqual({ type: 'driveWitnessed', id: 'cmd_1' });
    await tell(reportOf('one'));
    await tell(reportOf('two', { breaches: [], acts: [] }));
    expect(await listRung()).toEqual([`${house.instanceId} breach one`]);
  });
});

describe('what moved after a write', () => {
  it('is joined with the act that it was told to be', async () => {
    house.machine.acts = [PUSH];
    house.machine.answer = () => ({
      ok: true,
      value: {
        status: 'running',
        exitCode: null,
        receipt: 'queued',
        text: '',
        omitted: 0,
        target: PANE,
      },
    });
    await call('one');
    expect(watch()).toMatchObject({ policy: { mode: 'pr' }, approved: false, acts: [PUSH] });
    const [act] = watch()?.acts ?? [];
    const seen = { by: 'git' as const, finding: 'confirmed' as const, move: MOVE, evidence: 'x' };
    const acts = act ? [{ ...seen, actId: act.actId, found: null }] : [];
    await tell(reportOf('one', { acts, breaches: [] }));
    const { body } = await ask('GET', '/v1/acts', { bearer: house.cli });
    expect(actPage.parse(body).items).toMatchObject([
      {
        actId: act?.actId,
        witness: 'instructed',
        outcome: 'done',
        witnesses: [{ by: 'git', finding: 'confirmed' }],
      },
    ]);
    expect(await call('two')).toMatchObject({ kind: 'done' });
  });

  it('and is nobody’s stands beside the call, and holds nothing', async () => {
    await call('one');
    const others = [{ ...MOVE, reason: 'A person typed in the same terminal meanwhile.' }];
    await tell(reportOf('one', { acts: [], breaches: [], others }));
    const path = `/v1/instances/${house.instanceId}/decisions`;
    const { body } = await ask('GET', path, { bearer: house.cli });
    expect(gateDecisionPage.parse(body).items).toMatchObject([{ callId: 'one', look: { others } }]);
    expect(await call('two')).toMatchObject({ kind: 'done' });
  });
});
