import type { z } from 'zod';
import type { CommandMethod, CommandParams } from '../../protocol/command.ts';
import { PilothouseError } from '../../protocol/errors.ts';
import type { AccountId, CommandId, RunnerId, SessionId } from '../../protocol/ids.ts';
import type { Env } from '../env.ts';
import { unwrap } from '../lib/outcome.ts';
import { relayOf } from '../lib/stubs.ts';

/** How long a route waits for a runner, in ms; `LOOK_TIMEOUT_MS` where it starts engines or looks into files. */
const ASK_TIMEOUT_MS = 10_000;

/**
 * Asks a runner and parses its answer. Throws `runner_offline` at once when it is away,
 * `runner_timeout` after the bound, and whatever the runner itself refused with.
 */
export async function askRunner<M extends CommandMethod, S extends z.ZodType>(
  env: Env,
  to: { accountId: AccountId; runnerId: RunnerId; sessionId?: SessionId },
  question: {
    method: M;
    params: CommandParams<M>;
    timeoutMs?: number;
    id?: CommandId;
    recall?: boolean;
  },
  schema: S,
): Promise<z.infer<S>> {
  const { method, params, timeoutMs = ASK_TIMEOUT_MS, id, recall } = question;
  const relay = relayOf(env, to.accountId, to.runnerId);
  const answer = unwrap(
    await relay.ask({ method, params, sessionId: to.sessionId ?? null, timeoutMs, id, recall }),
  );
  const parsed = schema.safeParse(answer);
  if (parsed.success) return parsed.data;
  throw new PilothouseError('internal', {
    detail: `the machine's answer to ${method} is not in the expected form`,
  });
}
