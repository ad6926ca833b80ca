import type { ErrorCode } from '../../protocol/errors.ts';
import { PilothouseError } from '../../protocol/errors.ts';
import { type Grade, isAtLeast } from '../../protocol/grade.ts';
import type { ApprovalsMode, LaunchSpec } from '../../protocol/launch.ts';
import type { Network } from '../../protocol/network.ts';
import type { Engine } from '../engines/engine.ts';
import { gradeOf, type Checkout } from '../guard/checkout.ts';
import { betweenTurns, type BetweenRooms } from './between-turns.ts';
import { lookThrough } from './books-look.ts';
import type { SessionDeps } from './session-deps.ts';
import type { SessionState } from './session-state.ts';
import type { SessionRow } from './session-store.ts';

/** A conversation that is longer is told of and not carried on, in bytes. */
const CONVERSATION_MAX_BYTES = 64 * 1024 * 1024;

/** A copy of the conversation that was forked, or why there is none, as a sentence. */
export type ForkedConversation = { path: string } | { obstacle: string };

/** Whether the next process of a session begins its conversation as the copy of another one's. */
export const beginsAsFork = ({ launch, conversationBegun, begunAnew, forgets }: SessionState) =>
  launch.from?.fork !== undefined && !conversationBegun && !begunAnew && !forgets;

/**
 * Keeps the files of a session that is forked as it is. Nothing for a fork at an earlier turn, whose
 * files are kept already. Throws `checkout_working`, and `fork_unavailable` for a session that this
 * machine does not know.
 */
export async function keepForked(
  deps: Pick<SessionDeps, 'ports' | 'now'>,
  rooms: BetweenRooms,
  { from }: LaunchSpec,
): Promise<void> {
  if (!from?.fork?.filesNow) return;
  const { turnId } = from.fork;
  try {
    await betweenTurns(deps, rooms, from.sessionId, ({ checkout }) =>
      deps.ports.keepCheckpoint(checkout, { kind: 'turn', turnId, at: deps.now() }),
    );
  } catch (error) {
    if (!(error instanceof PilothouseError) || !GONE.includes(error.code)) throw error;
    const detail = 'This machine does not know it, or its checkout is not there any more.';
    throw new PilothouseError('fork_unavailable', { detail }, { cause: error });
  }
}
const GONE: readonly ErrorCode[] = ['session_not_found', 'checkout_not_found'];

/** What a session may do and reach. */
export type Reach = { engineId: string; grade: Grade; network: Network; approvals: ApprovalsMode };

/** From what an engine may do least without being asked to what it may do most. */
const LEAVE: Readonly<Record<ApprovalsMode, number>> = {
  plan: 0,
  ask: 1,
  accept_edits: 2,
  bypass: 3,
};

/** Why a fork's engine is told of the conversation instead of going on in a copy; null: it is not. Pure. */
export function decideCarriedOn(
  engine: Pick<Engine, 'label' | 'fork'>,
  fork: Reach,
  forked: Reach,
): string | null {
  if (fork.engineId !== forked.engineId) return 'It was another engine’s.';
  if (!engine.fork) return `${engine.label} cannot go on in a copy of one.`;
  // Whoever wrote that file is not to speak, as if it were the engine, to one that may do more.
  if (!isAtLeast(fork.grade, forked.grade))
    return `It was ${forked.grade}, and this one is ${fork.grade}, which may do more.`;
  if (fork.network === 'open' && forked.network !== 'open')
    return `Its network was ${forked.network}, and this one’s is open, which reaches more.`;
  return LEAVE[fork.approvals] <= LEAVE[forked.approvals]
    ? null
    : `Its approvals were \`${forked.approvals}\`, and this one’s are \`${fork.approvals}\`, which asks less.`;
}

const reachOf = ({ engineId, approvals }: LaunchSpec, checkout: Checkout): Reach => {
  const { grade, network = 'open' } = gradeOf(checkout);
  return { engineId, approvals, grade, network };
};

/**
 * Puts a copy of the conversation that a session forks where its own engine reads it, cut where it
 * is forked. The conversation itself is read, and stays whose it is.
 */
export async function copyConversation(
  deps: Pick<SessionDeps, 'ports' | 'sessions' | 'env'>,
  engine: Engine,
  { state, checkout }: Pick<SessionRow, 'state'> & { checkout: Checkout },
): Promise<ForkedConversation> {
  const { from } = state.launch;
  const row = deps.sessions.list().find((each) => each.state.sessionId === from?.sessionId);
  const engineSessionId = row?.state.engineSessionId;
  if (!from?.fork || !row?.checkout || !engineSessionId)
    return { obstacle: 'This machine does not know it any more.' };
  const old = row.checkout;
  const obstacle = decideCarriedOn(
    engine,
    reachOf(state.launch, checkout),
    reachOf(row.state.launch, old),
  );
  if (obstacle !== null || !engine.fork)
    return { obstacle: obstacle ?? 'It cannot be carried on.' };
  const { ports, env } = deps;
  const look = lookThrough((path) => ports.whereLies(path, engine, old));
  const path = await engine.fork.find(look, engineSessionId, env);
  const text = path && (await ports.readOwn(path, engine, old, CONVERSATION_MAX_BYTES));
  if (!text) return { obstacle: 'Its file is not there, or too long.' };
  const cut = engine.fork.cut(text, from.fork);
  if (cut === null) return { obstacle: 'That turn is not in it as it is now.' };
  const { extension } = engine.fork;
  return { path: await ports.keepForked(state.sessionId, `conversation.${extension}`, cut) };
}
