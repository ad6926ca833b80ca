import { env } from 'cloudflare:workers';
import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import { beforeEach, describe, expect, it } from 'vitest';
import { chainPage, sayFinding, type SessionChain, tallyChains } from '../../../protocol/chain.ts';
import type { ChainEnds, ChainHead } from '../../../protocol/chain-head.ts';
import type { EngineEvent } from '../../../protocol/engine-event.ts';
import { accountId, actId, LOCAL_ACCOUNT, requestId } from '../../../protocol/ids.ts';
import { verifyChain } from '../../../workers/ledger/verify-chain.ts';
import { aBreach } from '../../support/breach-builders.ts';
import { aUsage } from '../../support/protocol-builders.ts';
import { anApproval } from '../../support/transcript-events.ts';
import { ask, makeCliToken, startEmpty } from '../support/http.ts';
import { database, project, sessionNamed } from '../support/ledger.ts';
import {
  feedStub,
  type Launched,
  launchOn,
  readyEvents,
  startOnline,
} from '../support/sessions.ts';
import { until } from '../support/socket.ts';

/** Half of a pair of surrogates, and a NUL: text that a database gives back changed, or hides. */
const ODD = 'git push \u{1F680}'.slice(0, -1);

const act = (id: string, command = 'git push origin main'): EngineEvent => ({
  type: 'act/seen',
  act: {
    actId: actId.parse(id),
    turnId: null,
    toolId: 'tool-1',
    kind: 'push',
    command,
    target: 'origin main',
    witness: 'stream',
    uncertain: false,
  },
});

/** One event for each ledger that is chained. */
const EVERY: EngineEvent[] = [
  { type: 'usage/recorded', turnId: null, entries: [aUsage(), aUsage({ model: 'helper' })] },
  act('act_1', ODD),
  { type: 'act/ended', actId: actId.parse('act_1'), outcome: 'done' },
  {
    type: 'act/witnessed',
    actId: actId.parse('act_1'),
    by: 'git',
    finding: 'confirmed',
    move: null,
    evidence: 'It moved.\u0000',
  },
  { type: 'breach/found', breach: aBreach({ actId: actId.parse('act_1') }) },
  { type: 'approval/requested', request: anApproval({ requestId: requestId.parse('apr_1') }) },
  { type: 'approval/resolved', requestId: requestId.parse('apr_1'), resolution: 'allowed' },
];

/** What whoever has the database may do: the guards go first. */
async function tamper(...statements: string[]): Promise<void> {
  const { results } = await env.DB.prepare(
    "SELECT name FROM sqlite_master WHERE type = 'trigger'",
  ).all<{ name: string }>();
  await env.DB.batch([
    ...results.map(({ name }) => env.DB.prepare(`DROP TRIGGER ${name}`)),
    ...statements.map((statement) => env.DB.prepare(statement)),
  ]);
}

