import { isAbsolute, relative, resolve } from 'node:path';
import type { ActKind } from '../../../../protocol/act.ts';
import type { ApprovalRequest } from '../../../../protocol/approval.ts';
import { classifyCommand } from '../../../acts/classify.ts';
import { ownEntry } from '../../../acts/own.ts';
import { emit, patch } from '../../draft.ts';
import { approvalId } from '../../ids.ts';
import { type RpcId, rpcReply } from '../../json-rpc.ts';
import { resolutionOf, resolveApproval } from '../../open-approvals.ts';
import { capHead, oneLine } from '../../text-cap.ts';
import { innerCommand, toolIdOf } from '../tools.ts';
import { changeAsked, commandAsked, resolved } from './messages.ts';
import type { Draft } from './state.ts';

/** The engine remembers what a session allowed by itself; its configuration stays as it is. */
const FOR_SESSION = 'Allow this for the rest of the session';

export function askCommand(draft: Draft, params: unknown, id: RpcId): boolean {
  const asked = commandAsked.safeParse(params);
  if (!asked.success) return false;
  const { itemId, reason } = asked.data;
  const command = innerCommand(asked.data.command ?? '');
  const acts = [...new Set<ActKind>(classifyCommand(command, draft.look).map(({ kind }) => kind))];
  const input = { command, ...(reason && { reason }) };
  request(draft, id, itemId, {
    toolName: 'shell',
    input: capHead(JSON.stringify(input, null, 2)),
    summary: oneLine(command || reason || 'a command'),
    acts,
  });
  return true;
}

/** Changes inside of the place of work are allowed without asking where the launch says so. */
export function askChange(draft: Draft, params: unknown, id: RpcId): boolean {
  const asked = changeAsked.safeParse(params);
  if (!asked.success) return false;
  const { itemId, reason, grantRoot } = asked.data;
  const change = ownEntry(draft.state.changes, itemId);
  const { approvalsMode, directory } = draft.state;
  const paths = change?.paths ?? [];
  const freely =
    approvalsMode === 'accept_edits' &&
    !grantRoot &&
    paths.length > 0 &&
    paths.every((path) => isInside(directory, path));
  if (freely) {
    draft.items.push(rpcReply(id, { decision: 'accept' }));
    return true;
  }
  const why = [reason, grantRoot && `It asks to write anywhere in ${grantRoot}.`].filter(Boolean);
  request(draft, id, itemId, {
    toolName: 'apply_patch',
    input: capHead([...why, change?.shown ?? 'A change of files.'].join('\n\n')),
    summary: oneLine(paths.join(', ') || why.join(' ') || 'files'),
    acts: [],
  });
  return true;
}

function isInside(directory: string, path: string): boolean {
  const inner = relative(directory, resolve(directory, path));
  // `.git` holds hooks that git would run: that is no edit of the work.
  return inner !== '' && !isAbsolute(inner) && !/^(\.\.|\.git)(\/|$)/.test(inner);
}

type Shown = Pick<ApprovalRequest, 'toolName' | 'input' | 'summary' | 'acts'>;

function request(draft: Draft, id: RpcId, itemId: string, shown: Shown): void {
  const { launchId, turn, approvals } = draft.state;
  // The engine counts its requests from 0 in each process.
  const requestId = approvalId(launchId, String(id));
  if (approvals[requestId]) return;
  const toolId = toolIdOf(draft, itemId);
  const open = { requestId, rpcId: id, toolId, answered: null };
  patch(draft, { approvals: { ...approvals, [requestId]: open } });
  emit(draft, {
    type: 'approval/requested',
    request: {
      requestId,
      turnId: turn?.turnId ?? null,
      toolId,
      kind: 'tool',
      ...shown,
      questions: [],
      suggestions: [{ label: FOR_SESSION }],
      requestedAt: draft.at,
      expiresAt: null,
    },
  });
}

/** The engine is done with a request: it took our answer, or does not wait any more. */
export function readResolved(draft: Draft, params: unknown): boolean {
  const told = resolved.safeParse(params);
  if (!told.success) return false;
  const { requestId } = told.data;
  for (const approval of Object.values(draft.state.approvals))
    if (approval.rpcId === requestId) resolveApproval(draft, approval, resolutionOf(approval));
  return true;
}
