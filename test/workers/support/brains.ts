import { inject } from 'vitest';
import { brainKey, type BrainKey, type BrainProvider } from '../../../protocol/brain-keys.ts';
import type { BrainReply, SeenCall } from '../../support/model-api/brain-script.ts';
import { ask } from './http.ts';

/** A key that must never be seen again once it was given. */
export const SECRET = 'sk-sentinel-of-the-brain-0123456789';

export const STEPS = [{ title: 'Tests', check: 'npm test' }];

let rooms = 0;

/** A model API of this test's own, and what it was asked. */
export async function scriptApi(...replies: BrainReply[]) {
  const root = inject('brainApi');
  const room = `room${Date.now()}-${++rooms}`;
  await fetch(`${root}/script/${room}`, { method: 'POST', body: JSON.stringify(replies) });
  return {
    baseUrl: `${root}/api/${room}/v1`,
    seen: async () => (await fetch(`${root}/script/${room}`)).json<SeenCall[]>(),
  };
}

/** A decision as a model gives it. */
export const answers = (
  next: string,
  over: { instruction?: string; waitMinutes?: number; reason?: string } = {},
  usage?: { input: number; output: number },
): BrainReply => ({
  kind: 'answer',
  answer: { next, instruction: null, waitMinutes: null, reason: 'Because.', ...over },
  ...(usage && { usage }),
});

/** Keeps a key as a person does. */
export async function addKey(
  cli: string,
  baseUrl: string,
  provider: BrainProvider = 'anthropic',
): Promise<BrainKey> {
  const body = { name: 'mine', provider, baseUrl, secret: SECRET };
  return brainKey.parse((await ask('POST', '/v1/brain-keys', { bearer: cli, body })).body);
}
