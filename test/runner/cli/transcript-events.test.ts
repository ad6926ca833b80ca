import { describe, expect, it } from 'vitest';
import type { FeedEvent } from '../../../protocol/engine-event.ts';
import { commandId, LOCAL_ACTOR, launchId, requestId } from '../../../protocol/ids.ts';
import { DEFAULT_POLICY } from '../../../protocol/merge-policy.ts';
import { wholeText } from '../../../protocol/text.ts';
import { EMPTY_TRANSCRIPT, renderFrame } from '../../../runner/cli/transcript.ts';
import {
  aUsage,
  created,
  entriesOf,
  OTHER_TURN,
  SESSION,
  TURN,
} from '../../support/protocol-builders.ts';
import {
  accepted,
  anAct,
  ready,
  said,
  started,
  toolEnded,
  toolStarted,
} from '../../support/transcript-events.ts';

const LAUNCH = launchId.parse('lau_test1');
const REQUEST = requestId.parse('apr_test1');
const options = { sessionId: SESSION, paint: (_: string, text: string) => text, live: false };

/** What these events look like on a terminal. */
const show = (...events: FeedEvent[]) =>
  renderFrame(EMPTY_TRANSCRIPT, { type: 'entries', entries: entriesOf(events) }, options).text;

/** Events that leave no trace on the terminal by themselves. */
const SILENT: [string, FeedEvent][] = [
  ['the creation', created()],
  [
    'a stage of the launch',
    { type: 'launch/staged', launchId: LAUNCH, stage: 'spawned', process: null },
  ],
  ['a thought', said('hm', { kind: 'thinking' })],
  ['an act under way', { type: 'act/seen', act: anAct() }],
  ['usage', { type: 'usage/recorded', turnId: TURN, entries: [aUsage()] }],
  [
    'an expected end',
    {
      type: 'engine/exited',
      launchId: LAUNCH,
      exitCode: 0,
      signal: null,
      expected: true,
      stderrTail: [],
    },
  ],
  [
    'an end that was asked for',
    {
      type: 'engine/exited',
      launchId: LAUNCH,
      exitCode: 143,
      signal: null,
      expected: true,
      stderrTail: ['terminated'],
    },
  ],
  ['a limit that is far', { type: 'rateLimit/reported', status: 'allowed', resetsAt: null }],
  [
    'an instruction received',
    { type: 'turn/delivered', turnId: TURN, delivery: 'received', reason: null },
  ],
  [
    'an instruction handed over',
    { type: 'turn/delivered', turnId: TURN, delivery: 'handed', reason: null },
  ],
  [
    'an instruction confirmed',
    { type: 'turn/delivered', turnId: TURN, delivery: 'confirmed', reason: null },
  ],
  [
    'a decision',
    {
      type: 'approval/decided',
      requestId: REQUEST,
      answer: { decision: 'allow', message: null, answers: null, suggestion: null },
      actorId: LOCAL_ACTOR,
      channel: 'cli',
    },
  ],
  [
    'a start that was refused',
    {
      type: 'command/failed',
      commandId: commandId.parse('cmd_1'),
      method: 'session/start',
      turnId: null,
      code: 'engine_missing',
      message: 'no',
    },
  ],
];

