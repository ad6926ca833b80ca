import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { LOCAL_ACCOUNT } from '../../../protocol/ids.ts';
import { budgetList } from '../../../protocol/shared-budget.ts';
import { BudgetBook } from '../../../workers/budgets/budget-book.ts';
import { bookOf, feedOf } from '../../../workers/lib/stubs.ts';
import { SessionFeed } from '../../../workers/relay/session-feed.ts';
import { aUsage } from '../../support/protocol-builders.ts';
import { ask } from '../support/http.ts';
import {
  type Launched,
  launchOn,
  readSession,
  readyEvents,
  startOnline,
  turnEnded,
} from '../support/sessions.ts';
import { until } from '../support/socket.ts';

const MOST = { microUsd: 400, tokens: 900 };
const RESERVE = { do: 'reserve', step: 3, model: 'claude-haiku-4-5', most: MOST } as const;
const BUDGET = { scope: { kind: 'account' }, unit: 'dollars', renews: 'never', basedOn: 0 };

let launched: Launched;
let next: number;
beforeEach(async () => {
  const home = await startOnline();
  const body = { ...BUDGET, limit: 1_000 };
  await ask('POST', '/v1/budgets', { bearer: home.cli, body });
  launched = await launchOn(home);
  const { peer, sessionId, turnId } = launched;
  const turn = [...readyEvents(turnId), turnEnded(turnId)];
  next = 1 + turn.length;
  await peer.stored(sessionId, 1, turn);
  await stands({ used: 0, reserved: 0 });
});

const feed = () => feedOf(env, LOCAL_ACCOUNT, launched.sessionId);
const budget = async () =>
  budgetList.parse((await ask('GET', '/v1/budgets', { bearer: launched.cli })).body).items[0];
async function stands({ used, reserved }: { used: number; reserved: number }): Promise<void> {
  await until(async () => {
    const now = await budget();
    return now?.used === used && now.reserved === reserved;
  }, `${used} used and ${reserved} reserved`);
}
/** The budgets are told, and do not hear it. */
async function loseTheWord(step: Parameters<ReturnType<typeof feed>['brain']>[0]): Promise<void> {
  vi.spyOn(BudgetBook.prototype, 'settle').mockRejectedValueOnce(new Error('lost on its way'));
  expect(await feed().brain(step)).toMatchObject({ ok: true });
  vi.restoreAllMocks();
}
/** More time goes by than any call takes. */
async function age(): Promise<void> {
  const stubs = { book: bookOf(env, LOCAL_ACCOUNT), feed: feed() };
  const tables = { book: "grants SET at = 0 WHERE kind = 'call'", feed: 'brain_calls SET at = 0' };
  for (const of of ['book', 'feed'] as const)
    await runInDurableObject(
      stubs[of] as unknown as DurableObjectStub<BudgetBook>,
      (_object, { storage }) => void storage.sql.exec(`UPDATE ${tables[of]}`),
    );
}
const brainSpend = async () =>
  (await readSession(launched.cli, launched.sessionId)).view.brainSpend;

