import { beforeEach, describe, expect, it } from 'vitest';
import type { OperatorBody } from '../../../protocol/operator.ts';
import {
  instanceDetail,
  instanceHistory,
  instancePage,
  operatorDetail,
  operatorEntry,
  operatorList,
} from '../../../protocol/operator-http.ts';
import { ask, codeOf, makeCliToken, registerRunner, signIn, startEmpty } from '../support/http.ts';

const body = (...tools: OperatorBody['ceiling']['tools']): OperatorBody => ({
  name: 'Watcher',
  instructions: 'Watch.',
  ceiling: {
    tools,
    surfaceOptions: { tmux: { backends: ['tmux'], targets: 'single', prefix: null } },
  },
  brain: null,
});
const first = body('tmux_capture_pane');

let bearer = '';
beforeEach(async () => {
  await startEmpty();
  bearer = await makeCliToken();
});

const get = (path: string) => ask('GET', path, { bearer });
const post = (path: string, said: unknown = {}) => ask('POST', path, { bearer, body: said });
const publish = (operatorId: string | null, basedOn: number, said: unknown = first) =>
  post('/v1/operators', { operatorId, basedOn, body: said });

async function publishFirst(): Promise<string> {
  return operatorEntry.parse((await publish(null, 0)).body).definition.id;
}
async function make(operatorId: string, over: object = {}) {
  const { runnerId } = await registerRunner();
  const said = { operatorId, runnerId, agreedVersion: 1, name: 'mine', ...over };
  return instanceDetail.parse((await post('/v1/instances', said)).body);
}

describe('operators over HTTP', () => {
  it('begin with those of the product, in words', async () => {
    const { items } = operatorList.parse((await get('/v1/operators')).body);
    expect(items.map(({ definition, origin }) => [definition.name, origin])).toEqual([
      ['tmux Operator', 'builtIn'],
      ['kitty Operator', 'builtIn'],
      ['iTerm2 Operator', 'builtIn'],
    ]);
    expect(items[0]?.words[0]).toContain('one tmux pane that you choose');
    expect(items[2]?.note).toContain('Not verified');
  });

  it('are published in versions, and each says whether it allows more', async () => {
    const id = await publishFirst();
    await publish(id, 1, { ...first, instructions: 'Watch well.' });
    const wider = body('tmux_capture_pane', 'tmux_kill_session');
    expect((await publish(id, 2, wider)).status).toBe(201);
    const detail = operatorDetail.parse((await get(`/v1/operators/${id}`)).body);
    expect(detail.versions.map(({ version, wider: more }) => [version, more])).toEqual([
      [3, true],
      [2, false],
      [1, false],
    ]);
    expect(detail.entry?.definition.version).toBe(3);
  });

  it('refuse a version on top of another than the last', async () => {
    const id = await publishFirst();
    expect(codeOf(await publish(id, 0))).toBe('operator_changed');
    expect(codeOf(await publish('opr_none', 1))).toBe('operator_not_found');
    expect(codeOf(await publish('opr_tmux', 1))).toBe('operator_built_in');
  });

  it('refuse what could do nothing, with the field and the reason', async () => {
    const answer = await publish(null, 0, body());
    expect(answer.status).toBe(400);
    expect(JSON.stringify(answer.body)).toContain('needs at least one tool');
  });

  it('stay known once they are withdrawn, and are published again on top', async () => {
    const id = await publishFirst();
    for (const status of [200, 200])
      expect((await post(`/v1/operators/${id}/withdraw`)).status).toBe(status);
    const { items } = operatorList.parse((await get('/v1/operators')).body);
    expect(items.map(({ definition }) => definition.id)).not.toContain(id);
    const detail = operatorDetail.parse((await get(`/v1/operators/${id}`)).body);
    expect(detail.entry).toBeNull();
    expect(detail.versions.map((one) => one.body === null)).toEqual([true, false]);
    expect((await publish(id, 2)).status).toBe(201);
    expect(codeOf(await post('/v1/operators/opr_tmux/withdraw'))).toBe('operator_built_in');
  });

  it('answer nobody who is not signed in, and a person as well as a command line', async () => {
    expect((await ask('GET', '/v1/operators')).status).toBe(401);
    const cookie = await signIn();
    expect((await ask('GET', '/v1/operators', { cookie })).status).toBe(200);
    const { token } = await registerRunner();
    expect((await ask('GET', '/v1/instances', { bearer: token })).status).toBe(403);
  });
});

