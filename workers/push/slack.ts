import { PUSH_SAYS, type PushMessage } from '../../protocol/push.ts';

/** The least of Slack's Block Kit, which Mattermost and Discord's Slack form read as well. */
export type SlackPayload = {
  text: string;
  blocks: { type: 'section'; block_id: string; text: { type: 'mrkdwn'; text: string } }[];
};

/** Where the console was opened by whoever set the webhook: links lead there. */
export type ConsoleOrigin = string;

/** Longest that Slack takes a block's own name, in characters. */
const BLOCK_ID_MAX_CHARS = 255;

/**
 * A message in the form that Slack's incoming webhooks take. It says what kind of thing happened and
 * where to look, never what it is about. The block's id is its tag, for programs that read it. Pure.
 */
export function slackPayloadOf(message: PushMessage, origin: ConsoleOrigin): SlackPayload {
  const { title, body: words } = PUSH_SAYS[message.kind];
  // Counts and figures, which name nothing.
  const body = message.kind === 'digest' ? (message.says ?? words) : words;
  const link = `<${origin}${pathOf(message)}|Open it>`;
  return {
    text: `${title}. ${body}`,
    blocks: [
      {
        type: 'section',
        block_id: message.tag.slice(0, BLOCK_ID_MAX_CHARS),
        text: { type: 'mrkdwn', text: `*${escape(title)}*\n${escape(body)} ${link}` },
      },
    ],
  };
}

/** What is sent to see whether it arrives. Pure. */
export function slackTestOf(origin: ConsoleOrigin): SlackPayload {
  const text = 'Pilothouse can reach you here.';
  return {
    text,
    blocks: [
      {
        type: 'section',
        block_id: 'test',
        text: { type: 'mrkdwn', text: `${text} <${origin}/settings|Open the settings>` },
      },
    ],
  };
}

/** The three characters that Slack reads as markup. */
const escape = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

function pathOf({ kind, sessionId, instanceId }: PushMessage): string {
  if (kind === 'digest') return '/digest';
  if (instanceId !== undefined) return `/operators/${instanceId}`;
  return sessionId === null ? '/' : `/sessions/${sessionId}`;
}
