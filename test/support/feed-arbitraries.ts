import fc from 'fast-check';
import { ACT_KINDS } from '../../protocol/act.ts';
import type { FeedEvent } from '../../protocol/engine-event.ts';
import {
  LOCAL_ACTOR,
  actId,
  commandId,
  launchId,
  requestId,
  sessionId,
  turnId,
} from '../../protocol/ids.ts';
import { LAUNCH_STAGES, PROVIDER_FAILURES } from '../../protocol/launch.ts';
import { wholeText } from '../../protocol/text.ts';
import { PROVENANCES } from '../../protocol/usage.ts';
import { aBreach, overridden } from './breach-builders.ts';
import { aLaunch } from './protocol-builders.ts';

/** Few ids, so that what chance makes is often about the same turn, request or launch. */
const turn = fc.constantFrom('trn_a', 'trn_b', 'trn_c').map((id) => turnId.parse(id));
const maybeTurn = fc.option(turn, { nil: null });
const launch = fc.constantFrom('lau_a', 'lau_b').map((id) => launchId.parse(id));
const request = fc.constantFrom('apr_a', 'apr_b').map((id) => requestId.parse(id));
const act = fc.constantFrom('act_a', 'act_b').map((id) => actId.parse(id));
const words = fc.string({ maxLength: 12 });
const refMove = fc.record({
  place: words,
  ref: words,
  before: fc.option(words, { nil: null }),
  after: fc.option(words, { nil: null }),
});
const maybeWords = fc.option(words, { nil: null });
const text = words.map(wholeText);
const ms = fc.nat(10_000);
const stage = fc.constantFrom(...LAUNCH_STAGES);
const error = fc.record({ code: fc.constantFrom(...PROVIDER_FAILURES), message: words });
const observed = fc.constantFrom('recorded', 'none', 'unobservable', 'unsettled');
const stderrTail = fc.array(words, { maxLength: 3 });
const payer = fc.constantFrom('api-key', 'subscription', 'unknown');

export const usageEntryArbitrary = fc.record({
  model: fc.constantFrom('one', 'two'),
  provenance: fc.constantFrom(...PROVENANCES),
  payer,
  inputTokens: fc.nat(1_000),
  outputTokens: fc.nat(1_000),
  cacheReadTokens: fc.nat(1_000),
  cacheWriteTokens: fc.nat(1_000),
  microUsd: fc.option(fc.nat(1_000_000), { nil: null }),
});

type Shapes = Record<FeedEvent['type'], fc.Arbitrary<object>>;

