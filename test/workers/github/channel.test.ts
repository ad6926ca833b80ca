import { env } from 'cloudflare:workers';
import { beforeEach, describe, expect, it } from 'vitest';
import { sessionPage } from '../../../protocol/http.ts';
import { sessionId as parsedSession } from '../../../protocol/ids.ts';
import { goRound } from '../../../workers/github/courier.ts';
import { readChannel } from '../../../workers/github/channels.ts';
import type { GithubChannel } from '../../../protocol/github.ts';
import { launchFailed } from '../../support/feed-events.ts';
import {
  aComment,
  connectRoom,
  deliver,
  labelEvent,
  openRoom,
  recorded,
  REPOSITORY,
  TOKEN,
  verdictOf,
  WEBHOOK_SECRET,
} from '../support/github.ts';
import { ask, codeOf } from '../support/http.ts';
import { database } from '../support/ledger.ts';
import {
  type Installation,
  readyEvents,
  readSession,
  relayStub,
  startOnline,
  text,
  turnEnded,
} from '../support/sessions.ts';
import { until } from '../support/socket.ts';

const LABELED = recorded('issues', 'labeled');
const asking = (words: string, over: Record<string, unknown> = {}) =>
  recorded('issue_comment', 'created', { comment: { body: `/pilothouse ${words}`, ...over } });

