import type { ApprovalAnswer } from '../../protocol/approval.ts';
import type { Command, Instruction } from '../../protocol/command.ts';
import type { CommandId, LaunchId, RequestId, SessionId, TurnId } from '../../protocol/ids.ts';
import type { LaunchSpec } from '../../protocol/launch.ts';
import type { Story } from '../../protocol/story.ts';
import type { TerminalSize } from '../../protocol/takeover.ts';
import type { SessionView, TurnView } from '../../protocol/session-view.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/**
 * How long each command stays worth carrying out, in ms. An instruction waits for a machine that
 * is away; an interrupt that comes late would hit some other turn.
 */
export const VALID_FOR_MS = {
  'session/start': DAY_MS,
  'session/instruct': 7 * DAY_MS,
  'session/answer': DAY_MS,
  'session/interrupt': MINUTE_MS,
  'session/stop': 7 * DAY_MS,
  'session/restart': DAY_MS,
  'session/takeover': MINUTE_MS,
  'session/release': 7 * DAY_MS,
  'session/resume': 7 * DAY_MS,
  'session/compact': MINUTE_MS,
} as const;

/** What every command of a session carries: who, under which epoch, made when. */
export type CommandBase = { id: CommandId; sessionId: SessionId; epoch: number; nowMs: number };

/** The base of a command that a decision makes, with the decision's clock and ids. */
export function baseOfCommand(
  make: { sessionId: SessionId; nowMs: number; commandId(): CommandId },
  epoch: number,
): CommandBase {
  return { id: make.commandId(), sessionId: make.sessionId, epoch, nowMs: make.nowMs };
}

function baseOf(base: CommandBase, method: keyof typeof VALID_FOR_MS) {
  const { id, sessionId, epoch, nowMs } = base;
  return { id, sessionId, epoch, deadlineAt: nowMs + VALID_FOR_MS[method] };
}

/** Starts a session, or carries its conversation on when `engineSessionId` names one. */
export function makeStart(
  base: CommandBase,
  start: {
    launch: LaunchSpec;
    launchId: LaunchId;
    engineSessionId: string | null;
    firstTurn: Instruction | null;
    story?: Story;
  },
): Command {
  return { ...baseOf(base, 'session/start'), method: 'session/start', params: start };
}

/** Hands an instruction over; it waits on the machine while the engine is busy. */
export function makeInstruct(
  base: CommandBase,
  instruction: Instruction & { steer?: boolean },
): Command {
  return { ...baseOf(base, 'session/instruct'), method: 'session/instruct', params: instruction };
}

/** Tells the engine what was answered to one of its approvals. */
export function makeAnswer(
  base: CommandBase,
  params: { requestId: RequestId; answer: ApprovalAnswer },
): Command {
  return { ...baseOf(base, 'session/answer'), method: 'session/answer', params };
}

/** Interrupts the turn that runs when it arrives; worthless after a minute. */
export function makeInterrupt(base: CommandBase): Command {
  return { ...baseOf(base, 'session/interrupt'), method: 'session/interrupt', params: {} };
}

/** Ends the engine and everything that it started. */
export function makeStop(base: CommandBase): Command {
  return { ...baseOf(base, 'session/stop'), method: 'session/stop', params: {} };
}

/** Ends the engine's process; what hangs still does when a machine is back. */
export function makeRestart(base: CommandBase): Command {
  return { ...baseOf(base, 'session/restart'), method: 'session/restart', params: {} };
}

/** Opens the engine's own terminal for a person; worthless once they have gone away. */
export function makeTakeover(
  base: CommandBase,
  params: { turnId: TurnId; size: TerminalSize },
): Command {
  return { ...baseOf(base, 'session/takeover'), method: 'session/takeover', params };
}

/** Closes a person's terminal, whenever the machine is there to do so. */
export function makeRelease(base: CommandBase): Command {
  return { ...baseOf(base, 'session/release'), method: 'session/release', params: {} };
}

/** Lifts the halt of a breach that a person has answered for. */
export function makeResume(base: CommandBase): Command {
  return { ...baseOf(base, 'session/resume'), method: 'session/resume', params: {} };
}

/** Begins the conversation anew with the next turn; worthless once the session has gone on. */
export function makeCompact(base: CommandBase, params: { story: Story }): Command {
  return { ...baseOf(base, 'session/compact'), method: 'session/compact', params };
}

/** The instruction that a command carries to its engine, if it carries one. */
export function turnOf(command: Command): TurnId | null {
  switch (command.method) {
    case 'session/instruct':
      return command.params.turnId;
    case 'session/start':
      return command.params.firstTurn?.turnId ?? null;
    case 'session/answer':
    case 'session/interrupt':
    case 'session/stop':
    case 'session/restart':
    case 'session/takeover':
    case 'session/release':
    case 'session/resume':
    case 'session/compact':
    case 'workspace/list':
    case 'workspace/describe':
    case 'workspace/files':
    case 'tool/output':
    case 'checkout/list':
    case 'checkout/remove':
    case 'checkout/files':
    case 'checkout/review':
    case 'checkout/patch':
    case 'checkout/land':
    case 'checkout/checkpoints':
    case 'checkout/rewind':
    case 'preview/list':
    case 'preview/open':
    case 'check/run':
    case 'brain/ask':
    case 'doctor/run':
    case 'terminal/panes':
    case 'terminal/watch':
    case 'engines/look':
    case 'terminal/look':
    case 'terminal/read':
    case 'terminal/call':
    case 'terminal/answer':
      return null;
    default:
      return command satisfies never;
  }
}

/**
 * The instructions that no engine was handed yet, oldest first: what a new launch begins with.
 * One that was handed over or whose fate is unknown is never sent again by itself.
 */
export function listUndelivered(view: SessionView): Instruction[] {
  return view.turns.filter(isUndelivered).map(({ turnId, text, images }) => ({
    turnId,
    text: text ?? '',
    ...(images && { images }),
  }));
}

function isUndelivered(turn: TurnView): boolean {
  if (turn.text === null || turn.state !== 'accepted') return false;
  return turn.delivery === null || turn.delivery === 'received' || turn.delivery === 'undelivered';
}
