import type { MockPairings } from '../../console/mock/machines.ts';
import { openPairings, revokedRunner } from '../../protocol/pairing.ts';
import { artifactPack, PackCollector } from '../../protocol/artifact-pack.ts';
import type { RequestedAction } from '../../protocol/session.ts';
import { z } from 'zod';
import { approvalAnswer } from '../../protocol/approval.ts';
import {
  addBrainKeyRequest,
  brainKey,
  type BrainKey,
  brainKeyList,
} from '../../protocol/brain-keys.ts';
import { paneList } from '../../protocol/panes.ts';
import { workspaceDescription } from '../../protocol/command.ts';
import {
  budgetHistory,
  budgetList,
  budgetVersion,
  saveBudgetRequest,
} from '../../protocol/shared-budget.ts';
import {
  decisionKeyPage,
  madeDecisionKey,
  postedOutcome,
  reportDetail,
  repositoryPage,
} from '../../protocol/decisions.ts';
import {
  engineDetail,
  engineList,
  engineEntry,
  ownEntryOf,
  saveEngineRequest,
} from '../../protocol/engines.ts';
import { ERRORS, errorBody, type ErrorCode } from '../../protocol/errors.ts';
import {
  accepted,
  actPage,
  breachPage,
  entriesPage,
  instructed,
  instructRequest,
  launched,
  launchRequest,
  me,
  repairedSums,
  runnerPage,
  sessionDetail,
  sessionPage,
  usageSummary,
  type RunnerSummary,
} from '../../protocol/http.ts';
import { LOCAL_ACTOR, sessionId, turnId, type SessionId } from '../../protocol/ids.ts';
import { launchSpec } from '../../protocol/launch.ts';
import { can, type SessionAction } from '../../protocol/session.ts';
import type { Asked } from './fake-cloud.ts';
import { connectGithubRequest, githubChannel, githubChannelList } from '../../protocol/github.ts';
import { madeMcpKey, makeMcpKeyRequest, mcpKeyList } from '../../protocol/mcp.ts';
import { aChannel } from './forge/channel-builders.ts';
import type { MockOperators } from '../../console/mock/operators.ts';
import type { MockPolicies } from '../../console/mock/policies.ts';
import { aBrainKey } from './pilot-builders.ts';
import { FakeSession } from './fake-session.ts';

/** What the routes read and change. */
export type Answers = {
  runners: RunnerSummary[];
  sessions: Map<SessionId, FakeSession>;
  ledgers: Map<string, unknown>;
  brainKeys: readonly BrainKey[];
  pairings: MockPairings;
  policies: MockPolicies;
  operators: MockOperators;
  afterLaunch: (session: FakeSession) => void;
  afterInstruct: (session: FakeSession) => void;
  append(session: FakeSession, ...events: Parameters<FakeSession['append']>[0][number][]): void;
};
type Answer = { status: number; body: string };