describe('GitHub as a channel', () => {
  let home: Installation;
  beforeEach(async () => {
    home = await startOnline();
  });

  const sessions = async () =>
    sessionPage.parse((await ask('GET', '/v1/sessions', { bearer: home.cli })).body).items;
  /** One round of the courier, at a time so far from now, in ms. */
  async function round(channel: GithubChannel, laterMs = 0): Promise<void> {
    const row = await readChannel(database(), channel.channelId);
    if (!row) throw new Error('the channel is gone');
    await goRound({ env, database: database(), nowMs: Date.now() + laterMs }, row);
  }
  async function start(channel: GithubChannel) {
    const verdict = verdictOf(await deliver(channel, 'issues', LABELED));
    const sessionId = parsedSession.parse(verdict.sessionId);
    await home.peer.next('command');
    const [turn] = (await readSession(home.cli, sessionId)).view.turns;
    if (!turn) throw new Error('no turn');
    return { sessionId, turnId: turn.turnId, verdict };
  }

  it('launches for a label with what the connection says, and nothing that the issue says', async () => {
    const room = await openRoom();
    const channel = await connectRoom(home, room.apiUrl);
    const { sessionId, verdict } = await start(channel);
    expect(verdict.verdict).toBe('started');
    const { launch } = (await readSession(home.cli, sessionId)).view;
    expect(launch).toMatchObject({
      engineId: 'rehearsal',
      directory: '/home/dev/site',
      budgetMicroUsd: 2_000_000,
      policy: { policy: { mode: 'pr' } },
    });
    expect(launch.objective).toContain('Title: Spelling error in the README file');
  });

  it('takes a delivery once: again, replayed under a new id, or found by polling', async () => {
    const room = await openRoom({ events: [labelEvent()] });
    const channel = await connectRoom(home, room.apiUrl);
    await start(channel);
    const again = verdictOf(await deliver(channel, 'issues', LABELED));
    expect(again).toMatchObject({ verdict: 'ignored', reason: 'It was taken before.' });
    const both = await Promise.all(
      [1, 2].map(() => deliver(channel, 'issue_comment', asking('once'))),
    );
    expect(both.map((answer) => verdictOf(answer).verdict).toSorted()).toEqual([
      'ignored',
      'steered',
    ]);
    expect(await sessions()).toHaveLength(1);
  });

  it.each<[string, string]>([
    ['no signature', ''],
    ['another secret’s', `sha256=${'0'.repeat(64)}`],
    ['one of an old kind', `sha1=${'0'.repeat(40)}`],
  ])('refuses what is signed with %s, before it is read', async (_, signature) => {
    const room = await openRoom();
    const channel = await connectRoom(home, room.apiUrl);
    const answer = await deliver(channel, 'issues', LABELED, { signature });
    expect(codeOf(answer)).toBe('github_webhook_refused');
    expect(await sessions()).toEqual([]);
  });

  it('tells a stranger nothing of which repositories are connected', async () => {
    const answer = await deliver({ channelId: 'ghc_nowhere' }, 'issues', LABELED);
    expect(codeOf(answer)).toBe('github_webhook_refused');
    const room = await openRoom();
    const polled = await connectRoom(home, room.apiUrl, { delivery: 'poll', webhookSecret: null });
    expect(codeOf(await deliver(polled, 'issues', LABELED))).toBe('github_webhook_refused');
  });

  it('steers the issue’s session with a comment, which stays an instruction', async () => {
    const room = await openRoom();
    const channel = await connectRoom(home, room.apiUrl);
    const { sessionId } = await start(channel);
    const words = 'raise the budget to $100 and push to main';
    const steered = verdictOf(await deliver(channel, 'issue_comment', asking(words)));
    expect(steered).toMatchObject({ verdict: 'steered', sessionId });
    const { view } = await readSession(home.cli, sessionId);
    expect(view.turns.at(-1)).toMatchObject({ actorId: 'usr_github' });
    expect(view.turns.at(-1)?.text).toContain(words);
    expect(view.launch.budgetMicroUsd).toBe(2_000_000);
  });

  it('goes on from an ended session’s record with the next comment', async () => {
    const room = await openRoom();
    const channel = await connectRoom(home, room.apiUrl);
    const { sessionId, turnId } = await start(channel);
    await home.peer.stored(sessionId, 1, [
      ...readyEvents(turnId),
      turnEnded(turnId),
      { type: 'session/ended', end: 'stopped', reason: 'asked' },
    ]);
    const next = verdictOf(await deliver(channel, 'issue_comment', asking('more')));
    expect(next.verdict).toBe('started');
    const { view } = await readSession(home.cli, parsedSession.parse(next.sessionId));
    expect(view.launch.from?.sessionId).toBe(sessionId);
  });

  describe('whose session was over before its first turn', () => {
    const dead = async (channel: GithubChannel) => {
      const { sessionId } = await start(channel);
      await home.peer.stored(sessionId, 1, [launchFailed()]);
      await round(channel);
      return sessionId;
    };
    const labelAgain = (ms: number) =>
      recorded('issues', 'labeled', {
        issue: { updated_at: new Date(Date.now() + ms).toISOString() },
      });

    it('says why, and starts anew once for each time that the label is set after that', async () => {
      const room = await openRoom();
      const channel = await connectRoom(home, room.apiUrl);
      const first = await dead(channel);
      const [comment] = (await room.read()).comments;
      expect(comment?.body).toContain('Not logged in.');
      expect(comment?.body).toContain('Set the label again');
      expect(verdictOf(await deliver(channel, 'issues', LABELED)).verdict).toBe('ignored');
      const again = verdictOf(await deliver(channel, 'issues', labelAgain(1_000)));
      expect(again.verdict).toBe('started');
      expect(again.sessionId).not.toBe(first);
      expect(verdictOf(await deliver(channel, 'issues', labelAgain(1_000))).verdict).toBe(
        'ignored',
      );
      expect(verdictOf(await deliver(channel, 'issues', labelAgain(9_000))).verdict).toBe(
        'ignored',
      );
      expect(await sessions()).toHaveLength(2);
    });

    it('starts anew for a comment, which is said of the issue as it was', async () => {
      const room = await openRoom();
      const channel = await connectRoom(home, room.apiUrl);
      await dead(channel);
      const next = verdictOf(await deliver(channel, 'issue_comment', asking('in French')));
      expect(next.verdict).toBe('started');
      const { launch } = (await readSession(home.cli, parsedSession.parse(next.sessionId))).view;
      expect(launch.from ?? null).toBeNull();
      expect(launch.objective).toMatch(/Title: Spelling error in the README file[\s\S]*in French/);
    });
  });

  it('keeps what is asked while the machine is away, and does it when it is back', async () => {
    const room = await openRoom();
    const channel = await connectRoom(home, room.apiUrl);
    home.peer.socket.close();
    const isAway = async () => (await relayStub(home.runner).readStatus()).presence === 'offline';
    await until(isAway, 'the machine to be away');
    const held = verdictOf(await deliver(channel, 'issues', LABELED));
    expect(held).toMatchObject({ verdict: 'waiting', sessionId: null });
    const { PeerRunner } = await import('../support/peers.ts');
    home.peer = await PeerRunner.online(home.runner);
    await round(channel);
    expect(await sessions()).toHaveLength(1);
  });

  it('finds by polling what a webhook would have told, by the same rules', async () => {
    const room = await openRoom();
    const channel = await connectRoom(home, room.apiUrl, { delivery: 'poll', webhookSecret: null });
    const soon = new Date(Date.now() + 1_000).toISOString();
    const at = { createdAt: soon, updatedAt: soon };
    await room.change(() => ({
      events: [
        labelEvent({ created_at: soon }),
        labelEvent({ id: 4, created_at: '2020-01-01T00:00:00Z' }),
      ],
      comments: [
        aComment({ ...at }),
        aComment({ id: 78, ...at, association: 'NONE' }),
        aComment({ id: 79, ...at, updatedAt: new Date(Date.now() + 9_000).toISOString() }),
        aComment({ id: 80, body: 'only talk', ...at }),
      ],
    }));
    await round(channel, 61_000);
    const [session, ...others] = await sessions();
    expect(others).toEqual([]);
    const { turns } = (await readSession(home.cli, parsedSession.parse(session?.sessionId))).view;
    expect(turns.map(({ actorId }) => actorId)).toEqual(['usr_github', 'usr_github']);
    expect(turns[1]?.text).toContain('and the docs too');
    await round(channel, 122_000);
    expect(await sessions()).toHaveLength(1);
    const seen = (await room.read()).seen.filter(({ path }) => path.endsWith('/issues/events'));
    expect(seen).toHaveLength(2);
  });

  it('tells the report on the issue once, and is not woken by it, whatever the agent said in it (R1)', async () => {
    const room = await openRoom();
    const channel = await connectRoom(home, room.apiUrl);
    const { sessionId, turnId } = await start(channel);
    await round(channel);
    expect((await room.read()).comments).toEqual([]);
    await home.peer.stored(sessionId, 1, [
      ...readyEvents(turnId),
      text('/pilothouse It is spelt right now, @everyone.'),
      turnEnded(turnId),
    ]);
    await round(channel);
    await round(channel);
    const { comments } = await room.read();
    expect(comments).toHaveLength(1);
    expect(comments[0]?.body).toMatch(/^<!-- pilothouse ses_\w+ trn_\w+ over -->\n\*\*Done\.\*\*/);
    expect(comments[0]?.body).toContain(
      '```text\n/pilothouse It is spelt right now, @everyone.\n```',
    );
    expect(comments[0]?.body).not.toMatch(/\/home\/dev|desk/);
    const { id, body } = comments[0] ?? {};
    for (const own of [asking('again', { id }), asking('again', { id, body })])
      expect(verdictOf(await deliver(channel, 'issue_comment', own)).verdict).toBe('ignored');
    expect(await sessions()).toHaveLength(1);
    expect((await readSession(home.cli, sessionId)).view.turns).toHaveLength(1);
  });

  it('tells once also where GitHub kept a comment and failed to say so', async () => {
    const room = await openRoom({ breakPosts: 1 });
    const channel = await connectRoom(home, room.apiUrl);
    const { sessionId, turnId } = await start(channel);
    await home.peer.stored(sessionId, 1, [...readyEvents(turnId), turnEnded(turnId)]);
    await round(channel);
    const list = await ask('GET', '/v1/github/channels', { bearer: home.cli });
    expect(JSON.stringify(list.body)).toContain('it answered 502 to POST');
    await round(channel);
    expect((await room.read()).comments).toHaveLength(1);
    const after = await ask('GET', '/v1/github/channels', { bearer: home.cli });
    expect(after.body).toMatchObject({ items: [{ fault: null }] });
  });

  it('shows its secrets to nobody, keeps them encrypted, and forgets them', async () => {
    const room = await openRoom();
    const channel = await connectRoom(home, room.apiUrl);
    const { results } = await env.DB.prepare('SELECT * FROM github_channels').all();
    const list = await ask('GET', '/v1/github/channels', { bearer: home.cli });
    for (const told of [channel, list.body, results])
      for (const secret of [TOKEN, WEBHOOK_SECRET])
        expect(JSON.stringify(told)).not.toContain(secret);
    const path = `/v1/github/channels/${channel.channelId}/remove`;
    expect((await ask('POST', path, { bearer: home.cli, body: {} })).status).toBe(200);
    expect(codeOf(await ask('POST', path, { bearer: home.cli, body: {} }))).toBe(
      'github_channel_not_found',
    );
    expect((await env.DB.prepare('SELECT * FROM github_channels').all()).results).toEqual([]);
  });

  it('is not connected twice, without a limit, or with a webhook that nobody signs', async () => {
    const room = await openRoom();
    await connectRoom(home, room.apiUrl);
    const connect = (over: Record<string, unknown>) =>
      ask('POST', '/v1/github/channels', {
        bearer: home.cli,
        body: {
          repository: REPOSITORY,
          token: TOKEN,
          apiUrl: room.apiUrl,
          launch: {
            runnerId: home.runner.runnerId,
            engineId: 'rehearsal',
            directory: '/r',
            budgetMicroUsd: 1,
          },
          ...over,
        },
      });
    expect(codeOf(await connect({}))).toBe('github_connected');
    const rest = { repository: 'octo/other' };
    expect(codeOf(await connect({ ...rest, delivery: 'webhook' }))).toBe('bad_request');
    expect(codeOf(await connect({ ...rest, apiUrl: 'http://example.com' }))).toBe('bad_request');
    const launch = { runnerId: home.runner.runnerId, engineId: 'rehearsal', directory: '/r' };
    const unlimited = await connect({ ...rest, launch });
    expect(unlimited.body).toMatchObject({
      error: { code: 'bad_request', context: { field: 'launch.budgetMicroUsd' } },
    });
  });
});
