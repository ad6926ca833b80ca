import { QueryClient, QueryObserver, type QueryObserverOptions } from '@tanstack/react-query';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { changesQuery } from '../../../console/api/changes.ts';
import { chatQuery } from '../../../console/api/chat.ts';
import { comparisonQuery } from '../../../console/api/comparisons.ts';
import { repositoryQuery } from '../../../console/api/decisions.ts';
import { pilotQuery } from '../../../console/api/pilot.ts';
import { usageTurnsQuery } from '../../../console/api/usage.ts';
import { REVIEW } from '../../../console/mock/review.ts';
import { LOCAL_ACTOR } from '../../../protocol/ids.ts';
import type { ChatState } from '../../../protocol/operator-chat.ts';
import type { PilotStatus } from '../../../protocol/pilot.ts';
import { aPilotView } from '../../support/pilot-builders.ts';
import { scriptFetch } from './scripted-fetch.ts';

let client: QueryClient;
const leave: (() => void)[] = [];

beforeEach(() => {
  vi.useFakeTimers();
  client = new QueryClient({
    defaultOptions: { queries: { retry: false, networkMode: 'always' } },
  });
});
afterEach(() => {
  for (const stop of leave.splice(0)) stop();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** Nothing has the focus here, and what is in the background is not read again by itself. */
const asWatched = (query: object) =>
  ({ ...query, refetchIntervalInBackground: true }) as QueryObserverOptions;

/** Looks at a query as a page does, until the test is over. */
function watch(query: object) {
  const observer = new QueryObserver(client, asWatched(query));
  leave.push(observer.subscribe(() => undefined));
  return observer;
}
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

describe('a Pilot that a page looks at', () => {
  const looksIn = async (status: PilotStatus, ms: number) => {
    const asked = scriptFetch(({ path }) =>
      path.endsWith('/decisions') ? { items: [], nextCursor: null } : aPilotView({ status }),
    );
    watch(pilotQuery('ses_a'));
    await pass(ms);
    return asked.filter(({ path }) => !path.endsWith('/decisions')).length;
  };

  it('is looked at again while it works, every two seconds', async () => {
    expect(await looksIn('waiting_turn', 6_500)).toBe(4);
  });

  it.each(['finished', 'stopped', 'failed'] as const)(
    'is left alone once it is %s',
    async (status) => {
      expect(await looksIn(status, 60_000)).toBe(1);
    },
  );
});

describe('a conversation that a page looks at', () => {
  const view = (state: ChatState, seqs: readonly number[], last: number) => ({
    state,
    waiting: null,
    entries: seqs.map((seq) => ({
      seq,
      at: 1_000,
      event: { type: 'said', text: `word ${seq}`, actorId: LOCAL_ACTOR },
    })),
    last,
    spentMicroUsd: 0,
    unpriced: 0,
    budgetMicroUsd: null,
  });
  const seqsSeen = () =>
    client
      .getQueryData<{ entries: { seq: number }[] }>(chatQuery('ins_a').queryKey)
      ?.entries.map(({ seq }) => seq);

  it.each([
    ['thinking', 13],
    ['idle', 3],
  ] as const)('is read as often as an agent that is %s needs it', async (state, looks) => {
    const asked = scriptFetch(() => view(state, [], 0));
    watch(chatQuery('ins_a'));
    await pass(10_100);
    expect(asked).toHaveLength(looks);
  });

  it('is read to its end, each page from where the one before it ended', async () => {
    const asked = scriptFetch(({ query }) =>
      query['after'] === '0' ? view('idle', [1, 2], 3) : view('idle', [3], 3),
    );
    watch(chatQuery('ins_a'));
    await pass(0);
    expect(seqsSeen()).toEqual([1, 2, 3]);
    expect(asked.map(({ query }) => query['after'])).toEqual(['0', '2']);
  });

  it('ends where a page is empty, also when more was promised', async () => {
    const asked = scriptFetch(({ query }) =>
      query['after'] === '0' ? view('idle', [1], 9) : view('idle', [], 9),
    );
    watch(chatQuery('ins_a'));
    await pass(100);
    expect(seqsSeen()).toEqual([1]);
    expect(asked).toHaveLength(2);
  });
});

describe('what a session changed', () => {
  const reviewOf = (path: string) => ({ ...REVIEW, sessionId: path.split('/')[3] });

  it('stays in sight while it is asked for anew, but never for another session', async () => {
    scriptFetch(({ path }) => reviewOf(path));
    const page = watch(changesQuery('ses_a', 'turn-1'));
    await pass(0);
    page.setOptions(asWatched(changesQuery('ses_a', 'turn-2')));
    expect(page.getCurrentResult()).toMatchObject({
      isPlaceholderData: true,
      data: { sessionId: 'ses_a' },
    });
    await pass(0);
    page.setOptions(asWatched(changesQuery('ses_b', 'turn-1')));
    expect(page.getCurrentResult().data).toBeUndefined();
  });
});

describe('what cannot be answered', () => {
  it.each([
    ['a comparison of one run', comparisonQuery(['ses_a'])],
    ['the turns of no session', usageTurnsQuery([])],
  ])('is not asked: %s', async (_, query) => {
    const asked = scriptFetch(() => ({}));
    watch(query);
    await pass(60_000);
    expect(asked).toEqual([]);
  });

  it('is no repository, where the list has none of its name', async () => {
    scriptFetch(() => ({ items: [], nextCursor: null }));
    expect(await client.fetchQuery(repositoryQuery('acme/site'))).toBeNull();
  });
});

describe('the turns of sessions', () => {
  it('are found by their session, and asked for together', async () => {
    const turns = [{ turnId: 'trn_a', readTokens: 7 }];
    const asked = scriptFetch(() => ({ items: [{ sessionId: 'ses_b', turns }] }));
    const page = watch(usageTurnsQuery(['ses_a', 'ses_b']));
    await pass(0);
    expect(asked.map(({ query }) => query)).toEqual([{ sessions: 'ses_a,ses_b' }]);
    expect(page.getCurrentResult().data).toEqual(new Map([['ses_b', turns]]));
  });
});