describe('the chain of a session', () => {
  const owner = { accountId: LOCAL_ACCOUNT, sessionId: sessionNamed('a'), title: null };
  let head: ChainHead | null;
  const at =
    (settled: ChainHead | null, begun = settled) =>
    () =>
      Promise.resolve<ChainEnds>({ settled, begun });
  const verify = () => verifyChain(database(), owner, at(head));
  const faults = async (): Promise<string[]> => {
    const { findings, standing } = await verify();
    return [standing, ...findings.map((each) => `${each.fault} ${each.ledger} ${each.number}`)];
  };
  beforeEach(async () => {
    await startEmpty();
    await project(
      'a',
      EVERY.map((event) => ({ at: 1, event })),
    );
    ({ head } = await verifyChain(database(), owner, at(null)));
  });

  it('holds every row of the ledgers as it was recorded, whatever its text', async () => {
    expect(await verify()).toMatchObject({
      standing: 'holds',
      rows: 8,
      earlier: 0,
      findings: [],
      head: { number: 8 },
    });
  });

  it('names every row in which a value was changed, added or taken away', async () => {
    await tamper(
      "UPDATE usage_entries SET micro_usd = 1 WHERE model = 'helper'",
      "UPDATE acts SET command = 'ls'",
      "UPDATE act_outcomes SET reason = 'fine'",
      "UPDATE act_witnesses SET finding = 'contradicted'",
      "UPDATE breaches SET undo = '{}'",
      'UPDATE approval_requests SET expires_at = NULL, at = at + 1',
      "UPDATE approval_decisions SET decision = 'denied'",
    );
    expect(await faults()).toEqual([
      'broken',
      'altered usage 2',
      'altered act 3',
      'altered actOutcome 4',
      'altered actWitness 5',
      'altered breach 6',
      'altered approvalRequest 7',
      'altered approvalDecision 8',
    ]);
  });

  it('names rows that were deleted, given to another session, or never recorded', async () => {
    await tamper(
      `INSERT INTO breach_overrides
         SELECT account_id, actor_id, session_id, 99, 1, act_id, 'me', 'cli' FROM breaches`,
      'DELETE FROM breaches',
      "UPDATE act_outcomes SET session_id = 'ses_other'",
    );
    expect(await faults()).toEqual([
      'broken',
      'removed actOutcome 4',
      'removed breach 6',
      'added breachOverride null',
    ]);
  });

  it('names a link that was taken out, though the row went with it', async () => {
    await tamper('DELETE FROM breaches', "DELETE FROM chain_links WHERE ledger = 'breach'");
    expect(await faults()).toEqual(['broken', 'gap null 6']);
  });

  it('names links whose order was changed', async () => {
    await tamper(
      'UPDATE chain_links SET number = -1 WHERE number = 3',
      'UPDATE chain_links SET number = 3 WHERE number = 4',
      'UPDATE chain_links SET number = 4 WHERE number = -1',
    );
    expect(await faults()).toEqual(['broken', 'broken null 3', 'broken null 4', 'broken null 5']);
  });

  it('names a tail that was cut off with its rows, for the session knows its end', async () => {
    await tamper('DELETE FROM approval_decisions', 'DELETE FROM chain_links WHERE number = 8');
    expect(await faults()).toEqual(['broken', 'cut null 8']);
    await tamper('DELETE FROM chain_links');
    expect((await faults()).slice(0, 2)).toEqual(['broken', 'cut null 8']);
  });

  it('names links that follow and that its session never wrote', async () => {
    const known = head && { number: head.number - 1, hash: '' };
    const { standing, findings } = await verifyChain(database(), owner, at(null, known));
    expect({ standing, findings }).toEqual({
      standing: 'broken',
      findings: [{ fault: 'added', number: 8, ledger: null, key: null }],
    });
  });

  it('blames no link that the session has begun, nor one that it wrote meanwhile', async () => {
    expect((await verifyChain(database(), owner, at(null, head))).standing).toBe('holds');
    let asked = 0;
    const grown = () => at(asked++ === 0 ? null : head)();
    expect((await verifyChain(database(), owner, grown)).standing).toBe('holds');
    expect(asked).toBe(2);
  });

  it('names an end that was written anew, though all of it follows', async () => {
    const known = head;
    await startEmpty();
    await project(
      'a',
      [...EVERY.slice(0, -1), EVERY[0] ?? act('act_2')].map((event) => ({ at: 2, event })),
    );
    head = { number: 8, hash: known?.hash ?? '' };
    expect(await faults()).toEqual(['broken', 'rewritten null 8', 'added null 9']);
  });
});

