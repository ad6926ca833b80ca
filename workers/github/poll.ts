import { eq } from 'drizzle-orm';
import { githubChannels } from '../db/schema.ts';
import type { ForgeApi } from './api.ts';
import type { ChannelRow } from './channels.ts';
import { commandIn } from './decide.ts';
import { isBot, toComment, toIssue } from './event.ts';
import { takeEvent, type TakePorts } from './take.ts';

/** How far each look reaches behind the last one, in ms: clocks differ, and twice is once. */
const OVERLAP_MS = 120_000;

/**
 * Looks through a repository for what a webhook would have told: labels that were set and comments
 * that were written since the last look. Throws what the API throws; then nothing counts as seen.
 */
export async function pollChannel(
  ports: TakePorts,
  channel: ChannelRow,
  forge: ForgeApi,
): Promise<void> {
  const { repository, polledAt, createdAt } = channel;
  const from = Math.max(polledAt - OVERLAP_MS, createdAt);
  const events = await forge.listIssueEvents();
  for (const { event, created_at: at, actor, label, issue } of events.toReversed()) {
    if (event !== 'labeled' || at < from || !label || !issue) continue;
    const byBot = isBot(actor ?? null);
    const told = { label: label.name, byBot, issue: toIssue(issue), at };
    await takeEvent(ports, channel, { kind: 'labeled', repository, ...told }, null);
  }
  for (const fields of await forge.listComments(from)) {
    const number = Number(/\/issues\/(\d+)$/.exec(fields.issue_url)?.[1]);
    const comment = toComment(fields);
    // Only what may be meant for us is worth a further request.
    if (fields.created_at < from || !commandIn(comment.body) || !number) continue;
    const issue = toIssue(await forge.readIssue(number));
    const told = { comment, issue, at: fields.created_at };
    await takeEvent(ports, channel, { kind: 'commented', repository, ...told }, null);
  }
  await ports.database
    .update(githubChannels)
    .set({ polledAt: ports.nowMs })
    .where(eq(githubChannels.channelId, channel.channelId));
}
