import { describe, expect, it } from 'vitest';
import type { BrainReply } from '../../../../protocol/brain-answer.ts';
import { PilothouseError } from '../../../../protocol/errors.ts';
import type { BrainStep } from '../../../../workers/lib/calls.ts';
import { refuse, succeed } from '../../../../workers/lib/outcome.ts';
import { askWithinBudgets } from '../../../../workers/pilot/brains/within-budgets.ts';
import { aUsage } from '../../../support/protocol-builders.ts';

const GRANT = { microUsd: 250, paidMicroUsd: null };
const reply = (usage = [aUsage()]): BrainReply => ({ kind: 'undecided', problem: 'None.', usage });

async function asking(ask: () => Promise<BrainReply>, refused = false) {
  const steps: BrainStep[] = [];
  const asked: unknown[] = [];
  const feed = {
    brain: async (step: BrainStep) => {
      steps.push(step);
      return refused ? refuse('model_over_budget') : succeed(GRANT);
    },
  };
  const came = await askWithinBudgets(feed, 4, (params) => {
    asked.push(params);
    return ask();
  }).catch((error: PilothouseError) => error.code);
  return { steps: steps.map((step) => step.do), asked, came };
}

describe('a question to a session’s own engine', () => {
  it('goes out with its share, and leaves it to the machine’s record to end it', async () => {
    const { steps, asked } = await asking(async () => reply());
    expect(asked).toEqual([{ step: 4, grant: GRANT }]);
    expect(steps).toEqual(['reserveShare']);
  });

  it('gives its share back where nothing was served', async () => {
    expect((await asking(async () => reply([]))).steps).toEqual(['reserveShare', 'release']);
    const unable = () => Promise.reject(new PilothouseError('brain_engine_unable'));
    expect((await asking(unable)).steps).toEqual(['reserveShare', 'release']);
  });

  it.each(['runner_offline', 'runner_revoked', 'runner_timeout'] as const)(
    'keeps it where the engine may be at work all the same: %s',
    async (code) => {
      const { steps, came } = await asking(() => Promise.reject(new PilothouseError(code)));
      expect([steps, came]).toEqual([['reserveShare'], code]);
    },
  );

  it('is not asked where the budgets have nothing left', async () => {
    const { asked, came } = await asking(async () => reply(), true);
    expect([asked, came]).toEqual([[], 'model_over_budget']);
  });
});
