import type { RequestedAction } from '../../protocol/session.ts';
import { z } from 'zod';
import type { ApprovalAnswer } from '../../protocol/approval.ts';
import { type ArtifactPack, artifactPack } from '../../protocol/artifact-pack.ts';
import {
  checkoutPage,
  checkoutRemoved,
  type CheckoutPage,
  type CheckoutRemoved,
} from '../../protocol/checkout.ts';
import { workspaceDescription, type WorkspaceDescription } from '../../protocol/command.ts';
import {
  decisionKeyPage,
  madeDecisionKey,
  reportDetail,
  repositoryPage,
  type DecisionKey,
  type MadeDecisionKey,
  type ReportDetail,
  type RepositoryResult,
} from '../../protocol/decisions.ts';
import {
  engineDetail,
  engineEntry,
  engineList,
  machineEngines,
  type EngineDetail,
  type EngineEntry,
} from '../../protocol/engines.ts';
import { errorBody, ERRORS } from '../../protocol/errors.ts';
import {
  accepted,
  knownActPage,
  entriesPage,
  instructed,
  launched,
  me,
  runnerPage,
  sessionDetail,
  sessionPage,
  repairedSums,
  usageSummary,
  type ActRow,
  type EntriesPage,
  type LaunchRequest,
  type RepairedSums,
  type Me,
  type RunnerSummary,
  type SessionDetail,
  type SessionSummary,
  type UsageGrouping,
  type UsageSummary,
} from '../../protocol/http.ts';
import type { ImageId } from '../../protocol/ids.ts';
import { LAND_TIMEOUT_MS } from '../../protocol/land.ts';
import { imagePartAdded, type imagePartQuery } from '../../protocol/image.ts';
import { doctorReport, type DoctorReport, type EngineReadiness } from '../../protocol/machine.ts';
import {
  policyDetail,
  policyHistory,
  policyVersion,
  type PolicyDetail,
  type PolicyVersion,
  type SavePolicyRequest,
} from '../../protocol/policy-http.ts';
import type { EnginePreset } from '../../protocol/preset.ts';
import { type releaseRequest, takenOver, type takeoverRequest } from '../../protocol/takeover.ts';
import { type AuditApi, createAuditApi } from './ledgers/audit.ts';
import { createPushApi, type PushApi } from './notifications/notifications.ts';
import { type ChainApi, createChainApi } from './ledgers/verify.ts';
import { type BrainKeysApi, createBrainKeysApi } from './brain-keys/api.ts';
import { type ChangesApi, createChangesApi } from './sessions/changes-api.ts';
import { type BudgetsApi, createBudgetsApi } from './budgets/api.ts';
import { type BreachesApi, createBreachesApi } from './breaches/api.ts';
import { createGithubApi, type GithubApi } from './github/api.ts';
import { createMachinesApi, type MachinesApi } from './machines/api.ts';
import { createMcpApi, type McpApi } from './mcp/api.ts';
import { createOperatorsApi, type OperatorsApi } from './operators/api.ts';
import { createChatApi, type ChatApi } from './operators/chat/api.ts';
import { createPilotApi, type PilotApi } from './pilot/api.ts';
import { createReportApi, type ReportApi } from './reports/api.ts';
import { EXIT, Failure, type ExitCode } from '../failure.ts';

type Query = Readonly<Record<string, string | number | null | undefined>>;
type PolicyPlace = { runnerId: string; directory: string } | null;
type Page<Row> = { items: Row[]; nextCursor: string | null };

