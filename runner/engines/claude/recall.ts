import { parseJson } from '../../json.ts';
import { controlRequestLine, permissionRequest } from './lines.ts';
import type { ClaudeState, OpenApproval } from './state.ts';

/** An allowance repeats the input as the engine gave it, secrets included: it is read again. */
export function recallApprovals(state: ClaudeState, lines: () => Iterable<string>): ClaudeState {
  const open = Object.values(state.approvals).filter(({ answered }) => answered === null);
  if (open.length === 0) return state;
  const waiting = new Map(open.map((approval) => [approval.engineRequestId, approval]));
  const recalled: Record<string, OpenApproval> = {};
  for (const line of lines()) {
    if (!line.includes('can_use_tool')) continue;
    const asked = parseRequest(line);
    const approval = asked && waiting.get(asked.id);
    if (!approval) continue;
    const { input, permission_suggestions: suggestions } = asked.permission;
    recalled[approval.requestId] = { ...approval, input, suggestions: suggestions ?? [] };
  }
  return { ...state, approvals: { ...state.approvals, ...recalled } };
}

function parseRequest(line: string) {
  const raw = parseJson(line);
  const told = controlRequestLine.safeParse(raw);
  if (!told.success) return null;
  const request = (raw as { request: unknown }).request;
  const permission = permissionRequest.safeParse(request);
  return permission.success ? { id: told.data.request_id, permission: permission.data } : null;
}