describe('an instance over HTTP', () => {
  it('is made bound to nothing, says what is missing, and works once it is bound', async () => {
    const made = await make('opr_tmux');
    expect(made.obstacle).toContain('Choose one');
    expect(made.instance.consents).toEqual({
      read: 'always',
      send: 'ask',
      run: 'ask',
      kill: 'never',
    });
    const boundTarget = { target: 'tmux:default:10.20:%1', label: 'build' };
    const answer = await post(`/v1/instances/${made.instance.id}/changes`, {
      change: 'bind',
      boundTarget,
    });
    const bound = instanceDetail.parse(answer.body);
    expect(bound).toMatchObject({ obstacle: null, instance: { boundTarget, revision: 2 } });
    expect(bound.words[0]).toContain('the tmux pane build');
  });

  it('goes on with what was agreed to until a wider version is', async () => {
    const id = await publishFirst();
    const { instance } = await make(id);
    await publish(id, 1, body('tmux_capture_pane', 'tmux_send_keys'));
    const path = `/v1/instances/${instance.id}`;
    const waiting = instanceDetail.parse((await get(path)).body);
    expect(waiting.definition.version).toBe(1);
    expect(waiting.offered?.definition.version).toBe(2);
    expect(waiting.offered?.words[0]).toContain('type into');
    const agreed = await post(`${path}/changes`, { change: 'agree', version: 2 });
    expect(instanceDetail.parse(agreed.body)).toMatchObject({
      offered: null,
      definition: { version: 2 },
    });
    const never = await post(`${path}/changes`, { change: 'agree', version: 9 });
    expect(codeOf(never)).toBe('bad_request');
  });

  it('keeps who said what, and is gone from the list once removed', async () => {
    const { instance } = await make('opr_tmux');
    const path = `/v1/instances/${instance.id}`;
    await post(`${path}/changes`, { change: 'consent', consents: { run: 'always' } });
    const cookie = await signIn();
    await ask('POST', `${path}/changes`, { cookie, body: { change: 'remove' } });
    const { items } = instanceHistory.parse((await get(`${path}/history`)).body);
    expect(items.map(({ revision, by, body: said }) => [revision, by, said.consents.run])).toEqual([
      [3, 'person', 'always'],
      [2, 'cli', 'always'],
      [1, 'cli', 'ask'],
    ]);
    expect(instancePage.parse((await get('/v1/instances')).body).items).toEqual([]);
    expect(instanceDetail.parse((await get(path)).body).instance.state).toBe('removed');
    const late = await post(`${path}/changes`, { change: 'resume' });
    expect(codeOf(late)).toBe('instance_removed');
  });

  it('is listed page by page, and by operator', async () => {
    const made = [await make('opr_tmux'), await make('opr_kitty'), await make('opr_tmux')];
    const one = instancePage.parse((await get('/v1/instances?limit=2')).body);
    const rest = await get(`/v1/instances?limit=2&cursor=${one.nextCursor}`);
    const both = [...one.items, ...instancePage.parse(rest.body).items];
    expect(new Set(both.map(({ instance }) => instance.id))).toEqual(
      new Set(made.map(({ instance }) => instance.id)),
    );
    const kitty = instancePage.parse((await get('/v1/instances?operatorId=opr_kitty')).body);
    expect(kitty.items).toHaveLength(1);
  });

  it('is refused for a machine or an instance that is not there', async () => {
    const said = { operatorId: 'opr_tmux', runnerId: 'run_none', agreedVersion: 1, name: 'x' };
    expect(codeOf(await post('/v1/instances', said))).toBe('runner_not_found');
    const change = { change: 'pause' };
    expect(codeOf(await post('/v1/instances/ins_none/changes', change))).toBe('instance_not_found');
    expect(codeOf(await get('/v1/instances/ins_none'))).toBe('instance_not_found');
  });
});