/** The API as the command line uses it. Every failure is a {@link Failure} with its exit code. */
export type Api = PilotApi &
  AuditApi &
  ChainApi &
  PushApi &
  BrainKeysApi &
  ReportApi &
  BreachesApi &
  ChangesApi &
  BudgetsApi &
  GithubApi &
  OperatorsApi &
  McpApi &
  MachinesApi &
  ChatApi & {
    readMe(): Promise<Me>;
    createLink(): Promise<{ path: string; expiresAt: number }>;
    listRunners(): Promise<RunnerSummary[]>;
    runDoctor(runnerId: string): Promise<DoctorReport>;
    listCheckouts(runnerId: string, query: Query): Promise<CheckoutPage>;
    removeCheckout(runnerId: string, sessionId: string, discard: boolean): Promise<CheckoutRemoved>;
    listEngines(): Promise<EngineEntry[]>;
    readEngine(engineId: string): Promise<EngineDetail>;
    saveEngine(preset: EnginePreset, basedOn: number): Promise<EngineEntry>;
    removeEngine(engineId: string): Promise<void>;
    /** How a machine stands with engines that are not in its runner's own code. */
    listMachineEngines(runnerId: string): Promise<EngineReadiness[]>;
    /** The policy of launches at a place; null is all of them. */
    readPolicy(place: PolicyPlace): Promise<PolicyDetail>;
    listPolicyVersions(place: PolicyPlace): Promise<z.infer<typeof policyHistory>>;
    savePolicy(request: SavePolicyRequest): Promise<PolicyVersion>;
    /** What a launch in a directory of the machine would find there. */
    describeWorkspace(runnerId: string, path: string): Promise<WorkspaceDescription>;
    launch(request: LaunchRequest): Promise<z.infer<typeof launched>>;
    listSessions(query: Query): Promise<Page<SessionSummary>>;
    readSession(sessionId: string): Promise<SessionDetail>;
    readEntries(sessionId: string, after: number, limit: number): Promise<EntriesPage>;
    readPack(sessionId: string): Promise<ArtifactPack>;
    /** `steer`: into the turn under way. */
    instruct(
      sessionId: string,
      text: string,
      steer?: boolean,
      images?: readonly ImageId[],
    ): Promise<z.infer<typeof instructed>>;
    /** `to`: an address of images, of a session or of a launch that is still to be made. */
    addImagePart(
      to: string,
      imageId: ImageId,
      query: z.input<typeof imagePartQuery> & Query,
      data: Uint8Array,
    ): Promise<z.infer<typeof imagePartAdded>>;
    act(sessionId: string, action: RequestedAction): Promise<void>;
    answer(sessionId: string, requestId: string, answer: ApprovalAnswer): Promise<void>;
    takeOver(
      sessionId: string,
      request: z.input<typeof takeoverRequest>,
    ): Promise<z.infer<typeof takenOver>>;
    release(sessionId: string, request: z.input<typeof releaseRequest>): Promise<void>;
    summarizeUsage(by: UsageGrouping, query: Query): Promise<UsageSummary>;
    repairSums(): Promise<RepairedSums>;
    listActs(query: Query): Promise<Page<ActRow>>;
    listRepositories(query: Query): Promise<Page<RepositoryResult>>;
    readReport(reportId: string): Promise<ReportDetail>;
    makeDecisionKey(repository: string, name: string): Promise<MadeDecisionKey>;
    listDecisionKeys(query: Query): Promise<Page<DecisionKey>>;
    revokeDecisionKey(keyId: string): Promise<void>;
  };

/** Sends one request of the API and reads its answer. */
export type Call = <S extends z.ZodType>(
  method: string,
  path: string,
  schema: S,
  body?: unknown,
) => Promise<z.infer<S>>;

const link = z.object({ path: z.string(), expiresAt: z.int() });

/** Longest that an answer may take, in ms: longer than the server itself waits for a machine. */
const ANSWER_MS = LAND_TIMEOUT_MS + 5_000;

