import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { type Conversation, pause } from './conversation.ts';
import {
  blockLine,
  type Message,
  messageDelta,
  messageStart,
  newMessage,
  streamEvent,
} from './output.ts';
import type { Step, StepOf } from './script.ts';
import {
  callTool,
  playBash,
  playEdit,
  playQuestion,
  playRead,
  playSubagent,
  playWrite,
} from './tools.ts';

/** A silence that nobody ends must not leave a process behind for good. */
const SILENCE_MS = 10 * 60 * 1000;

/** How a failing step ends its turn. */
export type Failure = { error: string; status: number | null; words: string };

/** Plays one step; a failure of the provider is returned, because it ends the turn. */
export async function playStep(conversation: Conversation, step: Step): Promise<Failure | null> {
  switch (step.do) {
    case 'text':
      return done(playText(conversation, step));
    case 'thinking':
      return done(playThinking(conversation, step));
    case 'bash':
      return done(playBash(conversation, step));
    case 'read':
      return done(playRead(conversation, step));
    case 'write':
      return done(playWrite(conversation, step));
    case 'edit':
      return done(playEdit(conversation, step));
    case 'question':
      return done(playQuestion(conversation, step));
    case 'subagent':
      return done(playSubagent(conversation, step));
    case 'wait':
      return done(pause(conversation, step.ms));
    case 'usage':
      addUsage(conversation, step);
      return null;
    case 'crash':
      return crash(step);
    case 'silence':
      conversation.deaf = step.deaf;
      return done(pause(conversation, SILENCE_MS));
    case 'garbage':
      return done(conversation.output.text(step.line));
    case 'raw':
      return done(conversation.output.line(step.line));
    case 'flood':
      return done(playFlood(conversation, step));
    case 'failure':
      return playFailure(conversation, step);
    case 'daemon':
      spawn('sleep', [String(step.seconds)], {
        detached: true,
        stdio: 'ignore',
        cwd: conversation.directory,
      }).unref();
      return null;
    case 'output':
      return done(playOutput(conversation, step));
    default:
      return step satisfies never;
  }
}

async function done(work: Promise<void>): Promise<null> {
  await work;
  return null;
}

async function startMessage(conversation: Conversation): Promise<Message> {
  const message = newMessage();
  await conversation.output.line(messageStart(message));
  return message;
}

async function playText(conversation: Conversation, step: StepOf<'text'>): Promise<void> {
  const { output } = conversation;
  const message = await startMessage(conversation);
  await output.line(
    streamEvent(message, {
      type: 'content_block_start',
      index: 0,
      content_block: { type: 'text', text: '' },
    }),
  );
  let said = '';
  try {
    for (const piece of piecesOf(step.text, step.chunkChars)) {
      await pause(conversation, step.everyMs);
      said += piece;
      await output.line(
        streamEvent(message, {
          type: 'content_block_delta',
          index: 0,
          delta: { type: 'text_delta', text: piece },
        }),
      );
    }
  } finally {
    // An interrupted message is told as far as it got, as the real engine does.
    if (said) await output.line(blockLine(message, { type: 'text', text: said }));
  }
  await output.line(streamEvent(message, { type: 'content_block_stop', index: 0 }));
  await output.line(messageDelta(message, Math.ceil(step.text.length / 4)));
}

/** Pieces of whole characters, never half a surrogate pair. */
function piecesOf(text: string, size: number): string[] {
  const characters = Array.from(text);
  const pieces: string[] = [];
  for (let from = 0; from < characters.length; from += size)
    pieces.push(characters.slice(from, from + size).join(''));
  return pieces;
}

async function playThinking(conversation: Conversation, step: StepOf<'thinking'>): Promise<void> {
  const message = await startMessage(conversation);
  await conversation.output.line(
    streamEvent(message, {
      type: 'content_block_delta',
      index: 0,
      delta: { type: 'thinking_delta', thinking: step.text },
    }),
  );
  const signature = step.narration ? 'narration' : 'rehearsal';
  await conversation.output.line(
    blockLine(message, { type: 'thinking', thinking: step.text, signature }),
  );
}

function addUsage({ transcript }: Conversation, step: StepOf<'usage'>): void {
  const { usage } = transcript;
  transcript.usage = {
    inputTokens: usage.inputTokens + step.inputTokens,
    outputTokens: usage.outputTokens + step.outputTokens,
    cacheReadInputTokens: usage.cacheReadInputTokens + step.cacheReadTokens,
    cacheCreationInputTokens: usage.cacheCreationInputTokens + step.cacheWriteTokens,
    costUSD: usage.costUSD + step.costUsd,
  };
}

async function crash(step: StepOf<'crash'>): Promise<null> {
  if (step.stderr) process.stderr.write(`${step.stderr}\n`);
  if (!step.signal) process.exit(step.exitCode);
  process.kill(process.pid, step.signal);
  return new Promise<null>(() => {});
}

async function playFlood(conversation: Conversation, step: StepOf<'flood'>): Promise<void> {
  const { output } = conversation;
  const message = await startMessage(conversation);
  const deltas = step.kind === 'deltas';
  for (let index = 0; index < step.count; index++) {
    if (deltas)
      await output.line(
        streamEvent(message, {
          type: 'content_block_delta',
          index: 0,
          delta: { type: 'text_delta', text: step.text },
        }),
      );
    else if (step.kind === 'blocks')
      await output.line(blockLine(message, { type: 'text', text: step.text }));
    else await output.line({ type: 'system', subtype: 'rehearsal_flood', index, text: step.text });
  }
  if (deltas)
    await output.line(blockLine(message, { type: 'text', text: step.text.repeat(step.count) }));
}

async function playFailure(conversation: Conversation, step: StepOf<'failure'>): Promise<Failure> {
  const { error, status, words, retries, retryMs } = step;
  for (let attempt = 1; attempt <= retries; attempt++) {
    await conversation.output.line({
      type: 'system',
      subtype: 'api_retry',
      attempt,
      max_retries: retries,
      retry_delay_ms: retryMs,
      error_status: status,
      error,
      uuid: randomUUID(),
    });
    await pause(conversation, retryMs);
  }
  const message = newMessage();
  await conversation.output.line({
    ...blockLine(message, { type: 'text', text: words }),
    error,
    api_error_status: status,
  });
  return { error, status, words };
}

async function playOutput(conversation: Conversation, step: StepOf<'output'>): Promise<void> {
  const content = step.text.repeat(Math.ceil(step.bytes / step.text.length)).slice(0, step.bytes);
  const input = { command: `head --bytes=${step.bytes} big.txt`, description: 'Show much' };
  await callTool(conversation, { toolName: 'Bash', input, ask: false }, async () => ({
    content,
    failed: false,
    detail: { stdout: content, stderr: '', interrupted: false },
  }));
}
