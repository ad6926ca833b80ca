import type { ActKind } from '../../../protocol/act.ts';
import { classifyCommand } from '../../acts/classify.ts';
import { ownEntry } from '../../acts/own.ts';
import { emit, patch } from '../draft.ts';
import { approvalId } from '../ids.ts';
import type { RpcAnswer, RpcId } from '../json-rpc.ts';
import { resolutionOf, resolveApproval } from '../open-approvals.ts';
import { capHead, oneLine } from '../text-cap.ts';
import { wideOptions } from './encode.ts';
import { permissionAsked } from './messages.ts';
import type { Draft } from './state.ts';
import { commandOf, endCall, inputOf, nameOf, startAsked, summaryOf } from './tools.ts';

/** The agent asks before it calls a tool. */
export function askPermission(draft: Draft, params: unknown, id: RpcId): boolean {
  const asked = permissionAsked.safeParse(params);
  if (!asked.success) return false;
  const { options } = asked.data;
  const call = startAsked(draft, asked.data.toolCall);
  const { launchId, approvals, turn } = draft.state;
  // The agent counts its requests from 0 in each process.
  const requestId = approvalId(launchId, String(id));
  if (approvals[requestId]) return true;
  const toolId = call.toolCallId;
  const open = { requestId, rpcId: id, toolId, options, answered: null };
  patch(draft, { approvals: { ...approvals, [requestId]: open } });
  const command = commandOf(call);
  const acts = command === null ? [] : classifyCommand(command, draft.look).map(({ kind }) => kind);
  emit(draft, {
    type: 'approval/requested',
    request: {
      requestId,
      turnId: turn?.turnId ?? null,
      toolId,
      kind: 'tool',
      toolName: nameOf(call),
      input: capHead(inputOf(call)),
      summary: summaryOf(call),
      acts: [...new Set<ActKind>(acts)],
      questions: [],
      suggestions: wideOptions(options).map(({ name }) => ({ label: oneLine(name) })),
      requestedAt: draft.at,
      expiresAt: null,
    },
  });
  return true;
}

/** The agent has read a line behind our answer, and so the answer. */
export function readAnswered(draft: Draft, { about }: RpcAnswer): boolean {
  const approval = ownEntry(draft.state.approvals, about);
  if (!approval) return true;
  resolveApproval(draft, approval, resolutionOf(approval));
  // Not every agent says afterwards that the call came to nothing.
  if (approval.answered === 'deny')
    endCall(draft, approval.toolId, { outcome: 'denied', exitCode: null });
  return true;
}