/** A client of the API at `url`, signed in by `token`. Each answer is whole within `answerMs`. */
export function createApi(url: string, token: string, answerMs = ANSWER_MS): Api {
  const call: Call = async (method, path, schema, body) => {
    const signal = AbortSignal.timeout(answerMs);
    const response = await send(url, token, method, path, body, signal);
    const text = await response.text().catch((error: unknown) => {
      throw unanswered(url, signal, error);
    });
    if (!response.ok) throw refusal(response.status, text);
    return parseAnswer(schema, text, path);
  };
  const session = (sessionId: string, rest = '') =>
    `/v1/sessions/${encodeURIComponent(sessionId)}${rest}`;
  const engine = (engineId: string, rest = '') =>
    `/v1/engines/${encodeURIComponent(engineId)}${rest}`;
  const runner = (runnerId: string, rest: string) =>
    `/v1/runners/${encodeURIComponent(runnerId)}${rest}`;
  return {
    ...createPilotApi(call),
    ...createAuditApi(call),
    ...createChainApi(call),
    ...createPushApi(call),
    ...createBreachesApi(call),
    ...createChangesApi(call),
    ...createBudgetsApi(call),
    ...createBrainKeysApi(call),
    ...createReportApi(call),
    ...createGithubApi(call),
    ...createOperatorsApi(call),
    ...createMcpApi(call),
    ...createMachinesApi(call),
    ...createChatApi(call),
    readMe: () => call('GET', '/v1/me', me),
    createLink: () => call('POST', '/v1/links', link, {}),
    listRunners: async () => (await call('GET', '/v1/runners', runnerPage)).items,
    runDoctor: (runnerId) => call('POST', runner(runnerId, '/doctor'), doctorReport, {}),
    listCheckouts: (runnerId, query) =>
      call('GET', withQuery(runner(runnerId, '/checkouts'), query), checkoutPage),
    removeCheckout: (runnerId, sessionId, discard) => {
      const rest = `/checkouts/${encodeURIComponent(sessionId)}/${discard ? 'discard' : 'remove'}`;
      return call('POST', runner(runnerId, rest), checkoutRemoved, {});
    },
    listEngines: async () => (await call('GET', '/v1/engines', engineList)).items,
    readEngine: (engineId) => call('GET', engine(engineId), engineDetail),
    saveEngine: (preset, basedOn) => call('POST', '/v1/engines', engineEntry, { preset, basedOn }),
    async removeEngine(engineId) {
      await call('POST', engine(engineId, '/remove'), accepted, {});
    },
    listMachineEngines: async (runnerId) =>
      (await call('GET', runner(runnerId, '/engines'), machineEngines)).engines,
    describeWorkspace: (runnerId, path) =>
      call('GET', withQuery(runner(runnerId, '/workspace'), { path }), workspaceDescription),
    launch: (request) => call('POST', '/v1/sessions', launched, request),
    listSessions: (query) => call('GET', withQuery('/v1/sessions', query), sessionPage),
    readSession: (sessionId) => call('GET', session(sessionId), sessionDetail),
    readPolicy: (place) => call('GET', withQuery('/v1/policy', place ?? {}), policyDetail),
    listPolicyVersions: (place) =>
      call('GET', withQuery('/v1/policy/versions', place ?? {}), policyHistory),
    savePolicy: (request) => call('POST', '/v1/policy', policyVersion, request),
    readEntries: (sessionId, after, limit) =>
      call('GET', withQuery(session(sessionId, '/entries'), { after, limit }), entriesPage),
    readPack: (sessionId) => call('GET', session(sessionId, '/artifact-pack'), artifactPack),
    addImagePart: (to, imageId, query, data) =>
      call('POST', withQuery(`${to}/${imageId}`, query), imagePartAdded, data),
    instruct: (sessionId, text, steer = false, images = []) =>
      call('POST', session(sessionId, '/instructions'), instructed, {
        text,
        ...(steer && { steer }),
        ...(images.length > 0 && { images }),
      }),
    async act(sessionId, action) {
      await call('POST', session(sessionId, `/${action}`), accepted, {});
    },
    takeOver: (sessionId, request) =>
      call('POST', session(sessionId, '/takeover'), takenOver, request),
    async release(sessionId, request) {
      await call('POST', session(sessionId, '/release'), accepted, request);
    },
    async answer(sessionId, requestId, answer) {
      const path = session(sessionId, `/approvals/${encodeURIComponent(requestId)}`);
      await call('POST', path, accepted, answer);
    },
    summarizeUsage: (by, query) =>
      call('GET', withQuery('/v1/usage/summary', { by, ...query }), usageSummary),
    repairSums: () => call('POST', '/v1/usage/repair', repairedSums, {}),
    listActs: (query) => call('GET', withQuery('/v1/acts', query), knownActPage),
    listRepositories: (query) =>
      call('GET', withQuery('/v1/decisions/repositories', query), repositoryPage),
    readReport: (reportId) =>
      call('GET', `/v1/decisions/reports/${encodeURIComponent(reportId)}`, reportDetail),
    makeDecisionKey: (repository, name) =>
      call('POST', '/v1/decisions/keys', madeDecisionKey, { repository, name }),
    listDecisionKeys: (query) =>
      call('GET', withQuery('/v1/decisions/keys', query), decisionKeyPage),
    async revokeDecisionKey(keyId) {
      const path = `/v1/decisions/keys/${encodeURIComponent(keyId)}/revoke`;
      await call('POST', path, accepted, {});
    },
  };
}

