import type { FeedEvent } from '../../protocol/engine-event.ts';
import { me, type RunnerSummary, runnerSummary } from '../../protocol/http.ts';
import { actId, launchId, LOCAL_ACTOR, requestId, runnerId, turnId } from '../../protocol/ids.ts';
import { launchSpec, type LaunchSpecInput } from '../../protocol/launch.ts';
import { wholeText } from '../../protocol/text.ts';

/*
 * Values that no real thing has, so that a test that finds one on a page knows where it is from.
 * All of them pass the protocol's own schemas.
 */

export const RUNNER = runnerId.parse('run_sentinel');
export const TURN = turnId.parse('trn_sentinel');
export const REQUEST = requestId.parse('apr_sentinel');
export const ACT = actId.parse('act_sentinel');
export const LAUNCH = launchId.parse('lau_sentinel');
export const VERSION = '0.0.0-sentinel';
export const LINK_TOKEN = 'sentinel-link';

export const ME = me.parse({ principal: { kind: 'person', name: 'sentinel' }, version: VERSION });

export function aRunner(over: Partial<RunnerSummary> = {}): RunnerSummary {
  return runnerSummary.parse({
    runnerId: RUNNER,
    name: 'lighthouse',
    presence: 'online',
    lastSeenAt: 1_700_000_000_000,
    machine: {
      hostname: 'lighthouse',
      platform: 'linux',
      arch: 'x64',
      nodeVersion: 'v24.0.0',
      pilothouseVersion: VERSION,
      homeDirectory: '/home/sentinel',
      forks: true,
      images: true,
      limits: {
        source: null,
        directories: ['/home/sentinel'],
        engines: ['claude', 'rehearsal'],
        bypass: false,
        noOutputMaxMs: 3_600_000,
        startMs: 120_000,
        answerMaxMs: 172_800_000,
      },
      engines: [
        {
          engineId: 'claude',
          label: 'Claude Code',
          ready: false,
          version: null,
          payer: 'unknown',
          credential: null,
          approvals: ['ask', 'accept_edits', 'plan', 'bypass'],
          problem: 'claude is not logged in.',
          remedy: 'Run `claude login` there.',
        },
        {
          engineId: 'rehearsal',
          label: 'Rehearsal',
          ready: true,
          version: '9.9.9',
          payer: 'unknown',
          credential: null,
          approvals: ['ask', 'accept_edits', 'bypass'],
          problem: null,
          remedy: null,
        },
      ],
    },
    ...over,
  });
}

export function aLaunch(over: Partial<LaunchSpecInput> = {}) {
  return launchSpec.parse({
    engineId: 'rehearsal',
    directory: null,
    objective: 'Trim the sentinel sails',
    ...over,
  });
}

const turn = { turnId: TURN, parentToolId: null };

/** A record as a session leaves it that asks before it pushes, up to where it asks. */
export function eventsUntilApproval(over: Partial<LaunchSpecInput> = {}): FeedEvent[] {
  const launch = aLaunch(over);
  return [
    { type: 'session/created', launch, actorId: LOCAL_ACTOR },
    { type: 'turn/accepted', turnId: TURN, text: launch.objective, actorId: LOCAL_ACTOR },
    { type: 'turn/delivered', turnId: TURN, delivery: 'received', reason: null },
    {
      type: 'checkout/prepared',
      mode: 'own',
      directory: '/data/checkouts/sentinel',
      branch: 'pilothouse/sentinel',
      baseCommit: '0123456789abcdef',
      included: [],
      fromUncommitted: false,
    },
    {
      type: 'launch/staged',
      launchId: LAUNCH,
      stage: 'spawned',
      process: {
        pid: 4242,
        argv: ['engine', '--speak'],
        directory: '/data/checkouts/sentinel',
        environment: ['HOME', 'PATH'],
      },
    },
    { type: 'launch/staged', launchId: LAUNCH, stage: 'bootstrap_submitted', process: null },
    {
      type: 'engine/ready',
      launchId: LAUNCH,
      engineSessionId: 'conversation-sentinel',
      engineVersion: '9.9.9',
      model: 'sentinel-model',
      payer: 'api-key',
      credential: 'SENTINEL_API_KEY',
    },
    { type: 'turn/started', turnId: TURN, origin: 'instruction' },
    {
      type: 'text/completed',
      ...turn,
      blockId: 'block-1',
      kind: 'answer',
      text: wholeText('I will look at **the sails**.'),
    },
    {
      type: 'tool/started',
      ...turn,
      toolId: 'tool-edit',
      name: 'Edit',
      summary: '/data/checkouts/sentinel/src/sail.ts',
      input: wholeText('{"file_path":"/data/checkouts/sentinel/src/sail.ts"}'),
    },
    {
      type: 'tool/ended',
      toolId: 'tool-edit',
      outcome: 'ok',
      exitCode: null,
      output: wholeText('edited'),
      files: [
        {
          path: '/data/checkouts/sentinel/src/sail.ts',
          change: 'edited',
          patch: wholeText('@@ -1,2 +1,2 @@\n const sail = 1;\n-hoist();\n+trim();\n'),
          additions: 1,
          deletions: 1,
        },
      ],
      durationMs: 12,
    },
    {
      type: 'tool/started',
      ...turn,
      toolId: 'tool-push',
      name: 'Bash',
      summary: 'git push origin sentinel',
      input: wholeText('{"command":"git push origin sentinel"}'),
    },
    {
      type: 'act/seen',
      act: {
        actId: ACT,
        turnId: TURN,
        toolId: 'tool-push',
        kind: 'push',
        command: 'git push origin sentinel',
        target: 'origin sentinel',
        witness: 'stream',
        uncertain: false,
      },
    },
    {
      type: 'approval/requested',
      request: {
        requestId: REQUEST,
        turnId: TURN,
        toolId: 'tool-push',
        kind: 'tool',
        toolName: 'Bash',
        input: wholeText('{"command":"git push origin sentinel","description":"Push it"}'),
        summary: 'git push origin sentinel',
        acts: ['push'],
        questions: [],
        suggestions: [{ label: 'Allow pushes for this session' }],
        requestedAt: 1_700_000_000_000,
        expiresAt: null,
      },
    },
  ];
}

/** What follows once the push was allowed. */
export function eventsAfterApproval(): FeedEvent[] {
  return [
    { type: 'approval/resolved', requestId: REQUEST, resolution: 'allowed' },
    {
      type: 'tool/ended',
      toolId: 'tool-push',
      outcome: 'ok',
      exitCode: 0,
      output: wholeText('\u001b[32mpushed\u001b[0m to origin'),
      files: [],
      durationMs: 3_200,
    },
    { type: 'act/ended', actId: ACT, outcome: 'done' },
    {
      type: 'usage/recorded',
      turnId: TURN,
      entries: [
        {
          model: 'sentinel-model',
          provenance: 'reported',
          payer: 'api-key',
          inputTokens: 1_200,
          outputTokens: 420,
          cacheReadTokens: 8_400,
          cacheWriteTokens: 600,
          microUsd: 213_000,
        },
      ],
    },
    {
      type: 'turn/ended',
      turnId: TURN,
      outcome: 'ok',
      error: null,
      durationMs: 61_000,
      usage: 'recorded',
      acts: 'recorded',
    },
    {
      type: 'checkout/broughtBack',
      turnId: TURN,
      branch: 'pilothouse/sentinel',
      commit: 'fedcba9876543210',
      commits: 1,
      uncommittedFiles: 0,
    },
  ];
}
