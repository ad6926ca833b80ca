import type { RequestedAction } from '../../protocol/session.ts';
import type { ApprovalAnswer } from '../../protocol/approval.ts';
import { checkoutRemoved } from '../../protocol/checkout.ts';
import {
  accepted,
  instructed,
  launched,
  type LaunchRequest,
  toolOutput,
} from '../../protocol/http.ts';
import type { ImageId, TurnId } from '../../protocol/ids.ts';
import { doctorReport } from '../../protocol/machine.ts';
import { takenOver, type TakeoverForm } from '../../protocol/takeover.ts';
import { api } from '../paths.ts';
import { read, send } from './client.ts';

/** Exchanges a one-time link for the session cookie. Throws `link_used` for the second time. */
export const signIn = (token: string) => send(accepted, api.signIn, { token });
/** Ends this browser’s session on the server. */
export const signOut = () => send(accepted, api.signOut);

/** Launches a session. Throws what the machine or the server refuses it with. */
export const launchSession = (request: LaunchRequest) => send(launched, api.sessions, request);

/**
 * Sending it again under the same `turnId` is the same instruction. `key`: of whoever drives.
 * `steer`: into the turn under way.
 */
export const instructSession = (
  sessionId: string,
  turnId: TurnId,
  text: string,
  {
    key = null,
    steer = false,
    images = [],
  }: { key?: string | null; steer?: boolean; images?: readonly ImageId[] } = {},
) =>
  send(instructed, api.instructions(sessionId), {
    turnId,
    text,
    ...(images.length > 0 && { images }),
    ...(steer && { steer }),
    ...(key !== null && { key }),
  });

/** Takes a session over; the answer's key proves it. Throws `taken_over` without `force`. */
export const takeOverSession = (sessionId: string, form: TakeoverForm, force: boolean) =>
  send(takenOver, api.takeOver(sessionId), { form, force });

/** Hands a session back: with the key of whoever drives, or for them, which is `force`. */
export const releaseSession = (sessionId: string, key: string | null) =>
  send(accepted, api.release(sessionId), { key, force: key === null });

/** Asks for an interrupt, a stop or a retry; the record tells what came of it. */
export const actOnSession = (sessionId: string, action: RequestedAction) =>
  send(accepted, api.act(sessionId, action));

/** Answers a request. The same answer again is no error, another one is `approval_answered`. */
export const answerApproval = (sessionId: string, requestId: string, answer: ApprovalAnswer) =>
  send(accepted, api.approval(sessionId, requestId), answer);

/** Answers for a breach; the first word on each stands. */
export const overrideBreach = (doerId: string, actId: string, reason: string) =>
  send(accepted, api.overrideBreach(doerId, actId), { reason });

/** The whole output of a tool call, from the machine that keeps it. */
export const readToolOutput = (sessionId: string, toolId: string) =>
  read(toolOutput, api.toolOutput(sessionId, toolId));

/** Has a machine look at itself; takes seconds, because it starts engines to see them. */
export const runDoctor = (runnerId: string) => send(doctorReport, api.doctor(runnerId));

/** Removes a checkout; `discard` gives up work that is only in it. The machine decides. */
export const removeCheckout = (runnerId: string, sessionId: string, how: 'remove' | 'discard') =>
  send(checkoutRemoved, api.removeCheckout(runnerId, sessionId, how));
