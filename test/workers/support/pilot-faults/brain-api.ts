import type { BrainReply } from '../../../support/model-api/brain-script.ts';
import { addKey, scriptApi } from '../brains.ts';
import type { Chance } from './chance.ts';
import { answerOf } from './machine-brain.ts';

export type ScriptedBrain = {
  spec: { keyId: string; model: string };
  /** Input tokens of each call that it answered so far; null for an answer without a figure. */
  served(): Promise<(number | null)[]>;
};

const MODEL = 'claude-haiku-4-5';
/** More answers than any run asks for. */
const ANSWERS = 60;

/** A model API on loopback that answers mostly well, and what it charged. */
export async function scriptBrain(cli: string, chance: Chance): Promise<ScriptedBrain> {
  const replies = Array.from({ length: ANSWERS }, (_, index) => replyOf(chance, index));
  const { baseUrl, seen } = await scriptApi(...replies);
  const { keyId } = await addKey(cli, baseUrl);
  return {
    spec: { keyId, model: MODEL },
    async served() {
      const asked = (await seen()).length;
      return replies.slice(0, asked).flatMap((reply) => chargeOf(reply));
    },
  };
}

const NEXT = ['instruct', 'instruct', 'finish', 'wait_until'] as const;

function replyOf(chance: Chance, index: number): BrainReply {
  const drawn = chance.next('api');
  // Differs from call to call, so that a figure on record is of one of them.
  const usage = { input: 1_000 + index, output: 10 };
  if (drawn < 0.05) return { kind: 'error', status: 429, headers: { 'retry-after': '30' } };
  if (drawn < 0.08) return { kind: 'raw', text: '{"what": "is this"}' };
  if (drawn < 0.12) return { kind: 'answer', answer: 'no', finish: 'refusal', usage };
  const next = chance.one('api next', NEXT);
  return { kind: 'answer', answer: answerOf(next, 'x'.repeat(index + 1)), usage };
}

function chargeOf(reply: BrainReply): (number | null)[] {
  if (reply.kind === 'raw') return [null];
  return reply.kind === 'answer' ? [reply.usage?.input ?? null] : [];
}
