import { randomUUID } from 'node:crypto';
import { type Conversation, type Instruction, Interrupted, pause } from './conversation.ts';
import { decideNext } from './decide.ts';
import type { Line } from './output.ts';
import type { Script, Step } from './script.ts';
import { type Failure, playStep } from './steps.ts';
import { VERSION } from './version.ts';
import { MODEL, type ModelUsage, noUsage, writeTranscript } from './transcript.ts';

/** Plays one turn and writes its result line, however it ends. */
export async function playTurn(
  conversation: Conversation,
  script: Script,
  instruction: Instruction,
  stateDirectory: string,
): Promise<void> {
  const { output, transcript } = conversation;
  const startedAt = Date.now();
  const before = transcript.usage;
  Object.assign(conversation, { interrupted: false, deaf: false, lastAnswer: null });
  // From its first word on, a conversation can be resumed, however its first turn ends.
  writeTranscript(stateDirectory, conversation.id, transcript);
  await announce(conversation, instruction);
  const merged: string[] = [];
  const end = await playSteps(conversation, script, merged);
  transcript.turns += 1;
  writeTranscript(stateDirectory, conversation.id, transcript);
  const named = [...(instruction.uuid ? [instruction.uuid] : []), ...merged];
  for (const uuid of named) await output.line(lifecycle(uuid, 'completed'));
  await output.line({
    type: 'result',
    ...endOf(end),
    duration_ms: Date.now() - startedAt,
    num_turns: 1,
    session_id: conversation.id,
    total_cost_usd: transcript.usage.costUSD,
    modelUsage: byModel(transcript.usage),
    model_usage_since_last_result: byModel(difference(transcript.usage, before)),
    permission_denials: [],
    uuid: randomUUID(),
    ...(instruction.uuid ? { user_message_uuid: instruction.uuid, user_message_uuids: named } : {}),
  });
}

/** What asking for a decision uses. */
const QUESTION: ModelUsage = { ...noUsage(), inputTokens: 900, outputTokens: 40, costUSD: 0.002 };

/** Answers a question for a decision, as the real engine does in a form that was asked for. */
export async function answerQuestion(
  conversation: Conversation,
  script: Script,
  instruction: Instruction,
  stateDirectory: string,
): Promise<void> {
  await announce(conversation, instruction);
  const decision = decideNext(script, JSON.stringify(instruction.content), stateDirectory);
  const { afterMs = 0, ...answer } = typeof decision === 'string' ? {} : decision;
  await pause(conversation, afterMs);
  await conversation.output.line({
    type: 'result',
    ...endOf({ kind: 'done' }),
    duration_ms: 0,
    num_turns: 1,
    session_id: conversation.id,
    total_cost_usd: QUESTION.costUSD,
    modelUsage: byModel(QUESTION),
    permission_denials: [],
    uuid: randomUUID(),
    ...(typeof decision === 'string' ? { result: decision } : { structured_output: answer }),
    ...(instruction.uuid ? { user_message_uuid: instruction.uuid } : {}),
  });
}

async function announce(conversation: Conversation, { uuid, content }: Instruction): Promise<void> {
  const { output, id, permissionMode, directory } = conversation;
  if (uuid) await output.line(lifecycle(uuid, 'started'));
  await output.line({
    type: 'system',
    subtype: 'init',
    cwd: directory,
    session_id: id,
    model: MODEL,
    permissionMode,
    apiKeySource: 'none',
    claude_code_version: VERSION,
    uuid: randomUUID(),
  });
  if (uuid) await output.line(replayed(id, uuid, content));
}

const replayed = (sessionId: string, uuid: string, content: unknown): Line => ({
  type: 'user',
  message: { role: 'user', content },
  parent_tool_use_id: null,
  session_id: sessionId,
  uuid,
  isReplay: true,
});

/** As the real engine does between two of its steps: what came meanwhile belongs to this turn. */
async function takeMessages(conversation: Conversation): Promise<string[]> {
  const { output, id } = conversation;
  const uuids: string[] = [];
  for (let said = conversation.takeMessage(); said; said = conversation.takeMessage()) {
    const { uuid, content } = said;
    if (uuid === null) continue;
    await output.line(lifecycle(uuid, 'started'));
    await output.line(replayed(id, uuid, content));
    uuids.push(uuid);
  }
  return uuids;
}

export const lifecycle = (uuid: string, state: string): Line => ({
  type: 'command_lifecycle',
  command_uuid: uuid,
  state,
  uuid: randomUUID(),
});

type End = { kind: 'done' } | { kind: 'interrupted' } | { kind: 'failed'; failure: Failure };

async function playSteps(
  conversation: Conversation,
  script: Script,
  merged: string[],
): Promise<End> {
  try {
    for (const step of stepsOfTurn(script, conversation.transcript.turns)) {
      if (conversation.interrupted) throw new Interrupted();
      if (step.when && step.when !== (conversation.lastAnswer ?? 'allowed')) continue;
      const failure = await playStep(conversation, step);
      merged.push(...(await takeMessages(conversation)));
      if (failure) return { kind: 'failed', failure };
    }
    return { kind: 'done' };
  } catch (error) {
    if (error instanceof Interrupted) return { kind: 'interrupted' };
    throw error;
  }
}

function endOf(end: End): Line {
  switch (end.kind) {
    case 'done':
      return {
        subtype: 'success',
        is_error: false,
        api_error_status: null,
        terminal_reason: 'completed',
        result: '',
      };
    case 'interrupted':
      return {
        subtype: 'error_during_execution',
        is_error: true,
        terminal_reason: 'aborted_tools',
        errors: ['Interrupted.'],
      };
    case 'failed':
      return {
        subtype: 'success',
        is_error: true,
        api_error_status: end.failure.status,
        terminal_reason: 'api_error',
        result: end.failure.words,
      };
    default:
      return end satisfies never;
  }
}

/** Absent until something was used, as in the real engine. */
export function byModel(usage: ModelUsage): Record<string, ModelUsage> {
  return Object.values(usage).some((value) => value > 0) ? { [MODEL]: usage } : {};
}

function difference(after: ModelUsage, before: ModelUsage): ModelUsage {
  const result = noUsage();
  for (const field of Object.keys(result) as (keyof ModelUsage)[])
    result[field] = after[field] - before[field];
  return result;
}

/** The steps of turn `index`, counted from 0 over the whole conversation; the last list repeats. */
function stepsOfTurn(script: Script, index: number): readonly Step[] {
  return script.turns[Math.min(index, script.turns.length - 1)] ?? [];
}