const TOLD: [string, FeedEvent, string][] = [
  ['an instruction', accepted({ text: 'Fix it\nnow' }), '› Fix it\nnow\n'],
  [
    'a turn of the engine’s own',
    started({ turnId: OTHER_TURN, origin: 'engine' }),
    'The engine began a turn by itself.\n',
  ],
  [
    'an own checkout',
    {
      type: 'checkout/prepared',
      mode: 'own',
      directory: '/co/1',
      branch: 'pilothouse/fix',
      baseCommit: '0123456789abcdef',
      included: [],
      fromUncommitted: false,
    },
    'Works on pilothouse/fix, in a checkout of its own, from 012345678\n',
  ],
  [
    'an own checkout with changes',
    {
      type: 'checkout/prepared',
      mode: 'own',
      directory: '/co/1',
      branch: null,
      baseCommit: null,
      included: [],
      fromUncommitted: true,
    },
    'Works on a branch of its own, in a checkout of its own, from nothing with its uncommitted changes\n',
  ],
  [
    'work in place',
    {
      type: 'checkout/prepared',
      mode: 'inPlace',
      directory: '/srv/site',
      branch: null,
      baseCommit: null,
      included: [],
      fromUncommitted: false,
    },
    'Works in /srv/site itself\n',
  ],
  [
    'what came back',
    {
      type: 'checkout/broughtBack',
      turnId: TURN,
      branch: 'pilothouse/fix',
      commit: 'abc',
      commits: 2,
      uncommittedFiles: 1,
    },
    'Brought back pilothouse/fix: 2 commits, 1 files not committed\n',
  ],
  [
    'a set-up',
    { type: 'setup/ran', command: 'npm ci', exitCode: 0, output: wholeText(''), durationMs: 4_000 },
    'Set-up npm ci: exit 0, 4.0 s\n',
  ],
  [
    'a set-up that was ended',
    {
      type: 'setup/ran',
      command: 'npm ci',
      exitCode: null,
      output: wholeText(''),
      durationMs: 90_000,
    },
    'Set-up npm ci: exit unknown, 1m 30s\n',
  ],
  ['an engine that is ready', ready(), 'Engine ready · 2.1 · opus\n'],
  ['an engine that says little', ready({ engineVersion: null, model: null }), 'Engine ready\n'],
  [
    'an engine that died',
    {
      type: 'engine/exited',
      launchId: LAUNCH,
      exitCode: 1,
      signal: null,
      expected: false,
      stderrTail: [],
    },
    'The engine ended by itself (exit 1)\n',
  ],
  [
    'a process that ended with its turn, and badly',
    {
      type: 'engine/exited',
      launchId: LAUNCH,
      exitCode: 144,
      signal: null,
      expected: true,
      stderrTail: ['1', '2', '3', '4', '5', 'bad \u001b[2Jrequest'],
    },
    'The engine’s process ended with exit 144\n  2\n  3\n  4\n  5\n  bad request\n',
  ],
  [
    'an engine that was killed',
    {
      type: 'engine/exited',
      launchId: LAUNCH,
      exitCode: null,
      signal: 'SIGKILL',
      expected: false,
      stderrTail: [],
    },
    'The engine ended by itself (SIGKILL)\n',
  ],
  [
    'an engine whose end nobody saw',
    {
      type: 'engine/exited',
      launchId: LAUNCH,
      exitCode: null,
      signal: null,
      expected: false,
      stderrTail: [],
    },
    'The engine ended by itself (exit unknown)\n',
  ],
  [
    'a parked engine',
    { type: 'engine/parked', reason: 'idle' },
    'The engine is parked; the next instruction resumes it\n',
  ],
  [
    'a halt',
    { type: 'session/halted', reason: 'budget', message: 'It has cost $5.00.' },
    'It has cost $5.00.\n',
  ],
  [
    'an end',
    { type: 'session/ended', end: 'finished', reason: '' },
    'The session ended: finished.\n',
  ],
  [
    'a command that failed',
    {
      type: 'command/failed',
      commandId: commandId.parse('cmd_1'),
      method: 'session/interrupt',
      turnId: null,
      code: 'expired',
      message: 'It came too late.',
    },
    'It came too late.\n',
  ],
  [
    'a notice',
    { type: 'notice/raised', level: 'warning', code: 'late', message: 'Be careful.' },
    'Be careful.\n',
  ],
  [
    'a limit that was reached',
    { type: 'rateLimit/reported', status: 'rejected', resetsAt: 1 },
    'Rate limit: rejected\n',
  ],
  [
    'an order',
    { type: 'action/requested', action: 'stop', actorId: LOCAL_ACTOR },
    'stop was asked for\n',
  ],
  [
    'an order under a policy that is stricter by now',
    {
      type: 'action/requested',
      action: 'retry',
      actorId: LOCAL_ACTOR,
      policy: {
        policy: { ...DEFAULT_POLICY, mode: 'none', protectedPaths: [], tools: [] },
        sources: [],
      },
    },
    'retry was asked for. The merge policy is stricter than at the launch: May not open pull requests. May not push to the default branch. May rewrite and delete branches that it made itself. May not push tags.\n',
  ],
  [
    'an answer that arrived',
    { type: 'approval/resolved', requestId: REQUEST, resolution: 'allowed' },
    '  allowed\n',
  ],
  [
    'an instruction that was lost',
    { type: 'turn/delivered', turnId: TURN, delivery: 'undelivered', reason: 'It is away' },
    'The instruction was not delivered: It is away\n',
  ],
  [
    'an instruction of unknown fate',
    { type: 'turn/delivered', turnId: TURN, delivery: 'unknown', reason: null },
    'Whether the instruction reached the engine is unknown.\n',
  ],
  ['what the engine says aside', said('Looking.', { kind: 'narration' }), 'Looking.\n'],
  ['what a subagent says', said('one\ntwo', { parentToolId: 'tool-1' }), '  one\n  two\n'],
  [
    'text that was cut',
    said('head', { text: { text: 'head', truncated: { bytes: 70_000, sha256: 'x' } } }),
    'head\n[cut; 70000 bytes in all]\n',
  ],
  ['a call of a subagent', toolStarted({ parentToolId: 'tool-0' }), '  ▸ Bash npm test\n'],
];

describe('on a terminal', () => {
  it.each(TOLD)('%s is told', (_name, event, text) => {
    expect(show(event)).toBe(text);
  });

  it.each(SILENT)('%s is not', (_name, event) => {
    expect(show(event)).toBe('');
  });

  it.each(['ok', 'failed', 'denied', 'interrupted', 'unknown'] as const)(
    'a call without an exit code ends as %s',
    (outcome) => {
      expect(show(toolStarted(), toolEnded({ outcome, exitCode: null }))).toContain(
        `└ ${outcome} · 3.2 s\n`,
      );
    },
  );

  it('an end of a call that nobody saw begin has no name', () => {
    expect(show(toolEnded({ toolId: 'other' }))).toBe('  └ exit 0 · 3.2 s\n');
  });

  it('the end of an act that nobody saw is nothing', () => {
    expect(show({ type: 'act/ended', actId: anAct().actId, outcome: 'done' })).toBe('');
  });

  it('an act that is not certain says so', () => {
    const act = anAct({ uncertain: true, target: null });
    const done: FeedEvent = { type: 'act/ended', actId: act.actId, outcome: 'done' };
    expect(show({ type: 'act/seen', act }, done)).toBe(
      '⚑ push (not certain)  git push origin main\n',
    );
  });
});
