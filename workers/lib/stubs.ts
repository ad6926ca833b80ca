import type { AccountId, InstanceId, RunnerId, SessionId } from '../../protocol/ids.ts';
import type { Env } from '../env.ts';
import type {
  BellCalls,
  BookCalls,
  ChatCalls,
  CourierCalls,
  FeedCalls,
  ImageCalls,
  PaneCalls,
  RelayCalls,
  SweeperCalls,
  TerminalCalls,
} from './calls.ts';

type Namespaces = Pick<Env, 'RUNNER_RELAY' | 'SESSION_FEED' | 'SESSION_TERMINAL'>;

/** The feed of a session. Its name begins with the account, so no id reaches another account's. */
export function feedOf(env: Namespaces, accountId: AccountId, sessionId: SessionId): FeedCalls {
  return env.SESSION_FEED.getByName(`${accountId}/${sessionId}`) as unknown as FeedCalls;
}

/** The live terminal of a session: it holds sockets and nothing else. */
export function terminalOf(
  env: Namespaces,
  accountId: AccountId,
  sessionId: SessionId,
): TerminalCalls {
  return env.SESSION_TERMINAL.getByName(`${accountId}/${sessionId}`) as unknown as TerminalCalls;
}

/** The images that came with a session's instructions. */
export function imagesOf(
  env: Pick<Env, 'SESSION_IMAGES'>,
  accountId: AccountId,
  sessionId: SessionId,
): ImageCalls {
  return env.SESSION_IMAGES.getByName(`${accountId}/${sessionId}`) as unknown as ImageCalls;
}

/** The live terminal of a machine's own that this target names. */
export function paneOf(
  env: Pick<Env, 'PANE_TERMINAL'>,
  accountId: AccountId,
  runnerId: RunnerId,
  target: string,
): PaneCalls {
  const name = `${accountId}/${runnerId}/${target}`;
  return env.PANE_TERMINAL.getByName(name) as unknown as PaneCalls;
}

/** The conversation with the agent of an instance. */
export function chatOf(
  env: Pick<Env, 'OPERATOR_CHAT'>,
  accountId: AccountId,
  instanceId: InstanceId,
): ChatCalls {
  return env.OPERATOR_CHAT.getByName(`${accountId}/${instanceId}`) as unknown as ChatCalls;
}

/** The relay of a runner. */
export function relayOf(env: Namespaces, accountId: AccountId, runnerId: RunnerId): RelayCalls {
  return env.RUNNER_RELAY.getByName(`${accountId}/${runnerId}`) as unknown as RelayCalls;
}

/** The one that looks after the drivers of all Pilot runs. */
export function sweeperOf(env: Pick<Env, 'PILOT_SWEEPER'>): SweeperCalls {
  return env.PILOT_SWEEPER.getByName('all') as unknown as SweeperCalls;
}

/** The one that goes between GitHub and the sessions of all connected repositories. */
export function courierOf(env: Pick<Env, 'GITHUB_COURIER'>): CourierCalls {
  return env.GITHUB_COURIER.getByName('all') as unknown as CourierCalls;
}

/** The one that tells an account's browsers. */
export function bellOf(env: Pick<Env, 'PUSH_BELL'>, accountId: AccountId): BellCalls {
  return env.PUSH_BELL.getByName(accountId) as unknown as BellCalls;
}

/** The one that keeps an account's budgets, and what is granted of them. */
export function bookOf(env: Pick<Env, 'BUDGET_BOOK'>, accountId: AccountId): BookCalls {
  return env.BUDGET_BOOK.getByName(accountId) as unknown as BookCalls;
}
