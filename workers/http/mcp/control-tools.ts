import { z } from 'zod';
import {
  actsQuery,
  breachesQuery,
  launchRequest,
  usageSummaryQuery,
} from '../../../protocol/http.ts';
import { sessionId, turnId } from '../../../protocol/ids.ts';
import { instructionText } from '../../../protocol/instruction.ts';
import type { McpScope } from '../../../protocol/mcp.ts';
import type { Principal } from '../../access/principal.ts';
import type { Database } from '../../db/client.ts';
import type { Env } from '../../env.ts';
import { listActs } from '../../ledger/read-acts.ts';
import { listBreaches } from '../../ledger/read-breaches.ts';
import { summariseSpend } from '../../ledger/summarise-spend.ts';
import { newId } from '../../lib/crypto.ts';
import { unwrap } from '../../lib/outcome.ts';
import { feedOf } from '../../lib/stubs.ts';
import { readStatus } from '../../reports/read.ts';
import { listRunners } from '../../runners/read.ts';
import { launchSession } from '../../sessions/launch.ts';

/** At whose account a tool is called, and by whom. */
export type Desk = { env: Env; database: Database; principal: Principal };

export type ControlTool<S extends z.ZodType = z.ZodType> = {
  scope: McpScope;
  description: string;
  input: S;
  call: (desk: Desk, input: z.output<S>) => Promise<unknown>;
};
const tool = <S extends z.ZodType>(made: ControlTool<S>) => made as unknown as ControlTool;

const ofSession = z.object({ sessionId });

/** The tools of the control plane: each calls the function that the HTTP route calls. */
export const CONTROL_TOOLS: Readonly<Record<string, ControlTool>> = {
  list_machines: tool({
    scope: 'read',
    description:
      'Machines that sessions can be launched on, with their engines. Ids of these are what launch_session takes.',
    input: z.object({}),
    call: ({ env, database, principal }) =>
      listRunners(env, database, principal.accountId, { limit: 100 }),
  }),
  session_status: tool({
    scope: 'read',
    description:
      'How a session stands: what it claims, what was witnessed, what it cost, and what waits for a person.',
    input: ofSession,
    call: ({ env, database, principal: { accountId } }, input) =>
      readStatus({ env, database, accountId, nowMs: Date.now() }, input.sessionId),
  }),
  usage_summary: tool({
    scope: 'read',
    description:
      'What was used and paid, in micro-USD, each provenance apart, and what operators wrote that nothing measures. Do not add them up.',
    input: usageSummaryQuery,
    call: ({ database, principal }, input) =>
      summariseSpend(database, principal.accountId, input, Date.now()),
  }),
  list_acts: tool({
    scope: 'read',
    description: 'Pushes, merges, deletions and other consequential commands, newest first.',
    input: actsQuery,
    call: ({ database, principal }, input) => listActs(database, principal.accountId, input),
  }),
  list_breaches: tool({
    scope: 'read',
    description: 'Acts that a merge policy forbids and that happened, newest first.',
    input: breachesQuery,
    call: ({ database, principal }, input) =>
      listBreaches(database, principal.accountId, { doer: 'any', ...input }),
  }),
  say: tool({
    scope: 'write',
    description:
      'Gives a session its next instruction. Choose a turnId to ask again after a lost answer: it is given once.',
    input: ofSession.extend({ text: instructionText, turnId: turnId.optional() }),
    call: async ({ env, principal: { accountId, actorId } }, input) =>
      unwrap(
        await feedOf(env, accountId, input.sessionId).instruct({
          turnId: input.turnId ?? newId('trn'),
          text: input.text,
          actorId,
          keyHash: null,
        }),
      ),
  }),
  launch_session: tool({
    scope: 'runtime',
    description:
      'Launches a coding session on a machine. It asks a person before what its policy leaves to one. Choose a turnId to ask again after a lost answer: it is the same session.',
    input: z.object({
      ...launchRequest.pick({
        runnerId: true,
        engineId: true,
        directory: true,
        objective: true,
        model: true,
        budgetMicroUsd: true,
        turnId: true,
      }).shape,
    }),
    call: ({ env, database, principal }, input) =>
      launchSession(env, database, principal, launchRequest.parse(input), Date.now()),
  }),
  stop_session: tool({
    scope: 'destructive',
    description: 'Stops a session and every process of it.',
    input: ofSession,
    call: async ({ env, principal: { accountId, actorId } }, input) => {
      unwrap(await feedOf(env, accountId, input.sessionId).request({ action: 'stop', actorId }));
      return { accepted: true, next: 'session_status tells when it has stopped' };
    },
  }),
};