describe('what a Pilot’s brain takes of the account’s budgets', () => {
  it('is held before it is asked, and what it came to afterwards', async () => {
    expect(await feed().brain(RESERVE)).toMatchObject({ ok: true });
    await stands({ used: 0, reserved: 400 });
    await feed().brain({ do: 'record', step: 3, usage: aUsage({ microUsd: 120 }) });
    await stands({ used: 120, reserved: 0 });
  });

  it('comes back where nothing was served', async () => {
    await feed().brain(RESERVE);
    expect(await feed().brain({ do: 'release', step: 3 })).toMatchObject({ ok: true });
    await stands({ used: 0, reserved: 0 });
  });

  it('counts as the most that it can be where its asker died, and is on record as not settled', async () => {
    await feed().brain(RESERVE);
    expect(await brainSpend()).toBeUndefined();
    await feed().brain(RESERVE);
    await stands({ used: 400, reserved: 400 });
    expect(await brainSpend()).toMatchObject({ unsettled: { entries: 1, microUsd: 0 } });
  });

  it('counts as that too where another step is asked next, as after a new objective', async () => {
    await feed().brain(RESERVE);
    await feed().brain({ ...RESERVE, step: 4 });
    await stands({ used: 400, reserved: 400 });
    expect(await brainSpend()).toMatchObject({ unsettled: { entries: 1 } });
    await feed().brain({ do: 'record', step: 4, usage: aUsage({ microUsd: 120 }) });
    await stands({ used: 520, reserved: 0 });
  });

  it('is counted once where the word to the budgets is lost and nothing more is asked', async () => {
    await feed().brain(RESERVE);
    await loseTheWord({ do: 'record', step: 3, usage: aUsage({ microUsd: 120 }) });
    await age();
    await stands({ used: 120, reserved: 0 });
    expect(await brainSpend()).toMatchObject({ reported: { microUsd: 120 } });
  });

  it('is counted once where the word is lost and its asker with it, so that it is asked again', async () => {
    await feed().brain(RESERVE);
    await loseTheWord({ do: 'record', step: 3, usage: aUsage({ microUsd: 120 }) });
    await feed().brain(RESERVE);
    await stands({ used: 120, reserved: 400 });
    expect(await brainSpend()).not.toMatchObject({ unsettled: { entries: 1 } });
  });

  it('of two that ask at once, the one that dies is on record as not settled beside the other', async () => {
    const real = BudgetBook.prototype.reserveCall;
    const both = Promise.withResolvers<void>();
    let asking = 0;
    vi.spyOn(BudgetBook.prototype, 'reserveCall').mockImplementation(async function (
      this: BudgetBook,
      ...asked: Parameters<typeof real>
    ) {
      asking += 1;
      if (asking === 2) both.resolve();
      await both.promise;
      return real.apply(this, asked);
    });
    const held = await Promise.all([feed().brain(RESERVE), feed().brain(RESERVE)]);
    vi.restoreAllMocks();
    expect(held).toMatchObject([{ ok: true }, { ok: true }]);
    await feed().brain({ do: 'record', step: 3, usage: aUsage({ microUsd: 120 }) });
    await age();
    await feed().brain({ do: 'giveUp', before: Date.now() });
    expect(await brainSpend()).toMatchObject({
      reported: { microUsd: 120 },
      unsettled: { entries: 1 },
    });
  });

  it('stays open where another one that asks at once is refused', async () => {
    const real = BudgetBook.prototype.reserveCall;
    const asked = Promise.withResolvers<void>();
    const refused = { ok: false, code: 'model_over_budget', context: {} } as const;
    vi.spyOn(BudgetBook.prototype, 'reserveCall')
      .mockImplementationOnce(async function (
        this: BudgetBook,
        ...asking: Parameters<typeof real>
      ) {
        await asked.promise;
        return real.apply(this, asking);
      })
      .mockImplementationOnce(async () => {
        asked.resolve();
        await scheduler.wait(50);
        return refused;
      });
    await Promise.all([feed().brain(RESERVE), feed().brain(RESERVE)]);
    vi.restoreAllMocks();
    await feed().brain({ do: 'giveUp', before: Date.now() });
    expect(await brainSpend()).toMatchObject({ unsettled: { entries: 1 } });
  });

  it('counts as nothing where the budgets held it and their word was lost: no model was asked', async () => {
    const real = BudgetBook.prototype.reserveCall;
    vi.spyOn(BudgetBook.prototype, 'reserveCall').mockImplementationOnce(async function (
      this: BudgetBook,
      ...asked: Parameters<typeof real>
    ) {
      await real.apply(this, asked);
      throw new Error('lost on its way');
    });
    // Within the object: a rejection that crosses a stub is told of twice.
    const said = await runInDurableObject(
      feed() as unknown as DurableObjectStub<SessionFeed>,
      (object) => object.brain(RESERVE).catch((fault: unknown) => String(fault)),
    );
    expect(said).toContain('lost on its way');
    vi.restoreAllMocks();
    await stands({ used: 0, reserved: 400 });
    expect(await feed().brain(RESERVE)).toMatchObject({ ok: true });
    await stands({ used: 0, reserved: 400 });
    expect(await brainSpend()).toBeUndefined();
    await feed().brain({ do: 'record', step: 3, usage: aUsage({ microUsd: 120 }) });
    await stands({ used: 120, reserved: 0 });
  });

  it('is on record as not settled once it must be over, until its figure comes after all', async () => {
    await feed().brain(RESERVE);
    await age();
    await stands({ used: 400, reserved: 0 });
    expect(await brainSpend()).toMatchObject({ unsettled: { entries: 1 } });
    await feed().brain({ do: 'record', step: 3, usage: aUsage({ microUsd: 120 }) });
    await stands({ used: 120, reserved: 0 });
  });

  it('is held on to while its session cannot be asked', async () => {
    await feed().brain(RESERVE);
    vi.spyOn(SessionFeed.prototype, 'brain').mockRejectedValue(new Error('away'));
    await age();
    await stands({ used: 0, reserved: 400 });
    expect(await brainSpend()).toBeUndefined();
    vi.restoreAllMocks();
    await stands({ used: 400, reserved: 0 });
  });

  it('is refused where it is not covered, by whichever session it is held', async () => {
    await feed().brain(RESERVE);
    const other = await launchOn(launched);
    await stands({ used: 0, reserved: 650 });
    const asked = await feedOf(env, LOCAL_ACCOUNT, other.sessionId).brain({
      ...RESERVE,
      most: { ...MOST, microUsd: 351 },
    });
    expect(asked).toMatchObject({ ok: false, code: 'model_over_budget' });
  });

  it('of its own engine is a share, and over once the machine has told what it came to', async () => {
    const share = await feed().brain({ do: 'reserveShare', step: 5 });
    expect(share).toEqual({ ok: true, value: { microUsd: 250, paidMicroUsd: null } });
    // The same question again, as after a crash, has the same.
    expect(await feed().brain({ do: 'reserveShare', step: 5 })).toEqual(share);
    await stands({ used: 0, reserved: 250 });
    const answered = { type: 'brain/answered', step: 5, usage: aUsage({ microUsd: 70 }) } as const;
    await launched.peer.stored(launched.sessionId, next, [answered]);
    await stands({ used: 70, reserved: 0 });
    expect(await feed().brain({ do: 'reserveShare', step: 5 })).toEqual(share);
    await stands({ used: 70, reserved: 0 });
  });
});
