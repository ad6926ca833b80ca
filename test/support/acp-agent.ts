/**
 * An agent of which nobody here knows anything, on the agent's side of the official package, which
 * checks by its own schemas whatever a client sends. `--load`: it can take up what it began.
 * `--cost USD`: it tells that each turn has cost so much. It runs what stands behind `run: `,
 * after asking; at `wait` it works until it is interrupted, or the file `go-on` is there.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, watch, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { parseArgs } from 'node:util';
import {
  agent,
  type AgentContext,
  methods,
  ndJsonStream,
  type RequestPermissionRequest,
  type SessionNotification,
} from '@agentclientprotocol/sdk';

const { values } = parseArgs({
  options: {
    load: { type: 'boolean', default: false },
    cost: { type: 'string' },
  },
});

const HOME = process.env['HOME'] ?? '.';
type Update = SessionNotification['update'];
let cwd = '';
let spent = 0;
let interrupted = false;
let stopWaiting = () => {};

const fileOf = (sessionId: string) => join(HOME, `${sessionId}.conversation`);
const begin = (sessionId: string, directory: string) => {
  cwd = directory;
  return { sessionId };
};

const tellTo = (client: AgentContext, sessionId: string) => (update: Update) =>
  client.notify(methods.client.session.update, { sessionId, update });

async function run(client: AgentContext, sessionId: string, line: string): Promise<void> {
  const tell = tellTo(client, sessionId);
  const toolCallId = 'call-1';
  const call = {
    toolCallId,
    title: 'Run a command',
    kind: 'execute' as const,
    rawInput: { command: ['sh', '-c', line] },
  };
  await tell({ ...call, sessionUpdate: 'tool_call', status: 'pending' });
  const asked: RequestPermissionRequest = {
    sessionId,
    toolCall: call,
    options: [
      { optionId: 'always', name: 'Always', kind: 'allow_always' },
      { optionId: 'yes', name: 'Yes', kind: 'allow_once' },
      { optionId: 'no', name: 'No', kind: 'reject_once' },
    ],
  };
  const { outcome } = await client.request(methods.client.session.requestPermission, asked);
  const allowed = outcome.outcome === 'selected' && outcome.optionId === 'yes';
  if (allowed) execFileSync('sh', ['-c', line], { cwd, stdio: 'ignore' });
  const rawOutput = allowed ? { exitCode: 0 } : {};
  const status = allowed ? 'completed' : 'failed';
  await tell({ sessionUpdate: 'tool_call_update', toolCallId, status, rawOutput });
}

/** Works until it is told to stop, or a file says that it is done. */
const untilToldOrDone = (): Promise<void> =>
  new Promise((resolve) => {
    const watched = watch(HOME, () => existsSync(join(HOME, 'go-on')) && done());
    const done = () => {
      watched.close();
      resolve();
    };
    stopWaiting = done;
  });

agent({ name: 'nobody' })
  .onRequest(methods.agent.initialize, () => ({
    protocolVersion: 1,
    agentInfo: { name: 'nobody', version: '0.7.1' },
    agentCapabilities: { loadSession: values.load },
  }))
  .onRequest(methods.agent.session.new, ({ params }) => {
    const sessionId = `of-nobody-${process.pid}`;
    writeFileSync(fileOf(sessionId), '');
    return begin(sessionId, params.cwd);
  })
  .onRequest(methods.agent.session.load, ({ params }) => {
    if (!existsSync(fileOf(params.sessionId))) throw new Error('There is no such conversation.');
    begin(params.sessionId, params.cwd);
    return {};
  })
  .onNotification(methods.agent.session.cancel, () => {
    interrupted = true;
    stopWaiting();
  })
  .onRequest(methods.agent.session.prompt, async ({ params, client }) => {
    const { sessionId, prompt } = params;
    const text = prompt.map((part) => (part.type === 'text' ? part.text : '')).join('\n');
    const tell = tellTo(client, sessionId);
    interrupted = false;
    const said = `You said: ${text.trim().split('\n').at(-1) ?? ''}`;
    await tell({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: said } });
    if (text.trim().endsWith('wait')) await untilToldOrDone();
    const line = /run: (.*)$/.exec(text)?.[1];
    if (line !== undefined) await run(client, sessionId, line);
    if (values.cost !== undefined) {
      spent += Number(values.cost);
      const cost = { amount: spent, currency: 'USD' };
      await tell({ sessionUpdate: 'usage_update', used: 100, size: 200_000, cost });
    }
    return { stopReason: interrupted ? 'cancelled' : 'end_turn' };
  })
  .connect(
    ndJsonStream(
      Writable.toWeb(process.stdout),
      Readable.toWeb(process.stdin) as ReadableStream<Uint8Array>,
    ),
  );
