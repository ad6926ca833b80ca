import { runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import { env, exports } from 'cloudflare:workers';
import { sign } from '@octokit/webhooks-methods';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { errorBody, ERRORS } from '../../../protocol/errors.ts';
import { sessionPage } from '../../../protocol/http.ts';
import type { GithubChannel } from '../../../protocol/github.ts';
import { accountId, LOCAL_ACCOUNT } from '../../../protocol/ids.ts';
import { listGithub, readChannel, removeGithub } from '../../../workers/github/channels.ts';
import { goRound, POLL_EVERY_MS } from '../../../workers/github/courier.ts';
import {
  aComment,
  connectRoom,
  deliver,
  labelEvent,
  openRoom,
  recorded,
  verdictOf,
  WEBHOOK_SECRET,
} from '../support/github.ts';
import { ask, HOST } from '../support/http.ts';
import { database } from '../support/ledger.ts';
import { type Installation, startOnline } from '../support/sessions.ts';

/** One installation for all: each test connects repositories of its own, and counts from there. */
let home: Installation;
let before = 0;
beforeAll(async () => {
  home = await startOnline();
});
beforeEach(async () => {
  await env.DB.exec('DELETE FROM github_channels');
  await runInDurableObject(courier(), (_, state) => state.storage.deleteAlarm());
  before = (await sessions()).length;
});

const POLL = { delivery: 'poll', webhookSecret: null } as const;
const courier = () => env.GITHUB_COURIER.getByName('all');

async function rowOf({ channelId }: GithubChannel) {
  const row = await readChannel(database(), channelId);
  if (!row) throw new Error('the channel is gone');
  return row;
}
/** One round for a repository, at a time so far from its last look, in ms. */
async function round(
  channel: GithubChannel,
  laterMs: number,
  secret = env.BRAIN_KEYS_SECRET ?? '',
) {
  const row = await rowOf(channel);
  const ports = { env: { ...env, BRAIN_KEYS_SECRET: secret }, database: database() };
  await goRound({ ...ports, nowMs: row.polledAt + laterMs }, row);
}
const sessions = async () =>
  sessionPage.parse((await ask('GET', '/v1/sessions', { bearer: home.cli })).body).items;
const started = async () => (await sessions()).length - before;
const soon = (ms: number) => new Date(Date.now() + ms).toISOString();
const paths = async (room: Awaited<ReturnType<typeof openRoom>>) =>
  (await room.read()).seen.map(({ method, path }) => `${method} ${path.split('Hello-World')[1]}`);

describe('a look at a repository', () => {
  it('comes once a minute, and never where GitHub calls by itself', async () => {
    const [asked, called] = [await openRoom(), await openRoom()];
    const polled = await connectRoom(home, asked.apiUrl, POLL);
    await round(polled, POLL_EVERY_MS - 1);
    expect(await paths(asked)).toEqual([]);
    await round(polled, POLL_EVERY_MS);
    expect(await paths(asked)).toEqual(['GET /issues/events', 'GET /issues/comments']);
    const hooked = await connectRoom(home, called.apiUrl, { repository: 'Codertocat/other' });
    await round(hooked, POLL_EVERY_MS * 9);
    expect((await called.read()).seen).toEqual([]);
  });

  it('takes nothing that was there before the repository was connected', async () => {
    const past = new Date(Date.now() - 30_000).toISOString();
    const comment = aComment({ createdAt: past, updatedAt: past });
    const room = await openRoom({
      events: [labelEvent({ created_at: past })],
      comments: [comment],
    });
    const channel = await connectRoom(home, room.apiUrl, POLL);
    await round(channel, POLL_EVERY_MS);
    expect(await started()).toBe(0);
  });

  it('asks nothing more about a comment that is not meant for it', async () => {
    const at = { createdAt: soon(500), updatedAt: soon(500) };
    const talk = ['just talk', 'see /pilothouse for more', '/pilothouses'].map((body, index) =>
      aComment({ id: 90 + index, body, ...at }),
    );
    const room = await openRoom({ comments: talk });
    await round(await connectRoom(home, room.apiUrl, POLL), POLL_EVERY_MS);
    expect(await paths(room)).not.toContain('GET /issues/1');
  });

  it.each<[string, Record<string, unknown>]>([
    ['another event than a label', { event: 'closed' }],
    ['a label of a bot', { actor: { login: 'dependabot', type: 'Bot' } }],
    ['a label whose issue is gone', { issue: null }],
    ['another label', { label: { name: 'wontfix' } }],
  ])('starts nothing for %s', async (_, over) => {
    const room = await openRoom({ events: [labelEvent({ created_at: soon(500), ...over })] });
    const channel = await connectRoom(home, room.apiUrl, POLL);
    await round(channel, POLL_EVERY_MS);
    expect(await started()).toBe(0);
    expect((await rowOf(channel)).fault).toBeNull();
  });

  it('that fails counts for nothing: what it missed is found by the next', async () => {
    const room = await openRoom({ events: [labelEvent({ created_at: soon(500) })] });
    const channel = await connectRoom(home, room.apiUrl, POLL);
    const { token } = await room.read();
    await room.change(() => ({ token: 'ghp_another' }));
    await round(channel, POLL_EVERY_MS);
    const failed = await rowOf(channel);
    expect(failed.polledAt).toBe(channel.polledAt);
    expect(failed.fault).toContain('it answered 401 to GET /repos/Codertocat/Hello-World');
    await room.change(() => ({ token }));
    await round(channel, POLL_EVERY_MS);
    expect(await rowOf(channel)).toMatchObject({
      fault: null,
      polledAt: channel.polledAt + POLL_EVERY_MS,
    });
    expect(await started()).toBe(1);
  });

  it('does not happen with a token that this server cannot open any more', async () => {
    const room = await openRoom();
    const channel = await connectRoom(home, room.apiUrl, POLL);
    await round(channel, POLL_EVERY_MS, 'another secret of the server, just as long');
    expect((await rowOf(channel)).fault).toContain(ERRORS.brain_key_unreadable.sentence);
    expect((await room.read()).seen).toEqual([]);
  });
});

describe('what is asked and cannot be done', () => {
  it('for good is refused, said why, and not tried again', async () => {
    const room = await openRoom();
    const channel = await connectRoom(home, room.apiUrl);
    await env.DB.exec(
      "UPDATE github_channels SET launch = json_set(launch, '$.runnerId', 'run_gone')",
    );
    const verdict = verdictOf(await deliver(channel, 'issues', recorded('issues', 'labeled')));
    expect(verdict).toMatchObject({ verdict: 'refused', sessionId: null });
    expect(verdict.reason).toBe(ERRORS.runner_not_found.sentence);
    const launch = JSON.stringify(channel.launch);
    await env.DB.prepare('UPDATE github_channels SET launch = ?').bind(launch).run();
    await round(channel, POLL_EVERY_MS);
    expect(await started()).toBe(0);
    const { results } = await env.DB.prepare(
      'SELECT verdict, reason FROM github_asks WHERE channel_id = ?',
    )
      .bind(channel.channelId)
      .all();
    expect(results).toEqual([{ verdict: 'refused', reason: verdict.reason }]);
  });

  it('is no JSON: the sender is told how to choose it', async () => {
    const room = await openRoom();
    const { channelId } = await connectRoom(home, room.apiUrl);
    const body = 'payload=%7B%7D';
    const response = await exports.default.fetch(`http://${HOST}/v1/github/webhooks/${channelId}`, {
      method: 'POST',
      headers: {
        'x-github-event': 'issues',
        'x-hub-signature-256': await sign(WEBHOOK_SECRET, body),
      },
      body,
    });
    expect(errorBody.parse(await response.json()).error).toMatchObject({
      code: 'bad_request',
      context: { detail: expect.stringContaining('choose application/json') },
    });
  });
});

describe('the courier', () => {
  const alarm = () => runInDurableObject(courier(), (_, state) => state.storage.getAlarm());

  it('goes round from the first connection on, and stops with the last', async () => {
    expect(await alarm()).toBeNull();
    const room = await openRoom();
    const channel = await connectRoom(home, room.apiUrl, POLL);
    expect(await alarm()).not.toBeNull();
    await runDurableObjectAlarm(courier());
    expect(await alarm()).not.toBeNull();
    await removeGithub(database(), LOCAL_ACCOUNT, channel.channelId);
    await runDurableObjectAlarm(courier());
    expect(await alarm()).toBeNull();
  });

  it('is not hindered at one repository by what is wrong with another', async () => {
    const broken = await openRoom({ token: 'ghp_another' });
    const well = await openRoom({
      events: [labelEvent({ created_at: soon(500) })],
    });
    const bad = await connectRoom(home, broken.apiUrl, { ...POLL, repository: 'a/broken' });
    const good = await connectRoom(home, well.apiUrl, POLL);
    await env.DB.prepare('UPDATE github_channels SET polled_at = polled_at - ?')
      .bind(POLL_EVERY_MS)
      .run();
    await runDurableObjectAlarm(courier());
    expect((await rowOf(bad)).fault).toContain('401');
    expect((await rowOf(good)).fault).toBeNull();
    expect(await started()).toBe(1);
  });
});

describe('a connected repository', () => {
  it('is seen and forgotten by its own account alone', async () => {
    const { channelId } = await connectRoom(home, (await openRoom()).apiUrl);
    const stranger = accountId.parse('acc_other');
    expect(await listGithub(database(), stranger)).toEqual([]);
    await expect(removeGithub(database(), stranger, channelId)).rejects.toMatchObject({
      code: 'github_channel_not_found',
    });
    expect(await listGithub(database(), LOCAL_ACCOUNT)).toHaveLength(1);
  });

  it('says where GitHub is to call, or that it is asked', async () => {
    const hooked = await connectRoom(home, (await openRoom()).apiUrl);
    const other = { ...POLL, repository: 'a/b' };
    const polled = await connectRoom(home, (await openRoom()).apiUrl, other);
    expect(hooked.webhookPath).toBe(`/v1/github/webhooks/${hooked.channelId}`);
    expect(polled.webhookPath).toBeNull();
    const items = await listGithub(database(), LOCAL_ACCOUNT);
    expect(items.map(({ channelId }) => channelId)).toEqual([polled.channelId, hooked.channelId]);
  });
});
