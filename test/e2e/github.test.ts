import { sign } from '@octokit/webhooks-methods';
import examples from '@octokit/webhooks-examples';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { githubChannel, type GithubChannel, githubVerdict } from '../../protocol/github.ts';
import { type Forge, openForge } from '../support/forge/github-api.ts';
import type { ForgeRoom } from '../support/forge/github-room.ts';
import { runPilothouse } from '../support/installation.ts';
import { until } from '../support/until.ts';
import { RehearsalWorld } from './rehearsal-world.ts';

const TOKEN = 'ghp_sentinel-of-the-journey';
const REPOSITORY = 'Codertocat/Hello-World';

/** The label as GitHub once told of it. */
const labeled = (
  examples as unknown as {
    name: string;
    examples: { action: string; issue: ForgeRoom['issues'][0] }[];
  }[]
)
  .find(({ name }) => name === 'issues')
  ?.examples.find(({ action }) => action === 'labeled');
if (!labeled) throw new Error('no label is recorded');
const ISSUE = labeled.issue;

let world: RehearsalWorld;
let forge: Forge;
let room: ForgeRoom;
let channel: GithubChannel;
let secret = '';

beforeAll(async () => {
  forge = await openForge();
  room = { token: TOKEN, issues: [ISSUE], events: [], comments: [], seen: [], breakPosts: 0 };
  forge.rooms.set('one', room);
  world = await RehearsalWorld.start({
    turns: [
      [
        { do: 'edit', path: 'a.txt', find: 'hello', replace: 'goodbye', ask: false },
        { do: 'text', text: 'The spelling is right.' },
        { do: 'usage', inputTokens: 9, outputTokens: 9, costUsd: 0 },
      ],
    ],
  });
});
afterAll(async () => {
  await world?.stop();
  await forge?.close();
});

const github = (...args: string[]) =>
  runPilothouse(
    ['github', ...args],
    { ...world.installation.env, PILOTHOUSE_GITHUB_TOKEN: TOKEN },
    world.repository,
  );

async function deliver(body: unknown) {
  const text = JSON.stringify(body);
  const response = await fetch(new URL(channel.webhookPath ?? '', world.installation.url), {
    method: 'POST',
    body: text,
    headers: {
      'content-type': 'application/json',
      'x-github-event': 'issues',
      'x-github-delivery': 'd-1',
      'x-hub-signature-256': await sign(secret, text),
    },
  });
  return githubVerdict.parse(await response.json());
}

describe('GitHub from end to end', () => {
  it('is connected from the command line, which shows the secret of the webhook once', async () => {
    const launch = ['--engine', 'rehearsal', '--budget', '1', '--approvals', 'accept_edits'];
    const rest = ['--api', `${forge.url}/api/one`, '--label', 'bug', '--webhook', '--json'];
    const done = await github('connect', REPOSITORY, ...launch, ...rest);
    expect({ ...done, stdout: '' }).toMatchObject({ exitCode: 0 });
    const told = JSON.parse(done.stdout) as { webhookSecret: string };
    channel = githubChannel.parse(told);
    secret = told.webhookSecret;
    expect(secret).toMatch(/^[0-9a-f]{64}$/);
    const list = await github('list');
    expect(list.stdout).toMatch(/Codertocat\/Hello-World +bug +webhook +rehearsal +\$1\.00/);
    expect(list.stdout + JSON.stringify(channel)).not.toMatch(new RegExp(`${TOKEN}|${secret}`));
  });

  it('starts a session by a label, and tells on the issue what was seen of it', async () => {
    const verdict = await deliver(labeled);
    expect(verdict).toMatchObject({ verdict: 'started' });
    await world.untilTurns(verdict.sessionId ?? '', 1);
    await until('the comment on the issue', () => room.comments.length > 0, {
      withinMs: 60_000,
      tell: () => world.tell(),
    });
    expect(room.comments[0]?.body).toContain('The spelling is right.');
    expect(room.comments[0]?.body).toContain('`a.txt` edited, +1 −1');
    expect(room.comments[0]?.body).not.toContain(world.home);
    expect(await deliver(labeled)).toMatchObject({ verdict: 'ignored' });
    expect(room.comments).toHaveLength(1);
  });

  it('is disconnected, and started by nothing any more', async () => {
    expect((await github('remove', REPOSITORY)).exitCode).toBe(0);
    expect((await github('remove', REPOSITORY)).exitCode).toBe(4);
    await expect(deliver(labeled)).rejects.toThrow();
  });
});