/** An arbitrary of every event that a feed can hold: the compiler asks for one that is new. */
export const EVENT_SHAPES = {
  'session/created': fc.constant({ launch: aLaunch(), actorId: LOCAL_ACTOR }),
  'turn/accepted': fc.record({
    turnId: turn,
    text: fc.constant('go'),
    actorId: fc.constant(LOCAL_ACTOR),
  }),
  'action/requested': fc.record({
    action: fc.constantFrom(
      'interrupt',
      'stop',
      'retry',
      'restart',
      'compact',
      'dismiss',
      'restore',
    ),
    actorId: fc.constant(LOCAL_ACTOR),
  }),
  'session/forked': fc.record({
    sessionId: fc.constantFrom(...['ses_a', 'ses_b'].map((id) => sessionId.parse(id))),
    turnId: turn,
    number: fc.integer({ min: 1, max: 9 }),
    actorId: fc.constant(LOCAL_ACTOR),
  }),
  'approval/decided': fc.record({
    requestId: request,
    answer: fc.constant({ decision: 'allow', message: null, answers: null, suggestion: null }),
    actorId: fc.constant(LOCAL_ACTOR),
    channel: fc.constant('console'),
  }),
  'command/failed': fc.record(
    {
      commandId: fc.constant(commandId.parse('cmd_a')),
      method: fc.constantFrom(
        'session/start',
        'session/instruct',
        'session/answer',
        'session/stop',
      ),
      turnId: maybeTurn,
      requestId: request,
      code: fc.constantFrom('expired', 'unknown_outcome', 'runner_offline'),
      message: words,
    },
    { requiredKeys: ['commandId', 'method', 'turnId', 'code', 'message'] },
  ),
  'launch/staged': fc.record({ launchId: launch, stage, process: fc.constant(null) }),
  'launch/failed': fc.record({
    launchId: launch,
    state: fc.constantFrom('failed_to_start', 'bootstrap_stalled', 'provider_failed'),
    stage,
    error,
    elapsedMs: ms,
    stderrTail,
  }),
  'engine/ready': fc.record({
    launchId: launch,
    engineSessionId: fc.constantFrom('e1', 'e2'),
    engineVersion: maybeWords,
    model: maybeWords,
    payer,
    credential: maybeWords,
  }),
  'engine/exited': fc.record({
    launchId: launch,
    exitCode: fc.option(fc.nat(255), { nil: null }),
    signal: maybeWords,
    expected: fc.boolean(),
    stderrTail,
  }),
  'engine/parked': fc.record({
    reason: fc.constantFrom('idle', 'spool_full', 'runner_restarted', 'no_output'),
  }),
  'session/halted': fc.record({
    reason: fc.constantFrom('budget', 'missing_records', 'unpriced_model', 'breach'),
    message: words,
  }),
  'session/ended': fc.record({
    end: fc.constantFrom('finished', 'stopped', 'failed', 'lost'),
    reason: words,
  }),
  'checkout/prepared': fc.record({
    mode: fc.constantFrom('own', 'inPlace'),
    directory: words,
    branch: maybeWords,
    baseCommit: maybeWords,
    included: fc.constant([]),
    fromUncommitted: fc.boolean(),
  }),
  'checkout/broughtBack': fc.record({
    turnId: maybeTurn,
    branch: words,
    commit: words,
    commits: fc.nat(9),
    uncommittedFiles: fc.nat(9),
  }),
  'setup/ran': fc.record({
    command: words,
    exitCode: fc.constant(0),
    output: text,
    durationMs: ms,
  }),
  'turn/delivered': fc.record({
    turnId: turn,
    delivery: fc.constantFrom('received', 'handed', 'confirmed', 'unknown', 'undelivered'),
    reason: maybeWords,
  }),
  'turn/briefed': fc.record({
    turnId: turn,
    turns: fc.integer({ min: 1, max: 9 }),
    chars: fc.integer({ min: 1, max: 9_999 }),
  }),
  'turn/started': fc.record({ turnId: turn, origin: fc.constantFrom('instruction', 'engine') }),
  'turn/ended': fc.record({
    turnId: turn,
    outcome: fc.constantFrom('ok', 'failed', 'killed', 'interrupted', 'unknown'),
    error: fc.option(error, { nil: null }),
    durationMs: ms,
    usage: observed,
    acts: observed,
  }),
  'text/completed': fc.record({
    turnId: maybeTurn,
    blockId: words,
    parentToolId: maybeWords,
    kind: fc.constantFrom('answer', 'narration', 'thinking'),
    text,
  }),
  'tool/started': fc.record({
    turnId: maybeTurn,
    toolId: fc.constantFrom('t1', 't2'),
    parentToolId: maybeWords,
    name: words,
    summary: words,
    input: text,
  }),
  'tool/ended': fc.record({
    toolId: fc.constantFrom('t1', 't2'),
    outcome: fc.constantFrom('ok', 'failed', 'denied', 'interrupted', 'unknown'),
    exitCode: fc.constant(null),
    output: text,
    files: fc.constant([]),
    durationMs: ms,
  }),
  'usage/recorded': fc.record({
    turnId: maybeTurn,
    entries: fc.array(usageEntryArbitrary, { minLength: 1, maxLength: 3 }),
  }),
  'act/seen': fc
    .record({
      actId: act,
      turnId: maybeTurn,
      toolId: fc.constant('t1'),
      kind: fc.constantFrom(...ACT_KINDS),
      command: words,
      target: maybeWords,
      witness: fc.constantFrom('stream', 'git', 'instructed', 'gate', 'guard'),
      uncertain: fc.boolean(),
      claimId: fc.option(act, { nil: undefined, freq: 2 }),
    })
    .map(({ claimId, ...seen }) => ({ act: claimId ? { ...seen, claimId } : seen })),
  'act/ended': fc.record({ actId: act, outcome: fc.constantFrom('done', 'not_done', 'unknown') }),
  'act/witnessed': fc.record({
    actId: act,
    by: fc.constantFrom('git', 'gate'),
    finding: fc.constantFrom('confirmed', 'unclaimed', 'only', 'unmoved'),
    move: fc.option(refMove, { nil: null }),
    evidence: words,
  }),
  'turn/witnessed': fc.record({
    turnId: turn,
    places: fc.array(fc.record({ name: words, refs: fc.nat(), skipped: fc.constant(null) })),
    others: fc.array(
      fc.tuple(refMove, words).map(([move, reason]) => ({ ...move, reason })),
      { maxLength: 3 },
    ),
    more: fc.nat(),
    elapsedMs: fc.nat(),
  }),
  'approval/requested': fc
    .record({
      requestId: request,
      turnId: maybeTurn,
      toolId: fc.constant('t1'),
      kind: fc.constantFrom('tool', 'question', 'plan'),
      toolName: words,
      input: text,
      summary: words,
      acts: fc.subarray([...ACT_KINDS]),
      questions: fc.constant([]),
      suggestions: fc.constant([]),
      requestedAt: ms,
      expiresAt: fc.option(ms, { nil: null }),
    })
    .map((asked) => ({ request: asked })),
  'approval/resolved': fc.record({
    requestId: request,
    resolution: fc.constantFrom('allowed', 'denied', 'expired', 'withdrawn'),
  }),
  'takeover/began': fc.record({
    form: fc.constantFrom('keys', 'text'),
    actorId: fc.constant(LOCAL_ACTOR),
    channel: fc.constantFrom('console', 'cli'),
    epoch: fc.integer({ min: 1, max: 9 }),
  }),
  'takeover/released': fc.record({
    actorId: fc.constant(LOCAL_ACTOR),
    channel: fc.constantFrom('console', 'cli'),
    epoch: fc.integer({ min: 1, max: 9 }),
  }),
  'brain/answered': fc.record({
    step: fc.integer({ min: 1, max: 99 }),
    usage: usageEntryArbitrary,
  }),
  'terminal/opened': fc.record({
    turnId: turn,
    columns: fc.constant(80),
    rows: fc.constant(24),
    reopened: fc.boolean(),
    process: fc.constant({ pid: 8, argv: ['engine'], directory: '/work' }),
  }),
  'terminal/closed': fc.record({
    turnId: turn,
    reason: fc.constantFrom('released', 'exited', 'stopped', 'runner_restarted', 'failed'),
    exitCode: fc.option(fc.integer({ min: 0, max: 255 }), { nil: null }),
    message: fc.option(words, { nil: null }),
  }),
  'engine/blocked': fc.record({
    why: fc.constantFrom('unknown', 'secret', 'unanswered', 'declined'),
    excerpt: words,
    message: words,
  }),
  'engine/unblocked': fc.constant({}),
  'breach/found': fc.record({
    breach: fc.constantFrom(aBreach(), aBreach({ actId: actId.parse('act_2'), move: null })),
  }),
  'breach/overridden': fc.constantFrom(overridden(), overridden('again')),
  'session/resumed': fc.constant({}),
  'model/routed': fc.record({
    through: fc.constantFrom('gate', 'provider'),
    reason: fc.option(words, { nil: null }),
  }),
  'model/metered': fc.record({
    turnId: maybeTurn,
    calls: fc.nat(),
    refused: fc.nat(),
    inputTokens: fc.nat(),
    outputTokens: fc.nat(),
    cacheReadTokens: fc.nat(),
    cacheWriteTokens: fc.nat(),
    microUsd: fc.option(fc.nat(), { nil: null }),
    engineMicroUsd: fc.option(fc.nat(), { nil: null }),
  }),
  'rateLimit/reported': fc.record({ status: words, resetsAt: fc.option(ms, { nil: null }) }),
  'notice/raised': fc.record({
    level: fc.constantFrom('info', 'warning', 'error'),
    code: fc.constantFrom('one_code', 'another'),
    message: words,
  }),
} satisfies Shapes;

