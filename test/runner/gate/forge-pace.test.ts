import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DEFAULT_POLICY } from '../../../protocol/merge-policy.ts';
import { pullRequestAsk } from '../../../runner/broker/ask.ts';
import {
  parseForgeAsk,
  type ChangeAsk,
  type ForgeAsk,
  type ReadAsk,
} from '../../../runner/broker/forge-ask.ts';
import { CALL_PACE, keepPace } from '../../../runner/broker/pace.ts';
import { openGateSession, type GateRoom } from '../../../runner/gate/gate-session.ts';
import { createRedactor } from '../../../runner/guard/redact.ts';
import { PullForge } from '../broker/forge.ts';
import { SESSION } from '../guard/repositories.ts';

let forge: PullForge;
let nowMs = 0;
beforeEach(async () => {
  nowMs = 0;
  forge = await PullForge.open();
  for (let at = 0; at < 9; at++)
    forge.opened.push({ title: 'x', body: '', head: `b${at}`, base: 'main', draft: false });
});
afterEach(() => forge.close());

/** A session that opened all that the forge has, and may read and write there. */
function aSession() {
  const own = [...forge.opened, { head: 'new' }].map(({ head }) => ({ name: head, tip: null }));
  const quarantine = {
    readAddresses: async () => ['https://forge.example/octo/site.git'],
    readBranches: async () => ({ own, defaultBranch: 'main', has: () => true }),
    readOpened: async () => forge.opened.map((_, index) => index + 1),
    rememberOpened: async () => undefined,
  };
  return openGateSession({
    sessionId: SESSION,
    quarantine: quarantine as unknown as GateRoom['quarantine'],
    limits: () => null,
    pushes: () => ({
      policyOf: () => DEFAULT_POLICY,
      pushed: () => undefined,
      waiting: () => [],
      redactorOf: async () => createRedactor([]),
    }),
    forges: () => ({
      forges: [{ host: 'forge.example', apiUrl: forge.apiUrl, tokenVariable: 'FORGE_TOKEN' }],
      env: { FORGE_TOKEN: forge.token },
    }),
    now: () => nowMs,
    log: () => undefined,
  });
}
function parsed(raw: object): ForgeAsk {
  const ask = parseForgeAsk(raw);
  if (!ask.ok) throw new Error(ask.reason);
  return ask.ask;
}
const reading = (raw: object) => parsed(raw) as ReadAsk;
const changing = (raw: object) => parsed(raw) as ChangeAsk;
const status = () => reading({ do: 'status', local: 'b0' });
const comment = () => changing({ do: 'comment', which: '1', body: 'Hi' });

/** Asks until the forge is called no more; of what is asked, one ask is ten calls. */
async function exhaust(session: ReturnType<typeof aSession>) {
  for (let asks = 0; asks < 30; asks++) {
    const said = await session.read(status());
    if (said.code !== 0) return said;
  }
  throw new Error(`the forge was called ${forge.seen.length} times`);
}

describe('the pace at which a session has its forge called', () => {
  it('counts calls, of which an ask is many, and says when to try again', async () => {
    const session = aSession();
    const said = await exhaust(session);
    expect(forge.seen).toHaveLength(CALL_PACE.most);
    expect(said).toMatchObject({ code: 1, out: '', again: 600 });
    expect(said.said).toMatch(/had the forge called 120 times.*try again in 600 seconds/);
    nowMs = 600_000;
    expect(await session.read(status())).toMatchObject({ code: 0 });
  });

  it('is that of writes too, which are not made, and are not said to be perhaps made', async () => {
    const session = aSession();
    await exhaust(session);
    const late = { outcome: 'not_done', by: 'policy', reason: expect.stringMatching(/try again/) };
    expect(await session.change(comment())).toMatchObject(late);
    const open = pullRequestAsk.parse({ title: 'x', head: 'new' });
    expect(await session.ask(open)).toMatchObject(late);
    expect(forge.seen.every((each) => each.startsWith('GET'))).toBe(true);
    // A person who lands a branch waits for no session.
    expect(await session.ask(open, 'person')).toMatchObject({ outcome: 'done' });
  });

  it.each([1, 2])('writes nothing where it ends after %i calls of an ask', async (calls) => {
    const session = aSession();
    for (let spent = 0; spent < CALL_PACE.most - calls; spent++)
      await session.read(reading({ do: 'list' }));
    const told =
      calls === 1
        ? await session.change(comment())
        : await session.change(changing({ do: 'edit', which: 'b1', title: 'New' }));
    expect(told).toMatchObject({ outcome: 'not_done', by: 'policy' });
    expect(forge.seen).toHaveLength(CALL_PACE.most);
    expect(forge.seen.every((each) => each.startsWith('GET'))).toBe(true);
  });

  it('opens nothing where it ends after the look at what is open', async () => {
    const session = aSession();
    for (let spent = 0; spent < CALL_PACE.most - 1; spent++)
      await session.read(reading({ do: 'list' }));
    const told = await session.ask(pullRequestAsk.parse({ title: 'x', head: 'new' }));
    expect(told).toMatchObject({ outcome: 'not_done', by: 'policy' });
    expect(forge.opened).toHaveLength(9);
  });

  it('is looked at without being charged', () => {
    const kept = keepPace(() => 0, { most: 1, withinMs: 1_000 }, 'asked');
    expect([kept.look(), kept.look(), kept.charge()]).toEqual([null, null, null]);
    expect([kept.look(), kept.charge()]).toMatchObject([{ waitSeconds: 1 }, { waitSeconds: 1 }]);
  });
});
