import type { DriveName } from '../../protocol/drive-report.ts';
import type { QuestionEnd } from '../../protocol/pane-question.ts';

/** What a person said. */
export type Reply = { allow: boolean; reason: string };

/** A question as it stands here. */
export type Standing = {
  expiresAt: number;
  /** The first answer; it stands. */
  reply: Reply | null;
  /** The hook has told the agent. */
  taken: boolean;
  end: QuestionEnd | null;
};

/** What is seen of whoever asks. */
export type Seen = {
  /** The hook is connected, or may yet come back to a runner that has just begun. */
  reachable: boolean;
  /** It is connected, or what it said last is still to be read. */
  connected: boolean;
  hookRuns: boolean;
  agentRuns: boolean;
  /** The agent said that it waited for a person, and says now that it does not. */
  waitsNoMore: boolean;
};

/** Questions of the agents of one call that are open at a time: more than a person has an eye on. */
const OPEN_MAX = 8;

/**
 * Whether an agent may ask one more, beside the questions that are open. Its hook can be started as
 * often as whatever runs in its terminal likes, and each question rings with a person. Pure.
 */
export function mayAsk(open: readonly DriveName[], drive: DriveName): boolean {
  const own = open.filter(
    ({ instanceId, callId }) => instanceId === drive.instanceId && callId === drive.callId,
  );
  return own.length < OPEN_MAX;
}

/** Decides what an answer comes to. Of two at once the first stands, and none after the end. Pure. */
export function decideReply(standing: Standing, nowMs: number): 'take' | 'allow' | 'deny' | 'over' {
  if (standing.reply && standing.end !== 'gone' && standing.end !== 'elsewhere')
    return standing.reply.allow ? 'allow' : 'deny';
  return standing.end !== null || nowMs >= standing.expiresAt ? 'over' : 'take';
}

/** Decides how a question has ended; null is not yet. Pure. */
export function decideEnd(standing: Standing, seen: Seen, nowMs: number): QuestionEnd | null {
  const { reply, taken, end, expiresAt } = standing;
  if (end !== null) return end;
  if (reply && taken) return reply.allow ? 'allowed' : 'denied';
  // It may have taken the answer with its last word.
  if (seen.connected && !seen.hookRuns) return null;
  if (!seen.agentRuns) return 'gone';
  // An answer that is on its way makes the agent go on as well.
  if (seen.waitsNoMore && !reply) return 'elsewhere';
  if (!seen.hookRuns || !seen.reachable) return 'elsewhere';
  return !reply && nowMs >= expiresAt ? 'expired' : null;
}
