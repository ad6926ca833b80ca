import { brainAnswer, type BrainReply } from '../../protocol/brain-answer.ts';
import type { EngineError } from '../../protocol/engine-event.ts';
import type { TurnId } from '../../protocol/ids.ts';
import type { ProviderFailure } from '../../protocol/launch.ts';
import type { UsageEntry } from '../../protocol/usage.ts';
import { findObject } from '../engines/aside.ts';
import type { Engine, EngineExit, EngineLaunch, EngineStep } from '../engines/engine.ts';

/** How long a provider that refuses for a while is left alone unless it says how long, in ms. */
const WAIT_MS = 60_000;
const WAIT_MAX_MS = 24 * 3_600_000;

/** What another attempt would not change before a person did something. */
const STANDING: ReadonlySet<ProviderFailure> = new Set([
  'auth_missing',
  'auth_expired',
  'model_not_found',
  'engine_missing',
  'engine_too_old',
  'settings_unusable',
  'workspace_refused',
  'conversation_lost',
]);
const PASSING: ReadonlySet<ProviderFailure> = new Set([
  'rate_limited',
  'quota_exhausted',
  'overloaded',
]);

export type AskOutput = {
  launch: EngineLaunch;
  turnId: TurnId;
  lines: readonly string[];
  exit: EngineExit;
};

/** What of an engine's output an answer is made of. */
type Heard = {
  answer: unknown;
  said: string;
  usage: UsageEntry[];
  error: EngineError | null;
  resetsAt: number | null;
};

/** Reads what an engine answered to a question, by its own parser. Pure. */
export function readReply(engine: Engine, output: AskOutput, nowMs: number): BrainReply {
  const { answer, said, usage, error, resetsAt } = hear(engine, output, nowMs);
  if (error) return { ...failureOf(error, resetsAt, nowMs), usage };
  const parsed = brainAnswer.safeParse(answer ?? findObject(said));
  if (parsed.success) return { kind: 'answered', answer: parsed.data, usage };
  const problem = said
    ? 'The answer is not a decision in the form that was asked for.'
    : 'The engine ended without an answer.';
  return { kind: 'undecided', problem, usage };
}

function hear(engine: Engine, { launch, turnId, lines, exit }: AskOutput, nowMs: number): Heard {
  const { aside } = engine;
  const reader = aside?.reader ?? engine;
  const heard: Heard = { answer: undefined, said: '', usage: [], error: null, resetsAt: null };
  let { state } = reader.open(launch);
  const take = (step: EngineStep<unknown>): void => {
    state = step.state;
    for (const item of step.items) if (item.kind === 'event') hearEvent(heard, item.event);
  };
  // The question itself is in the process's input already, and is nobody's to be read here.
  take(reader.encodeInstruction(state, { turnId, text: '' }, nowMs));
  for (const line of lines) {
    take(reader.parse(state, line, nowMs));
    heard.answer = aside?.answerOf?.(line) ?? heard.answer;
  }
  take(reader.exit(state, exit, nowMs));
  return heard;
}

type Event = Extract<EngineStep<unknown>['items'][number], { kind: 'event' }>['event'];

function hearEvent(heard: Heard, event: Event): void {
  switch (event.type) {
    case 'text/completed':
      if (event.kind === 'answer' && event.parentToolId === null) heard.said = event.text.text;
      return;
    case 'usage/recorded':
      heard.usage.push(...event.entries);
      return;
    case 'rateLimit/reported':
      heard.resetsAt = event.resetsAt ?? heard.resetsAt;
      return;
    case 'turn/ended':
      heard.error = event.error;
      return;
    default:
      return;
  }
}

type Failure =
  | { kind: 'undecided'; problem: string }
  | { kind: 'unavailable'; reason: string; waitMs: number | null };

function failureOf(
  { code, message }: EngineError,
  resetsAt: number | null,
  nowMs: number,
): Failure {
  const reason = `The engine could not be asked for a decision: ${message}`;
  if (STANDING.has(code)) return { kind: 'unavailable', reason, waitMs: null };
  if (!PASSING.has(code)) return { kind: 'undecided', problem: reason };
  const until = (resetsAt ?? 0) - nowMs;
  const waitMs = until > 0 ? Math.min(until, WAIT_MAX_MS) : WAIT_MS;
  return { kind: 'unavailable', reason, waitMs };
}