/** Answers one request of a command line, from schemas both ways. */
export function answerRequest(cloud: Answers, asked: Asked): Answer {
  const [, resource, id, part, item] =
    /^\/v1\/([^/]+)(?:\/([^/]+))?(?:\/([^/]+))?(?:\/([^/]+))?(?:\/override)?$/
      .exec(asked.path)
      ?.map((text) => (text ? decodeURIComponent(text) : undefined)) ?? [];
  const route = `${asked.method} ${resource ?? ''}`;
  if (route === 'GET me') return ok(me, { principal: { kind: 'cli', name: 'test' }, version: '1' });
  if (route === 'POST links')
    return { status: 201, body: JSON.stringify({ path: '/sign-in#once', expiresAt: 1_000 }) };
  if (resource === 'runners' && part === 'workspace') {
    const found = cloud.ledgers.get('workspace');
    return found ? ok(workspaceDescription, found) : refuse('runner_timeout');
  }
  if (resource === 'runners' && part === 'panes')
    return ok(paneList, cloud.ledgers.get('panes') ?? { panes: [], watch: true, drive: true });
  if (route === 'POST pairings' && id === undefined) {
    const told = cloud.pairings.make(asked.body, cloud.runners, Date.now());
    return { status: 201, body: JSON.stringify(told) };
  }
  if (route === 'GET pairings') return ok(openPairings, { items: cloud.pairings.open });
  if (resource === 'pairings' && id !== undefined && part === 'withdraw')
    return cloud.pairings.withdraw(id)
      ? ok(accepted, { accepted: true })
      : refuse('pairing_not_found');
  if (resource === 'runners' && part === 'revoke') return ok(revokedRunner, { sessions: 1 });
  if (route === 'GET runners') return ok(runnerPage, { items: cloud.runners, nextCursor: null });
  if (resource === 'policy') {
    const address = new URL(`http://cloud${asked.path}?${new URLSearchParams(asked.query)}`);
    const told = cloud.policies.answer(asked.method, address, asked.body, 1_000);
    return { status: asked.method === 'POST' ? 201 : 200, body: JSON.stringify(told) };
  }
  const decisions = DECISIONS[`${asked.method} ${asked.path.replace(/dky_\w+/, 'KEY')}`];
  if (decisions) return ok(decisions, cloud.ledgers.get(asked.path) ?? EMPTY_PAGE);
  if (resource === 'operators' || resource === 'instances') {
    const told = cloud.operators.answer(asked.method, asked.path, asked.body, 1_000);
    if (told === null)
      return refuse(resource === 'operators' ? 'operator_not_found' : 'instance_not_found');
    return { status: 200, body: JSON.stringify(told) };
  }
  if (resource === 'mcp-keys') return answerMcpKeys(cloud, asked, part);
  if (resource === 'brain-keys') return answerBrainKeys(cloud, asked, part);
  if (resource === 'github') return answerGithub(cloud, asked, item);
  if (route === 'POST engines') {
    const { preset, basedOn } = saveEngineRequest.parse(asked.body);
    return ok(engineEntry, ownEntryOf(preset, basedOn + 1, 1));
  }
  if (route === 'GET engines' && id) {
    const known = cloud.ledgers.get(asked.path);
    return known ? ok(engineDetail, known) : refuse('engine_preset_not_found');
  }
  if (route === 'GET engines') return ok(engineList, cloud.ledgers.get('engines'));
  if (route === 'GET acts') return ok(actPage, cloud.ledgers.get('acts') ?? EMPTY_PAGE);
  if (route === 'GET budgets' && id === 'versions')
    return ok(budgetHistory, { items: cloud.ledgers.get('budget versions') ?? [] });
  if (route === 'GET budgets') return ok(budgetList, { items: cloud.ledgers.get('budgets') ?? [] });
  if (route === 'POST budgets') {
    const { basedOn, ...terms } = saveBudgetRequest.parse(asked.body);
    return ok(budgetVersion, { ...terms, version: basedOn + 1, savedBy: 'cli', savedAt: 1 });
  }
  if (route === 'GET breaches') return ok(breachPage, cloud.ledgers.get('breaches') ?? EMPTY_PAGE);
  if (route === 'POST usage') return ok(repairedSums, cloud.ledgers.get('repair'));
  if (route === 'GET usage')
    return ok(usageSummary, cloud.ledgers.get('usage') ?? emptySummary(asked));
  if (route === 'POST sessions' && !id) return launch(cloud, asked);
  if (route === 'GET sessions' && !id) return listSessions(cloud, asked);
  const session = resource === 'sessions' && id ? cloud.sessions.get(id as SessionId) : undefined;
  if (!session) return refuse(resource === 'sessions' ? 'session_not_found' : 'not_found');
  return answerSession(cloud, session, asked, part, item);
}

/** Keeps keys as they are listed; a test finds what was sent among the requests. */
function answerBrainKeys(cloud: Answers, asked: Asked, part: string | undefined): Answer {
  if (part === 'remove') return ok(accepted, { accepted: true });
  if (asked.method === 'GET') return ok(brainKeyList, { items: cloud.brainKeys });
  const { name, provider, baseUrl } = addBrainKeyRequest.parse(asked.body);
  return ok(brainKey, aBrainKey({ name, provider, ...(baseUrl !== undefined && { baseUrl }) }));
}

/** Makes the key that is asked for; a test finds what was sent among the requests. */
function answerMcpKeys(cloud: Answers, asked: Asked, part: string | undefined): Answer {
  if (part === 'revoke') return ok(accepted, { accepted: true });
  if (asked.method === 'GET') return ok(mcpKeyList, { items: cloud.ledgers.get('mcp-keys') ?? [] });
  const said = makeMcpKeyRequest.parse(asked.body);
  const times = { createdAt: 1, lastUsedAt: null, revokedAt: null };
  const key = { keyId: 'mky_1', madeBy: 'cli', ...said, ...times };
  return ok(madeMcpKey, { key, token: 'phm_sentinel' });
}

/** Connects what is asked for; a test finds what was sent among the requests. */
function answerGithub(cloud: Answers, asked: Asked, item: string | undefined): Answer {
  if (item === 'remove') return ok(accepted, { accepted: true });
  if (asked.method === 'GET')
    return ok(githubChannelList, { items: cloud.ledgers.get('github') ?? [] });
  return ok(githubChannel, aChannel(connectGithubRequest.parse(asked.body)));
}

/** Routes of decisions, each answering what a test put there. */
const DECISIONS: Record<string, z.ZodType> = {
  'GET /v1/decisions/repositories': repositoryPage,
  'GET /v1/decisions/reports/drp_1': reportDetail,
  'GET /v1/decisions/keys': decisionKeyPage,
  'POST /v1/decisions/keys': madeDecisionKey,
  'POST /v1/decisions/keys/KEY/revoke': z.unknown().transform(() => ({ accepted: true })),
  'POST /v1/decisions/reports': postedOutcome,
};

