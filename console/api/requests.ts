import type { ApprovalAnswer } from '../../protocol/approval.ts';
import {
  accepted,
  instructed,
  launched,
  type LaunchRequest,
  toolOutput,
} from '../../protocol/http.ts';
import type { TurnId } from '../../protocol/ids.ts';
import { doctorReport } from '../../protocol/machine.ts';
import { api } from '../paths.ts';
import { read, send } from './client.ts';

export const signIn = (token: string) => send(accepted, api.signIn, { token });
export const signOut = () => send(accepted, api.signOut);

export const launchSession = (request: LaunchRequest) => send(launched, api.sessions, request);

/** Sending it again under the same `turnId` is the same instruction. */
export const instructSession = (sessionId: string, turnId: TurnId, text: string) =>
  send(instructed, api.instructions(sessionId), { turnId, text });

export const actOnSession = (sessionId: string, action: 'interrupt' | 'stop' | 'retry') =>
  send(accepted, api.act(sessionId, action));

export const answerApproval = (sessionId: string, requestId: string, answer: ApprovalAnswer) =>
  send(accepted, api.approval(sessionId, requestId), answer);

export const readToolOutput = (sessionId: string, toolId: string) =>
  read(toolOutput, api.toolOutput(sessionId, toolId));

export const runDoctor = (runnerId: string) => send(doctorReport, api.doctor(runnerId));