const isBytes = (body: unknown): body is Uint8Array<ArrayBuffer> => body instanceof Uint8Array;

/**
 * Sends one request, JSON or bytes. Throws a {@link Failure} that says how to start what does not
 * answer, or that it took longer than `signal` gives it.
 */
export async function send(
  url: string,
  token: string,
  method: string,
  path: string,
  body: unknown,
  signal: AbortSignal | null = null,
): Promise<Response> {
  try {
    return await fetch(new URL(path, url), {
      method,
      signal,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body !== undefined && {
          'content-type': isBytes(body) ? 'application/octet-stream' : 'application/json',
        }),
      },
      ...(body !== undefined && { body: isBytes(body) ? body : JSON.stringify(body) }),
    });
  } catch (error) {
    if (signal?.aborted) throw unanswered(url, signal, error);
    throw new Failure(
      EXIT.unreachable,
      'unreachable',
      `Nothing answers at ${url}. Start Pilothouse there with npm start, then try again.`,
      { cause: error },
    );
  }
}

/** It is there and did not answer to the end: what was asked may be done all the same. */
function unanswered(url: string, { aborted }: AbortSignal, cause: unknown): Failure {
  const what = aborted ? 'did not answer in time' : 'broke off in its answer';
  return new Failure(
    EXIT.unreachable,
    'unanswered',
    `The server at ${url} ${what}. What you asked for may be done all the same: look before you ask again.`,
    { cause },
  );
}

/** A refusal as the Worker words it; the exit code says whose turn it is. */
export function refusal(status: number, text: string): Failure {
  const body = parseErrorBody(text);
  if (!body) {
    return new Failure(
      EXIT.failed,
      'unexpected_answer',
      `The answer was ${status} without a reason that this version understands.`,
    );
  }
  return new Failure(exitCodeOf(status), body.code, body.message);
}

function exitCodeOf(status: number): ExitCode {
  if (status === ERRORS.runner_offline.status || status === ERRORS.runner_timeout.status)
    return EXIT.unreachable;
  return status >= 500 ? EXIT.failed : EXIT.refused;
}

function parseErrorBody(text: string) {
  try {
    return errorBody.safeParse(JSON.parse(text)).data?.error ?? null;
  } catch {
    return null;
  }
}

/** Reads an answer. Throws a {@link Failure} for one that this version does not understand. */
export function parseAnswer<S extends z.ZodType>(
  schema: S,
  text: string,
  path: string,
): z.infer<S> {
  try {
    return schema.parse(JSON.parse(text));
  } catch (error) {
    throw new Failure(
      EXIT.failed,
      'unexpected_answer',
      `The answer to ${path} has a form that this version does not understand. Use the command line of the version that runs.`,
      { cause: error },
    );
  }
}

/** A path with the query's values that are there. */
export function withQuery(path: string, query: Query): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query))
    if (value !== undefined && value !== null) search.set(name, String(value));
  return search.size > 0 ? `${path}?${search.toString()}` : path;
}
