import {
  ACT,
  aRunner,
  eventsAfterApproval,
  eventsUntilApproval,
  LAUNCH,
  REQUEST,
} from '../../../console/mock/sentinels.ts';
import { MockWorld } from '../../../console/mock/world.ts';
import { type FeedEvent, feedEvent } from '../../../protocol/engine-event.ts';
import { LOCAL_ACTOR, turnId } from '../../../protocol/ids.ts';
import type { UsageEntry } from '../../../protocol/usage.ts';
import { violatedReport } from '../adr-report-samples.ts';
import { breachFound, halted } from '../breach-builders.ts';
import { aUsage } from '../protocol-builders.ts';
import { NOON } from './noon.ts';
import { fillNotifications } from './notifications.ts';
import { fillTerminals } from './terminals.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

const SITE = '/home/sentinel/harbour';
const inSite = (objective: string, engineId = 'claude') => ({
  objective,
  engineId,
  directory: SITE,
});
const allowed: FeedEvent = {
  type: 'approval/decided',
  requestId: REQUEST,
  answer: { decision: 'allow', message: null, answers: null, suggestion: null },
  actorId: LOCAL_ACTOR,
  channel: 'console',
};
const failed: FeedEvent = {
  type: 'launch/failed',
  launchId: LAUNCH,
  state: 'failed_to_start',
  stage: 'queued',
  error: { code: 'workspace_refused', message: 'The directory is not there.' },
  elapsedMs: 12,
  stderrTail: [],
};

/** Turns of an earlier session, each reading more of its conversation again. */
function turnsOf(count: number, over: (index: number) => Partial<UsageEntry>): FeedEvent[] {
  return Array.from({ length: count }, (_, index) => ({
    type: 'usage/recorded',
    turnId: turnId.parse(`trn_harbour${index}`),
    entries: [
      aUsage({
        model: 'claude-opus-5-5',
        inputTokens: 4_000,
        outputTokens: 2_100,
        cacheReadTokens: 30_000 + index * 42_000,
        cacheWriteTokens: 8_000,
        ...over(index),
      }),
    ],
  }));
}

/** A sentinel's events with a branch, a model and times that fit among others. */
function retell(events: readonly FeedEvent[], branch: string, atMs: number): FeedEvent[] {
  const text = JSON.stringify(events)
    .replaceAll('origin sentinel', `origin ${branch}`)
    .replaceAll('pilothouse/sentinel', `pilothouse/${branch}`)
    .replaceAll('sentinel-model', 'claude-opus-5-5')
    .replaceAll('1700000000000', String(atMs));
  return feedEvent.array().parse(JSON.parse(text));
}

const BRANCHES = ['gate', 'manual', 'ropes'];

/**
 * A house as it stands after some weeks, the same in every run: something waits, something broke
 * its policy, something runs, something failed, and most is done. Nothing in it is real.
 */
export function aHarbour(): MockWorld {
  let now = NOON;
  let made = 0;
  const world = new MockWorld(
    () => now,
    () => new Uint8Array(16).fill(++made),
  );
  const at = (ago: number, events: readonly FeedEvent[], branch = 'tide') => {
    now = NOON - ago;
    const record = world.add(retell(events, branch, now));
    now = NOON;
    return record;
  };
  world.runners = [aRunner({ lastSeenAt: NOON })];
  fillTerminals(world);
  const startedAt = NOON - 3 * 60 * MINUTE_MS;
  world.decisions.post('octo/harbour', 'main', { ...violatedReport, startedAt });
  at(2 * MINUTE_MS, eventsUntilApproval(inSite('Fix the tide average')));
  at(9 * MINUTE_MS, [
    ...eventsUntilApproval(inSite('Move the charts to the new format')),
    allowed,
    ...eventsAfterApproval(),
    breachFound({ actId: ACT }),
    halted,
  ]);
  at(MINUTE_MS, eventsUntilApproval(inSite('Rewrite the log reader', 'codex')).slice(0, -3));
  at(
    40 * MINUTE_MS,
    [...eventsUntilApproval(inSite('Try the new winch')).slice(0, 2), failed],
    'winch',
  );
  const done = [
    ...eventsUntilApproval(inSite('Name the buoys')),
    allowed,
    ...eventsAfterApproval(),
  ];
  at(70 * MINUTE_MS, done);
  for (let day = 1; day <= 24; day++) {
    if (day % 7 === 5 || day % 7 === 6) continue;
    const [objective, payer, provenance] =
      [
        ['Port the harbour gate', 'api-key', 'reported'] as const,
        ['Translate the manual', 'api-key', 'estimated'] as const,
        ['Tidy the ropes', 'subscription', 'reported'] as const,
      ][day % 3] ?? (['Sweep', 'api-key', 'reported'] as const);
    const opened = eventsUntilApproval(inSite(objective, day % 3 === 1 ? 'codex' : 'claude'));
    const record = at(
      day * DAY_MS,
      [...opened, allowed, ...eventsAfterApproval()],
      BRANCHES[day % 3],
    );
    record.append(
      turnsOf(3 + (day % 5), (index) => ({
        payer,
        provenance,
        microUsd: 180_000 + ((day * 97 + index * 61) % 23) * 41_000,
        ...(day % 3 === 1 && { model: 'gpt-5.5-codex' }),
      })),
      NOON - day * DAY_MS,
    );
  }
  fillNotifications(world);
  return world;
}