/** Any event at all. */
export const feedEventArbitrary: fc.Arbitrary<FeedEvent> = fc.oneof(
  ...Object.entries(EVENT_SHAPES).map(([type, shape]) =>
    (shape as fc.Arbitrary<object>).map((rest) => ({ type, ...rest }) as FeedEvent),
  ),
);

const first = turnId.parse('trn_a');
const began: FeedEvent[] = [
  { type: 'turn/accepted', turnId: first, text: 'go', actorId: LOCAL_ACTOR },
  {
    type: 'launch/staged',
    launchId: launchId.parse('lau_a'),
    stage: 'spawned',
    process: null,
  },
  {
    type: 'launch/staged',
    launchId: launchId.parse('lau_a'),
    stage: 'bootstrap_submitted',
    process: null,
  },
  { type: 'turn/started', turnId: first, origin: 'instruction' },
];

/**
 * Any record of events, the one that opened the session left out. Many begin with a launch that
 * went well, so that what comes later in a session's life is reached too.
 */
export const recordArbitrary = fc
  .tuple(
    fc.constantFrom<FeedEvent[]>(
      [],
      began,
      [...began, { type: 'engine/parked', reason: 'idle' }],
      [...began, { type: 'session/halted', reason: 'budget', message: 'spent' }],
    ),
    fc.array(feedEventArbitrary, { maxLength: 60 }),
  )
  .map(([beginning, rest]) => [...beginning, ...rest]);
