import { env } from 'cloudflare:workers';
import { beforeAll, expect, it } from 'vitest';
import { LOCAL_ACCOUNT, LOCAL_ACTOR, sessionId, turnId } from '../../../protocol/ids.ts';
import { openDatabase } from '../../../workers/db/client.ts';
import { succeed } from '../../../workers/lib/outcome.ts';
import { beginOrFail } from '../../../workers/pilot/begin-run.ts';
import { readRun, registerRun } from '../../../workers/pilot/store.ts';
import { startEmpty } from '../support/http.ts';
import { MACHINE_ID, PilotWorld } from '../support/pilot-world.ts';

const PILOT = {
  mode: 'pilot',
  brain: { kind: 'checklist', steps: [{ title: 'Tests', check: 'npm test' }] },
};

beforeAll(startEmpty);

/** A run of a new session, begun; and what was asked of the session meanwhile. */
async function begun(name: string, launch: { policy?: null } = {}) {
  const id = sessionId.parse(`ses_${name}`);
  const world = new PilotWorld(id, turnId.parse(`trn_${name}`), () => 0.5, PILOT);
  const view = { ...world.view, launch: { ...world.view.launch, ...launch } };
  const asked: string[] = [];
  const database = openDatabase(env.DB);
  const owner = {
    accountId: LOCAL_ACCOUNT,
    actorId: LOCAL_ACTOR,
    sessionId: id,
    runnerId: MACHINE_ID,
  };
  await registerRun(database, owner, 1);
  const run = await readRun(database, id);
  if (!run) throw new Error('The run was not registered.');
  const feed = {
    ...world.feed,
    readView: async () => succeed({ runnerId: MACHINE_ID, view, underway: [] }),
    request: async ({ action }: { action: string }) => {
      asked.push(action);
      return succeed(null);
    },
  };
  const began = await beginOrFail(database, run, feed, 2);
  return { began, asked, run: await readRun(database, id) };
}

it('a run begins with the policy that its session was launched with', async () => {
  const { began, asked, run } = await begun('withpolicy');
  expect(began).toBe(true);
  expect(asked).toEqual([]);
  expect(run?.policy).toEqual({ mode: 'pr', version: 0 });
});

it('a session that was launched without a policy is stopped, and its run says why', async () => {
  const { began, asked, run } = await begun('nopolicy', { policy: null });
  expect(began).toBe(false);
  expect(asked).toEqual(['stop']);
  expect(run).toMatchObject({ status: 'failed', policy: null });
  expect(run?.reason).toMatch(/policy/);
});