describe('a session that writes its chain', () => {
  let session: Launched;
  let seq: number;
  const record = async (events: EngineEvent[]) => {
    await session.peer.stored(session.sessionId, seq, events);
    seq += events.length;
  };
  const list = async (): Promise<SessionChain[]> =>
    chainPage.parse((await ask('GET', '/v1/chains', { bearer: session.cli })).body).items;
  const links = async () =>
    (await env.DB.prepare('SELECT * FROM chain_links ORDER BY number').all()).results;
  const untilHeld = (rows: number) =>
    until(async () => tallyChains(await list()).rows === rows, `${rows} rows`);
  beforeEach(async () => {
    session = await launchOn(await startOnline());
    seq = 1;
    await record([...readyEvents(session.turnId), act('act_1')]);
    await untilHeld(1);
  });

  it('repeats after a failure and an eviction what it had begun, and goes on from there', async () => {
    await env.DB.exec('ALTER TABLE chain_links RENAME TO away');
    await record([act('act_2'), act('act_3')]);
    await runInDurableObject(feedStub(session.sessionId), (_, state) =>
      state.storage.setAlarm(Date.now() + 60_000),
    );
    await runDurableObjectAlarm(feedStub(session.sessionId));
    expect((await feedStub(session.sessionId).readChainEnds()).settled).toMatchObject({
      number: 1,
    });
    await evictDurableObject(feedStub(session.sessionId));
    await env.DB.exec('ALTER TABLE away RENAME TO chain_links');
    await record([act('act_4')]);
    await untilHeld(4);
    const [chain] = await list();
    expect(chain).toMatchObject({ standing: 'holds', head: { number: 4 }, findings: [] });
    expect((await feedStub(session.sessionId).readChainEnds()).settled).toEqual(chain?.head);
  });

  it('makes the same links again where the database has them and the session does not know', async () => {
    // As a crash between the two does: the page is in the database and cannot be settled.
    await runInDurableObject(feedStub(session.sessionId), (_, { storage }) => {
      storage.sql.exec(
        "CREATE TRIGGER crash BEFORE DELETE ON chain_pending BEGIN SELECT RAISE(ABORT, 'crash'); END",
      );
    });
    await record([act('act_2')]);
    await until(async () => (await links()).length === 3, 'the second link');
    const before = await links();
    await runInDurableObject(feedStub(session.sessionId), (_, { storage }) => {
      storage.sql.exec('DROP TRIGGER crash');
    });
    await evictDurableObject(feedStub(session.sessionId));
    await record([act('act_3')]);
    await untilHeld(3);
    expect((await links()).slice(0, 3)).toEqual(before);
    expect(await list()).toMatchObject([{ standing: 'holds', findings: [] }]);
  });

  it('stays whole while several append and it is looked at', async () => {
    const others = [await launchOn(session), await launchOn(session)];
    const writing = others.map(async ({ sessionId }) => {
      for (let turn = 1; turn <= 10; turn++)
        await session.peer.stored(sessionId, turn, [act(`act_c${turn}`)]);
    });
    for (let look = 0; look < 5; look++) expect(tallyChains(await list()).broken).toEqual([]);
    await Promise.all(writing);
    await untilHeld(21);
    expect(tallyChains(await list())).toMatchObject({ sessions: 3, broken: [] });
  });
});

describe('the list of chains', () => {
  const bearer = async () => {
    await startEmpty();
    return makeCliToken();
  };

  it('tells rows from before the chain apart from rows that hold', async () => {
    const cli = await bearer();
    await project('old', [{ at: 1, event: act('act_1') }]);
    await tamper("DELETE FROM chain_links WHERE session_id = 'ses_old'");
    await project('none', []);
    const answer = await ask('GET', '/v1/chains', { bearer: cli });
    expect(chainPage.parse(answer.body).items).toMatchObject([
      { sessionId: 'ses_none', standing: 'empty', rows: 0, earlier: 0 },
      { sessionId: 'ses_old', standing: 'unchained', rows: 0, earlier: 1 },
    ]);
  });

  it('goes on after its cursor and shows no session of another account', async () => {
    const cli = await bearer();
    for (const name of ['a', 'b', 'c']) await project(name, [{ at: 1, event: act('act_1') }]);
    await project('z', [{ at: 1, event: act('act_1') }], { accountId: accountId.parse('acc_2') });
    const first = chainPage.parse((await ask('GET', '/v1/chains?limit=2', { bearer: cli })).body);
    const rest = await ask('GET', `/v1/chains?cursor=${first.nextCursor}`, { bearer: cli });
    expect(first.items.map(({ sessionId }) => sessionId)).toEqual(['ses_a', 'ses_b']);
    expect(chainPage.parse(rest.body)).toMatchObject({
      items: [{ sessionId: 'ses_c', rows: 1 }],
      nextCursor: null,
    });
  });

  it('is refused to whoever is not signed in', async () => {
    await bearer();
    expect((await ask('GET', '/v1/chains')).status).toBe(401);
  });
});

describe('a finding', () => {
  it('is said in a sentence that names its link and its row', () => {
    const of = { number: 3, ledger: 'act', key: 'act_1' } as const;
    expect(sayFinding({ fault: 'altered', ...of })).toBe(
      'Link 3: the act act_1 is not what was recorded.',
    );
    expect(sayFinding({ fault: 'added', ...of, number: null })).toContain('The act act_1 is');
    expect(sayFinding({ fault: 'added', number: 9, ledger: null, key: null })).toBe(
      'Link 9 was never written by its session.',
    );
    expect(sayFinding({ fault: 'cut', number: 9, ledger: null, key: null })).toContain('link 9');
  });
});
