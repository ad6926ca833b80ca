import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { SCRATCH_PROJECT, SCRATCH_SCRIPT, VISITOR_SCRIPT } from './builtin.ts';
import { type Answer, type Conversation, type Instruction, interruptTurn } from './conversation.ts';
import { createOutput } from './output.ts';
import { createScreenOutput } from './screen-output.ts';
import type { Script } from './script.ts';
import { noUsage, readTranscript, readTranscriptAt } from './transcript.ts';
import { answerQuestion, byModel, lifecycle, playTurn } from './turn.ts';
import { VERSION } from './version.ts';

/**
 * The rehearsal engine: a process of its own that speaks the stream-json protocol of claude in
 * and out, really edits and commits in its directory, and asks no model anything.
 */
const { values } = parseArgs({
  options: {
    'session-id': { type: 'string' },
    resume: { type: 'string' },
    /** Goes on in a copy of what is resumed, a file. */
    'fork-session': { type: 'boolean', default: false },
    'permission-mode': { type: 'string', default: 'default' },
    script: { type: 'string' },
    state: { type: 'string' },
    /** A person at a terminal instead of a supervisor at a pipe. */
    interactive: { type: 'boolean', default: false },
    /** Answers one question for a decision instead of working. */
    decide: { type: 'boolean', default: false },
  },
});

const directory = process.cwd();
const stateDirectory = values.state ?? join(directory, '.rehearsal');
const forked = values['fork-session'] ? values.resume : undefined;
const resumed = forked === undefined ? values.resume : undefined;
const id = resumed ?? values['session-id'] ?? 'rehearsal';
const output = values.interactive
  ? createScreenOutput(process.stdout)
  : createOutput(process.stdout);
const script = await loadScript(values.script);

const { startUp } = script;
if (startUp?.stderr) process.stderr.write(`${startUp.stderr}\n`);
if (startUp?.delayMs) await new Promise((resolve) => setTimeout(resolve, startUp.delayMs));
if (startUp?.exitCode !== undefined) process.exit(startUp.exitCode);
if (startUp?.hang) await new Promise(() => setInterval(() => {}, 1 << 30));

const transcript =
  forked === undefined ? readTranscript(stateDirectory, id) : readTranscriptAt(forked);
if (values.resume && !transcript) {
  const words = `No conversation found with session ID: ${id}`;
  process.stderr.write(`${words}\n`);
  await output.line({
    type: 'result',
    subtype: 'error_during_execution',
    is_error: true,
    modelUsage: {},
    total_cost_usd: 0,
    errors: [words],
  });
  process.exit(1);
}

const queue: Instruction[] = [];
const conversation: Conversation = {
  id,
  directory,
  permissionMode: values['permission-mode'],
  output,
  transcript: transcript ?? { turns: 0, usage: noUsage() },
  shell: null,
  interrupted: false,
  deaf: false,
  lastAnswer: null,
  takeMessage: () => queue.shift() ?? null,
  waiting: new Map(),
  wake: new Set(),
};

if (values.interactive)
  await (await import('./interactive.ts')).converse(conversation, script, stateDirectory);

let playing: Promise<void> | null = null;
let inputEnded = false;

const lines = createInterface({ input: process.stdin });
lines.on('line', (line) => void readLine(line));
lines.on('close', () => {
  inputEnded = true;
  playNext();
});
process.on('SIGINT', () => {
  inputEnded = true;
  interruptTurn(conversation);
  playNext();
});

async function readLine(text: string): Promise<void> {
  if (text.trim() === '') return;
  const line = parse(text);
  switch (line['type']) {
    case 'user': {
      const message = line['message'] as { content?: unknown } | undefined;
      const uuid = typeof line['uuid'] === 'string' ? line['uuid'] : null;
      queue.push({ uuid, content: message?.content ?? '' });
      if (uuid) await output.line(lifecycle(uuid, 'queued'));
      playNext();
      return;
    }
    case 'control_request':
      await answerControl(String(line['request_id']), line['request'] as Record<string, unknown>);
      return;
    case 'control_response': {
      const { request_id, response } = line['response'] as { request_id: string; response: Answer };
      conversation.waiting.get(request_id)?.(response);
      return;
    }
    default:
      refuseLine(text);
  }
}

/** The real engine ends at the first malformed line, so this one does too. */
function refuseLine(text: string): never {
  process.stderr.write(`Error parsing streaming input line: ${text.slice(0, 200)}\n`);
  process.exit(1);
}

function parse(text: string): Record<string, unknown> {
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    return refuseLine(text);
  }
}

async function answerControl(requestId: string, request: Record<string, unknown>): Promise<void> {
  const success = (response: unknown) =>
    output.line({
      type: 'control_response',
      response: { subtype: 'success', request_id: requestId, response },
    });
  switch (request['subtype']) {
    case 'initialize':
      return success({
        account: { tokenSource: 'none', apiKeySource: 'none' },
        claude_code_version: VERSION,
        pid: process.pid,
      });
    case 'get_usage':
      return success({
        session: {
          total_cost_usd: conversation.transcript.usage.costUSD,
          model_usage: byModel(conversation.transcript.usage),
        },
      });
    case 'mcp_status':
      return success({ mcpServers: [] });
    case 'interrupt':
      interruptTurn(conversation);
      return success({ still_queued: [] });
    default:
      return output.line({
        type: 'control_response',
        response: {
          subtype: 'error',
          request_id: requestId,
          error: `Unsupported control request subtype: ${String(request['subtype'])}`,
        },
      });
  }
}

function playNext(): void {
  if (playing) return;
  const next = queue.shift();
  if (!next) {
    if (inputEnded) process.exit(0);
    return;
  }
  const play = values.decide ? answerQuestion : playTurn;
  playing = play(conversation, script, next, stateDirectory).finally(() => {
    playing = null;
    playNext();
  });
}

/** The schema is loaded only for a script from outside: it costs most of the start-up time. */
async function loadScript(path: string | undefined): Promise<Script> {
  if (path) return (await import('./script.ts')).readScript(path);
  return isScratchProject() ? SCRATCH_SCRIPT : VISITOR_SCRIPT;
}

function isScratchProject(): boolean {
  try {
    return (
      JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8')).name === SCRATCH_PROJECT
    );
  } catch {
    // No readable package.json: not the scratch project.
    return false;
  }
}
