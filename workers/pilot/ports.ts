import { brainReply } from '../../protocol/brain-answer.ts';
import type { OpenBrainKey } from '../../protocol/brain-keys.ts';
import { type AccountId, type BrainKeyId, PILOT_ACTOR } from '../../protocol/ids.ts';
import { evidence } from '../../protocol/pilot.ts';
import { openBrainKey } from '../access/open-brain-key.ts';
import { openDatabase } from '../db/client.ts';
import type { Env } from '../env.ts';
import { unwrap } from '../lib/outcome.ts';
import { describeFault, log } from '../lib/logger.ts';
import { bellOf, feedOf, relayOf } from '../lib/stubs.ts';
import { askRunner } from '../runners/ask.ts';
import { readEarlierWork } from '../sessions/earlier-work.ts';
import { mostOf } from '../budgets/decide.ts';
import type { DriverPorts } from './advance.ts';
import { askWithinBudgets } from './brains/within-budgets.ts';
import { questionOf } from './core/state.ts';
import { readLatest } from './session.ts';

/** Longest time that an engine may take for a decision, in ms: it is started for it. */
const ENGINE_MS = 5 * 60_000;
/** How long an answer may take beyond its own time, in ms. */
const ANSWER_MS = 30_000;

/** What a driver works with in the Worker. */
export function portsOf(env: Env, accountId: AccountId): DriverPorts {
  const database = openDatabase(env.DB);
  return {
    database,
    feed: ({ sessionId }) => feedOf(env, accountId, sessionId),
    tools: ({ sessionId, runnerId, state }) => {
      const step = questionOf(state);
      return {
        runCheck: ({ title, check, timeoutMs }, index) =>
          askRunner(
            env,
            { accountId, runnerId, sessionId },
            {
              method: 'check/run',
              params: {
                checkId: `${sessionId}.${step}.${index}`,
                title,
                command: check,
                timeoutMs,
              },
              timeoutMs: timeoutMs + ANSWER_MS,
            },
            evidence,
          ),
        // The same question under the same number, also when the machine was away meanwhile.
        askEngine: (question) =>
          askWithinBudgets(feedOf(env, accountId, sessionId), state.away?.step ?? step, (asked) =>
            askRunner(
              env,
              { accountId, runnerId, sessionId },
              {
                method: 'brain/ask',
                params: { ...question, ...asked, timeoutMs: ENGINE_MS },
                timeoutMs: ENGINE_MS + ANSWER_MS,
              },
              brainReply,
            ),
          ),
        readRecord: () => readLatest(feedOf(env, accountId, sessionId)),
        openKey: (keyId) => openBrainKey(env, database, accountId, keyId),
        async recordUsage(usage) {
          unwrap(await feedOf(env, accountId, sessionId).brain({ do: 'record', step, usage }));
        },
        async reserveCall(call) {
          const { model } = call;
          const most = mostOf(call);
          unwrap(
            await feedOf(env, accountId, sessionId).brain({ do: 'reserve', step, model, most }),
          );
        },
        async releaseCall() {
          unwrap(await feedOf(env, accountId, sessionId).brain({ do: 'release', step }));
        },
        nowMs: Date.now,
      };
    },
    ring: async ({ sessionId, state: { step } }) => {
      const tag = `${sessionId} pilot ${step}`;
      await bellOf(env, accountId)
        .ring([{ kind: 'pilot', sessionId, tag }])
        .catch((fault: unknown) =>
          log('warn', 'pilot.ring', { sessionId, fault: describeFault(fault) }),
        );
    },
    async beginAnew({ sessionId }, after) {
      const { work } = await readEarlierWork(env, accountId, sessionId);
      const { story } = work;
      const action = 'compact';
      return feedOf(env, accountId, sessionId).request({
        action,
        actorId: PILOT_ACTOR,
        story,
        after,
      });
    },
    withdraw: ({ runnerId }, turnId) => relayOf(env, accountId, runnerId).withdraw(turnId),
    nowMs: Date.now,
  };
}

/** Opens a key for one call of an operator's agent; throws as `openBrainKey` does. */
export const openKeyForAgent = (
  env: Env,
  accountId: AccountId,
  keyId: BrainKeyId,
): Promise<OpenBrainKey> => openBrainKey(env, openDatabase(env.DB), accountId, keyId);
