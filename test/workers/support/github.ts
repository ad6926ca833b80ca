import { sign } from '@octokit/webhooks-methods';
import examples from '@octokit/webhooks-examples';
import { inject } from 'vitest';
import {
  type ConnectGithub,
  githubChannel,
  type GithubChannel,
  githubVerdict,
} from '../../../protocol/github.ts';
import type { ForgeComment, ForgeRoom } from '../../support/forge/github-room.ts';
import { ask } from './http.ts';
import type { Installation } from './sessions.ts';

export const REPOSITORY = 'Codertocat/Hello-World';
export const TOKEN = 'ghp_sentinel-of-the-tests';
export const WEBHOOK_SECRET = 'sentinel-secret-of-the-webhook';

/** A delivery as GitHub once sent it. */
export type Recorded = Record<string, unknown> & {
  action: string;
  issue: Record<string, unknown>;
  comment: Record<string, unknown>;
};

/** Every recorded delivery with the name of its event. */
export const RECORDED = (examples as unknown as { name: string; examples: Recorded[] }[]).flatMap(
  ({ name, examples: all }) => all.map((body) => ({ name, body })),
);

/** The first recorded delivery of this kind, with these fields of its comment or issue changed. */
export function recorded(
  name: string,
  action: string,
  over: { comment?: Record<string, unknown>; issue?: Record<string, unknown> } = {},
): Recorded {
  const found = RECORDED.find((each) => each.name === name && each.body.action === action);
  if (!found) throw new Error(`nothing is recorded of ${name} ${action}`);
  const body = structuredClone(found.body);
  if (over.issue) body.issue = { ...body.issue, ...over.issue };
  if (over.comment) body.comment = { ...body.comment, ...over.comment };
  return body;
}

let rooms = 0;

/** A repository on the stand-in for GitHub. */
export async function openRoom(over: Partial<ForgeRoom> = {}) {
  const root = inject('githubApi');
  const name = `room${Date.now()}x${++rooms}`;
  const room: ForgeRoom = {
    token: TOKEN,
    issues: [recorded('issues', 'labeled').issue],
    events: [],
    comments: [],
    seen: [],
    breakPosts: 0,
    ...over,
  };
  const save = (next: ForgeRoom) =>
    fetch(`${root}/room/${name}`, { method: 'POST', body: JSON.stringify(next) });
  await save(room);
  const read = async () => (await fetch(`${root}/room/${name}`)).json<ForgeRoom>();
  return {
    apiUrl: `${root}/api/${name}`,
    read,
    async change(make: (held: ForgeRoom) => Partial<ForgeRoom>) {
      const held = await read();
      await save({ ...held, ...make(held) });
    },
  };
}

export const aComment = (over: Partial<ForgeComment> = {}): ForgeComment => {
  const now = new Date().toISOString();
  return {
    id: 77,
    issue: 1,
    body: '/pilothouse and the docs too',
    login: 'octo',
    association: 'OWNER',
    createdAt: now,
    updatedAt: now,
    ...over,
  };
};

/** A label that was set on the recorded issue, as the list of events tells it. */
export const labelEvent = (over: Record<string, unknown> = {}): Record<string, unknown> => ({
  id: 5,
  event: 'labeled',
  created_at: new Date().toISOString(),
  actor: { login: 'octo', type: 'User' },
  label: { name: 'bug' },
  issue: recorded('issues', 'labeled').issue,
  ...over,
});

/** Connects the repository as a person does. */
export async function connectRoom(
  home: Installation,
  apiUrl: string,
  over: Partial<ConnectGithub> = {},
): Promise<GithubChannel> {
  const body: ConnectGithub = {
    repository: REPOSITORY,
    label: 'bug',
    delivery: 'webhook',
    apiUrl,
    token: TOKEN,
    webhookSecret: WEBHOOK_SECRET,
    launch: {
      runnerId: home.runner.runnerId,
      engineId: 'rehearsal',
      directory: '/home/dev/site',
      budgetMicroUsd: 2_000_000,
    },
    ...over,
  };
  return githubChannel.parse(
    (await ask('POST', '/v1/github/channels', { bearer: home.cli, body })).body,
  );
}

type DeliverOptions = { signature?: string; deliveryId?: string };

/** Delivers as GitHub does, signed with the secret unless another signature is given. */
export async function deliver(
  { channelId }: { channelId: string },
  name: string,
  body: unknown,
  { signature, deliveryId = crypto.randomUUID() }: DeliverOptions = {},
) {
  return ask('POST', `/v1/github/webhooks/${channelId}`, {
    body,
    headers: {
      'x-github-event': name,
      'x-github-delivery': deliveryId,
      'x-hub-signature-256': signature ?? (await sign(WEBHOOK_SECRET, JSON.stringify(body))),
    },
  });
}

export const verdictOf = (answer: { body: unknown }) => githubVerdict.parse(answer.body);
