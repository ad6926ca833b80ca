import { type Command, Argument } from 'commander';
import { setTimeout as sleep } from 'node:timers/promises';
import { GATE_ANSWERS, type GateSaid } from '../../../../protocol/gate.ts';
import { CHAT_TEXT_MAX, isWorking, type ChatView } from '../../../../protocol/operator-chat.ts';
import { EXIT, Failure } from '../../../failure.ts';
import type { Api } from '../../api.ts';
import { connect, type ConnectionOptions } from '../../connect.ts';
import { parseCount, withConnection } from '../../options.ts';
import { note, print, say } from '../../output.ts';
import { findInstance } from '../find.ts';
import { oneLine } from '../../format.ts';
import {
  describeChatSpend,
  describeDecisions,
  describeEntry,
  describeRequests,
  sayHow,
} from './words.ts';

/** Between two looks at a conversation, in ms. */
const LOOK_MS = 700;

/** `pilothouse operators say`, and what a person decides about an operator's calls. */
export function addChat(operators: Command): void {
  of(operators, 'say', 'say something to the agent of an instance and see what it does')
    .argument('<text>', 'what it should do')
    .option('--no-wait', 'return at once')
    .addHelpText(
      'after',
      '\nExample:\n  pilothouse operators say build "watch the build and restart it when it fails"',
    )
    .action(runSay);
  of(operators, 'stop', 'stop the agent of an instance, whatever it is doing').action(
    async (text: string, options: ConnectionOptions) => {
      const { api } = connect(options, process.env);
      const { instance } = await findInstance(api, text);
      await api.stopChat(instance.id);
      print(
        options.json,
        { instanceId: instance.id, stopped: true },
        () => 'Stopped. A command that runs in a terminal goes on there.',
      );
    },
  );
  of(operators, 'decisions', 'show what an instance’s calls came to, and by which rule')
    .option('--limit <count>', 'how many', parseCount, 50)
    .action(async (text: string, options: ConnectionOptions & { limit: number }) => {
      const { api } = connect(options, process.env);
      const { instance } = await findInstance(api, text);
      const page = await api.listGateDecisions(instance.id, options.limit);
      print(options.json, page, () => describeDecisions(page.items, Date.now()));
    });
  withConnection(operators.command('requests'))
    .description('list the calls of operators that wait for you')
    .action(async (options: ConnectionOptions) => {
      const items = await connect(options, process.env).api.listGateRequests();
      print(options.json, { items }, () => describeRequests(items, Date.now()));
    });
  of(operators, 'answer', 'answer a call that waits: this one, all such of the instance, or no')
    .argument('<call>', 'id of the call, as `operators requests` shows it')
    .addArgument(new Argument('<answer>', 'what you say').choices(GATE_ANSWERS))
    .action(runAnswer);
}

const of = (operators: Command, name: string, about: string): Command =>
  withConnection(operators.command(name))
    .description(about)
    .argument('<instance>', 'id or name of the instance');

async function runAnswer(
  text: string,
  callId: string,
  said: GateSaid,
  options: ConnectionOptions,
): Promise<void> {
  const { api } = connect(options, process.env);
  const { instance } = await findInstance(api, text);
  const answer = await api.answerCall(instance.id, callId, said);
  const words = answer === said ? 'Noted.' : `It was answered before: ${answer}.`;
  print(options.json, { instanceId: instance.id, callId, answer }, () => words);
}

async function runSay(
  text: string,
  words: string,
  options: ConnectionOptions & { wait: boolean },
): Promise<void> {
  if (words.trim() === '' || words.length > CHAT_TEXT_MAX)
    throw new Failure(
      EXIT.usage,
      'usage',
      `Say something, in ${CHAT_TEXT_MAX} characters at most.`,
    );
  const { api } = connect(options, process.env);
  const { instance } = await findInstance(api, text);
  const seq = await api.say(instance.id, words);
  if (!options.wait) {
    print(
      options.json,
      { instanceId: instance.id, seq },
      () => `It is at it. \`pilothouse operators decisions ${instance.id}\` shows its calls.`,
    );
    return;
  }
  const view = await follow(api, instance.id, seq, options.json);
  print(options.json, view, () => describeChatSpend(view));
  if (view.state === 'halted') throw new Failure(EXIT.refused, 'halted', haltedBy(view));
}

/** Shows the conversation as it grows, until the agent has nothing left to do. */
async function follow(
  api: Api,
  instanceId: string,
  from: number,
  quiet: boolean | undefined,
): Promise<ChatView> {
  const entries: ChatView['entries'] = [];
  let asked: string | null = null;
  for (;;) {
    const view = await api.readChat(instanceId, entries.at(-1)?.seq ?? from);
    entries.push(...view.entries);
    if (!quiet) for (const line of view.entries.flatMap(describeEntry)) say(`${line}\n`);
    if (view.waiting && view.waiting.callId !== asked) {
      asked = view.waiting.callId;
      // What it is asked for is a help alone: where that cannot be read, the call waits all the same.
      const requests = await api.listGateRequests().catch(() => []);
      const request = requests.find(
        (each) => each.instanceId === instanceId && each.callId === asked,
      );
      const how = sayHow({ instanceId, callId: asked, rule: request?.rule ?? null });
      const why = oneLine(view.waiting.reason, 200);
      note(`It waits for you (${why}): \`${how}\`\n`);
    }
    if (!isWorking(view.state) && view.entries.length === 0) return { ...view, entries };
    await sleep(LOOK_MS);
  }
}

const haltedBy = ({ entries }: ChatView): string => {
  const last = entries.findLast(({ event }) => event.type === 'halted')?.event;
  return last?.type === 'halted' ? last.reason : 'It halted.';
};
