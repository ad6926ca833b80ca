import type { z } from 'zod';
import type { ChainFinding } from '../../protocol/chain.ts';
import type { CheckoutFacts } from '../../protocol/checkout.ts';
import type { FeedEvent } from '../../protocol/engine-event.ts';
import { ERRORS, type ErrorCode } from '../../protocol/errors.ts';
import type { launchRequest, RunnerSummary, UnmeteredWork, UsageRow } from '../../protocol/http.ts';
import { ANSWER_MS, NO_OUTPUT_MS } from '../../protocol/launch.ts';
import { LOCAL_ACTOR, makeId, type SessionId } from '../../protocol/ids.ts';
import type { WatchablePane } from '../../protocol/panes.ts';
import { bucketOf } from '../../protocol/usage.ts';
import { MockBudgets } from './budgets.ts';
import { MockPolicies } from './policies.ts';
import { MockBrainKeys } from './brain-keys.ts';
import { MockDecisions } from './decisions.ts';
import { MockEngines } from './engines.ts';
import { MockGithub } from './github.ts';
import { MockPairings } from './machines.ts';
import { MockMcpKeys } from './mcp.ts';
import { MockOperators } from './operators.ts';
import { MockPush } from './push.ts';
import { MockRecord } from './record.ts';
import { CHECKPOINTS, REVIEW } from './review.ts';
import { aRunner } from './sentinels.ts';

/** Everything that the stand-in server knows. Tests change it and watch the page follow. */
export class MockWorld {
  runners: RunnerSummary[] = [aRunner()];
  checkouts: CheckoutFacts[] = [];
  review = REVIEW;
  unmetered: UnmeteredWork | undefined;
  checkpoints = CHECKPOINTS;
  panes: WatchablePane[] = [];
  /** What each of their terminals shows, with its escapes. */
  paneScreen = '';
  signedIn = true;
  /** What is found when a session’s ledgers are compared with its chain. */
  readonly tampered = new Map<SessionId, ChainFinding[]>();
  readonly pairings = new MockPairings();
  readonly decisions = new MockDecisions();
  readonly engines = new MockEngines();
  readonly brainKeys = new MockBrainKeys();
  readonly mcpKeys = new MockMcpKeys();
  readonly budgets = new MockBudgets();
  readonly github = new MockGithub();
  readonly operators = new MockOperators();
  readonly policies = new MockPolicies();
  readonly push = new MockPush();
  readonly records = new Map<string, MockRecord>();
  /** Requests as they arrived, so that a test can tell what a button really asked for. */
  readonly received: {
    method: string;
    path: string;
    query: Record<string, string>;
    body: unknown;
  }[] = [];
  /** Answers that are failures, by `METHOD path`. */
  readonly failures = new Map<string, ErrorCode>();
  readonly now: () => number;

  readonly #random: () => Uint8Array;

  constructor(
    now: () => number = Date.now,
    random: () => Uint8Array = () => crypto.getRandomValues(new Uint8Array(16)),
  ) {
    this.now = now;
    this.#random = random;
  }

  add(events: readonly FeedEvent[]): MockRecord {
    const record = new MockRecord(this.makeId('ses'), events, this.now());
    this.records.set(record.sessionId, record);
    return record;
  }

  launch(request: z.infer<typeof launchRequest>): { sessionId: SessionId; turnId: string } {
    const { runnerId: _runner, from: _from, ...spec } = request;
    const launch = {
      ...spec,
      noOutputMs: spec.noOutputMs ?? NO_OUTPUT_MS,
      answerMs: spec.answerMs ?? ANSWER_MS,
      preset: null,
      policy: null,
      from: null,
    };
    const turnId = this.makeId('trn');
    const record = this.add([
      { type: 'session/created', launch, actorId: LOCAL_ACTOR },
      { type: 'turn/accepted', turnId, text: launch.objective, actorId: LOCAL_ACTOR },
    ]);
    return { sessionId: record.sessionId, turnId };
  }

  /** The usage ledger with where each entry was used. */
  usage(): { row: UsageRow; directory: string | null }[] {
    return [...this.records.values()].flatMap((record) =>
      record.entries.flatMap(({ event, at }) =>
        event.type === 'usage/recorded'
          ? event.entries.map((entry) => ({
              directory: record.view.launch.directory,
              row: {
                ...entry,
                bucket: bucketOf(entry),
                sessionId: record.sessionId,
                sessionTitle: record.summary().title,
                engineId: record.view.launch.engineId,
                turnId: event.turnId,
                at,
              },
            }))
          : [],
      ),
    );
  }

  makeId<P extends 'ses' | 'trn'>(prefix: P) {
    return makeId(prefix, this.now(), this.#random());
  }
}

/** An error as the API words it. */
export function errorAnswer(code: ErrorCode): { status: number; body: unknown } {
  const { status, sentence, retryable } = ERRORS[code];
  const error = { code, message: sentence, retryable, context: {}, requestId: 'req-sentinel' };
  return { status, body: { error } };
}
