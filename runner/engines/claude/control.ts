import type { z } from 'zod';
import type { EngineError } from '../../../protocol/engine-event.ts';
import type { Payer } from '../../../protocol/usage.ts';
import { resolveApproval, settleApprovals } from '../open-approvals.ts';
import { requestApproval } from './approvals.ts';
import { baselineId, confirmedRequestId, initializeId, refuseRequest } from './encode.ts';
import { answerHook } from './hook.ts';
import { approvalId } from '../ids.ts';
import {
  accountFacts,
  cancelLine,
  controlRequestLine,
  controlResponseLine,
  permissionRequest,
  usageFacts,
} from './lines.ts';
import { announceReady, refuseLaunch } from './ready.ts';
import { notice, patch } from '../draft.ts';
import type { Draft } from './state.ts';
import { setWaiting } from './tools.ts';
import { parseFigures } from './usage.ts';

/** The engine asks us something. */
export function readControlRequest(draft: Draft, raw: unknown): boolean {
  const line = controlRequestLine.safeParse(raw);
  if (!line.success) return false;
  const request = 'request' in (raw as object) ? (raw as { request: unknown }).request : null;
  const permission = permissionRequest.safeParse(request);
  const { subtype } = line.data.request;
  if (subtype === 'hook_callback') answerHook(draft, line.data.request_id, request);
  else if (permission.success) requestApproval(draft, line.data.request_id, permission.data);
  else refuseRequest(draft, line.data.request_id, subtype);
  return true;
}

/** The engine no longer waits for an answer. */
export function readCancel(draft: Draft, raw: unknown): boolean {
  const line = cancelLine.safeParse(raw);
  if (!line.success) return false;
  const approval =
    draft.state.approvals[approvalId(draft.state.engineSessionId, line.data.request_id)];
  if (!approval) return true;
  // Outside of an interrupt the engine's own hooks may have allowed it: then it runs.
  if (!draft.state.open?.interrupting) setWaiting(draft, approval.toolId, false);
  resolveApproval(draft, approval, 'withdrawn');
  return true;
}

/** The engine answers one of our requests. */
export function readControlResponse(draft: Draft, raw: unknown): boolean {
  const line = controlResponseLine.safeParse(raw);
  if (!line.success) return false;
  const { request_id: id, subtype, response } = line.data.response;
  const { launchId } = draft.state;
  const confirmed = confirmedRequestId(id);
  if (confirmed !== null) settleApprovals(draft, (approval) => approval.requestId === confirmed);
  else if (id === initializeId(launchId)) readInitialized(draft, subtype, response);
  else if (id === baselineId(launchId))
    readBaseline(draft, subtype === 'success' ? response : null);
  return true;
}

const POLICY_REFUSED: EngineError = {
  code: 'engine_too_old',
  message:
    'The engine would not let its calls be asked about beforehand, so that the policy of the session could not be kept, and was not started. Update it on that machine (`claude update`), then use Retry.',
};

function readInitialized(draft: Draft, subtype: string, response: unknown): void {
  const facts = accountFacts.safeParse(response);
  if (facts.success) {
    const { account, claude_code_version: version } = facts.data;
    patch(draft, { ...payerOf(account ?? null), version: version ?? draft.state.version });
  }
  // Its own rules of permission are no policy: a shell within a shell gets around them.
  if (subtype !== 'success') refuseLaunch(draft, POLICY_REFUSED);
  else announceReady(draft);
}

type Account = NonNullable<z.infer<typeof accountFacts>['account']>;

/** Where a token comes from that a subscription pays for; any other one stands for a key. */
const LOGINS = new Set([
  'claude.ai',
  'CLAUDE_CODE_OAUTH_TOKEN',
  'CLAUDE_CODE_OAUTH_TOKEN_FILE_DESCRIPTOR',
  'CCR_OAUTH_TOKEN_FILE',
]);

const named = (source: string | null | undefined): string | null =>
  source && source !== 'none' ? source : null;

/**
 * Who is charged, from what the engine says about its own account. Of a stored login it names the
 * plan alone, as `Claude Max`, and no source of a token (seen on 2.1.332).
 */
function payerOf(account: Account | null): { payer: Payer; credential: string | null } {
  const key = named(account?.apiKeySource);
  if (key) return { payer: 'api-key', credential: key };
  const provider = account?.apiProvider;
  if (provider && provider !== 'firstParty') return { payer: 'api-key', credential: provider };
  const token = named(account?.tokenSource);
  if (token) return { payer: LOGINS.has(token) ? 'subscription' : 'api-key', credential: token };
  const plan = named(account?.subscriptionType);
  return plan
    ? { payer: 'subscription', credential: plan }
    : { payer: 'unknown', credential: null };
}

/** What this conversation had cost before our first turn: old engines begin at zero again. */
function readBaseline(draft: Draft, response: unknown): void {
  if (draft.state.results.length > 0) return;
  const facts = usageFacts.safeParse(response);
  const figures = facts.success ? parseFigures(facts.data.session.model_usage) : null;
  if (figures) patch(draft, { baseline: figures });
  else
    notice(
      draft,
      'warning',
      'usage_baseline_missing',
      'The engine did not say what the conversation had cost before. The first turn is measured by the engine’s own difference, or recorded as unsettled.',
    );
}
