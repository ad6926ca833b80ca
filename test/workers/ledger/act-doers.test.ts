import { beforeAll, describe, expect, it } from 'vitest';
import { actPage } from '../../../protocol/http.ts';
import {
  actId,
  type ActorId,
  GITHUB_ACTOR,
  LOCAL_ACTOR,
  PILOT_ACTOR,
  runnerId,
  turnId,
} from '../../../protocol/ids.ts';
import { actSeen } from '../../support/feed-events.ts';
import { ask, makeCliToken, registerRunner, startEmpty } from '../support/http.ts';
import { project, type Recorded } from '../support/ledger.ts';

const turn = (name: string) => turnId.parse(`trn_${name}`);
const told = (event: Recorded['event']): Recorded => ({ at: 1_000, event });
const given = (name: string, actorId: ActorId): Recorded[] => [
  told({ type: 'turn/accepted', turnId: turn(name), text: 'Go on', actorId }),
  told({ type: 'turn/started', turnId: turn(name), origin: 'instruction' }),
];
const began = (name: string, origin: 'engine' | 'terminal') =>
  told({ type: 'turn/started', turnId: turn(name), origin });
const act = (name: string | null) =>
  told(actSeen(name === null ? null : turn(name), { actId: actId.parse(`act_${name ?? 'none'}`) }));

let cli: string;
beforeAll(async () => {
  await startEmpty();
  cli = await makeCliToken();
  await project('doers', [
    ...given('mine', LOCAL_ACTOR),
    act('mine'),
    ...given('pilots', PILOT_ACTOR),
    act('pilots'),
    // A background task of the Pilot's turn ends, and the engine goes on by itself.
    began('woken', 'engine'),
    act('woken'),
    ...given('issue', GITHUB_ACTOR),
    told({
      type: 'takeover/began',
      form: 'keys',
      actorId: LOCAL_ACTOR,
      channel: 'cli',
      epoch: 2,
    }),
    began('driven', 'terminal'),
    act('driven'),
    act(null),
  ]);
});

const list = async (query = '') =>
  actPage.parse((await ask('GET', `/v1/acts${query}`, { bearer: cli })).body).items;
const doers = async (query = '') =>
  Object.fromEntries(
    (await list(query)).map(({ actId: id, actorId, behalfOf }) => [
      id.replace('act_', ''),
      [actorId, behalfOf],
    ]),
  );

describe('an act', () => {
  it('is whose the instruction was, for whose session it is', async () => {
    expect(await doers()).toEqual({
      mine: [LOCAL_ACTOR, null],
      pilots: [PILOT_ACTOR, LOCAL_ACTOR],
      woken: [PILOT_ACTOR, LOCAL_ACTOR],
      driven: [LOCAL_ACTOR, null],
      none: [LOCAL_ACTOR, null],
    });
  });

  it('is found by who gave the instruction', async () => {
    expect(Object.keys(await doers(`?actorId=${PILOT_ACTOR}`)).toSorted()).toEqual([
      'pilots',
      'woken',
    ]);
    expect(await doers(`?actorId=${GITHUB_ACTOR}`)).toEqual({});
  });

  it('says on which machine it was done, by its id where nobody knows its name', async () => {
    expect((await list())[0]?.machine).toEqual({ runnerId: 'run_1', name: 'run_1' });
    await registerRunner(runnerId.parse('run_1'));
    expect((await list())[0]?.machine).toEqual({ runnerId: 'run_1', name: 'desk' });
  });

  it('is exported with machine and person', async () => {
    const { body } = await ask('GET', '/v1/acts/export', { bearer: cli });
    const [head = '', ...lines] = String(body).trimEnd().split('\r\n');
    const at = (name: string) => head.split(',').indexOf(name);
    const rows = lines.map((line) => line.split(','));
    const columns = ['machine', 'runner_id', 'person', 'behalf_of'];
    const pilots = rows.find((row) => row[at('act_id')] === 'act_pilots');
    expect(columns.map((name) => pilots?.[at(name)])).toEqual([
      'desk',
      'run_1',
      PILOT_ACTOR,
      LOCAL_ACTOR,
    ]);
  });
});