const EMPTY_PAGE = { items: [], nextCursor: null };
const emptySummary = (asked: Asked) => ({ by: asked.query['by'] ?? 'day', totals: {}, groups: [] });

function answerSession(
  cloud: Answers,
  session: FakeSession,
  asked: Asked,
  part: string | undefined,
  item: string | undefined,
): Answer {
  switch (`${asked.method} ${part ?? ''}`) {
    case 'GET ':
      return ok(sessionDetail, session.detail);
    case 'GET artifact-pack': {
      const collector = new PackCollector();
      collector.add(session.entries);
      const { runnerId, runnerName: name } = session.detail.summary;
      return ok(
        artifactPack,
        collector.pack(session.detail.view, { runnerId, name, facts: null }, 0),
      );
    }
    case 'GET entries': {
      const after = Number(asked.query['after'] ?? 0);
      const entries = session.entries.slice(after, after + Number(asked.query['limit'] ?? 200));
      return ok(entriesPage, { entries, last: session.entries.length });
    }
    case 'POST instructions':
      return instruct(cloud, session, asked);
    case 'POST approvals':
      return answerApproval(cloud, session, asked, item ?? '');
    case 'POST breaches':
      return ok(accepted, { accepted: true }, 202);
    case 'POST interrupt':
    case 'POST stop':
    case 'POST retry':
    case 'POST dismiss':
    case 'POST restore':
      return act(cloud, session, part as RequestedAction);
    default:
      return refuse('not_found');
  }
}

function launch(cloud: Answers, asked: Asked): Answer {
  const { runnerId, from: _from, ...spec } = launchRequest.parse(asked.body);
  const runner = cloud.runners.find((candidate) => candidate.runnerId === runnerId);
  if (!runner) return refuse('runner_not_found');
  const number = String(cloud.sessions.size + 1).padStart(22, '0');
  const session = new FakeSession(sessionId.parse(`ses_${number}`), runner);
  const turn = turnId.parse(`trn_${number}`);
  cloud.sessions.set(session.sessionId, session);
  session.append([
    { type: 'session/created', launch: launchSpec.parse(spec), actorId: LOCAL_ACTOR },
    { type: 'turn/accepted', turnId: turn, text: spec.objective, actorId: LOCAL_ACTOR },
  ]);
  cloud.afterLaunch(session);
  return ok(launched, { sessionId: session.sessionId, turnId: turn }, 201);
}

function listSessions(cloud: Answers, asked: Asked): Answer {
  const all = [...cloud.sessions.values()].toReversed().map((session) => session.summary);
  const items = all.slice(0, Number(asked.query['limit'] ?? 50));
  return ok(sessionPage, { items, nextCursor: items.length < all.length ? 'more' : null });
}

function instruct(cloud: Answers, session: FakeSession, asked: Asked): Answer {
  const { text } = instructRequest.parse(asked.body);
  const refused = refusalOf('instruct', session);
  if (refused) return refused;
  const turn = turnId.parse(`trn_said${session.view.turns.length + 1}`);
  cloud.append(session, { type: 'turn/accepted', turnId: turn, text, actorId: LOCAL_ACTOR });
  cloud.afterInstruct(session);
  return ok(instructed, { turnId: turn }, 202);
}

function answerApproval(cloud: Answers, session: FakeSession, asked: Asked, id: string): Answer {
  const answer = approvalAnswer.parse(asked.body);
  const pending = session.view.pendingApprovals.find((request) => request.requestId === id);
  if (!pending) return refuse('approval_expired');
  const { requestId } = pending;
  cloud.append(session, {
    type: 'approval/decided',
    requestId,
    answer,
    actorId: LOCAL_ACTOR,
    channel: 'cli',
  });
  return ok(accepted, { accepted: true }, 202);
}

function act(cloud: Answers, session: FakeSession, action: RequestedAction): Answer {
  const refused = refusalOf(action, session);
  if (refused) return refused;
  cloud.append(session, { type: 'action/requested', action, actorId: LOCAL_ACTOR });
  return ok(accepted, { accepted: true }, 202);
}

function refusalOf(action: SessionAction, session: FakeSession): Answer | null {
  const permission = can(action, session.view.state);
  return permission.allowed ? null : refuse(permission.code);
}

/** An answer that the schema accepts: a fake that drifts from the protocol fails its tests. */
function ok(schema: z.ZodType, value: unknown, status = 200): Answer {
  return { status, body: JSON.stringify(schema.parse(value)) };
}

/** A refusal in the one form of errors. */
export function refuse(code: ErrorCode, message: string = ERRORS[code].sentence): Answer {
  const { status, retryable } = ERRORS[code];
  const error = { code, message, retryable, context: {}, requestId: 'request-1' };
  return { status, body: JSON.stringify(errorBody.parse({ error })) };
}
