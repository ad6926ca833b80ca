import { z } from 'zod';
import { type Ceiling, ceiling, consents, type Consents, narrowing } from './ceiling.ts';
import { ceilingObstacle, isWider } from './ceiling-compare.ts';
import { actorId, brainKeyId, instanceId, operatorId, runnerId } from './ids.ts';
import { terminalTarget } from './terminal.ts';

/**
 * An operator is a definition that a creator publishes in versions; an instance is one subscriber's
 * use of it: on one machine, with limits of its own.
 */

const title = z
  .string()
  .trim()
  .min(1)
  .max(60)
  .refine((text) => !/\p{Cc}/u.test(text), 'expected one line');

export const OPERATOR_INSTRUCTIONS_MAX = 20_000;
const modelName = z.string().trim().min(1).max(100);

/** What a creator says of an operator. */
export const operatorBody = z.strictObject({
  name: title,
  /** What the agent is told before anything else. */
  instructions: z.string().trim().min(1).max(OPERATOR_INSTRUCTIONS_MAX),
  ceiling: ceiling.superRefine((value, context) => {
    const message = ceilingObstacle(value);
    if (message !== null) context.addIssue({ code: 'custom', message });
  }),
  /** The model that it was made for; null: whichever the subscriber takes. */
  brain: z.strictObject({ model: modelName }).nullable(),
});
export type OperatorBody = z.infer<typeof operatorBody>;

export const operatorDefinition = operatorBody.extend({
  id: operatorId,
  version: z.int().positive(),
});
export type OperatorDefinition = z.infer<typeof operatorDefinition>;

/** The one terminal that an instance works in, and what the person calls it. */
export const boundTarget = z.strictObject({ target: terminalTarget, label: z.string().max(200) });
export type BoundTarget = z.infer<typeof boundTarget>;

/** Whose model thinks for the instance's own agent, and who pays: the key is the subscriber's. */
export const instanceBrain = z.strictObject({ keyId: brainKeyId, model: modelName });

/** Reading is agreed to with the instance; a key press and a command are asked about; no closing. */
export const DEFAULT_CONSENTS: Consents = {
  read: 'always',
  send: 'ask',
  run: 'ask',
  kill: 'never',
};

export const instanceState = z.enum(['active', 'paused', 'removed']);
export type InstanceState = z.infer<typeof instanceState>;

/** What a subscriber says of an instance; each change of it is a revision that stays on record. */
export const instanceBody = z.strictObject({
  name: title,
  /** The version whose ceiling was agreed to. */
  agreedVersion: z.int().positive(),
  narrowing,
  boundTarget: boundTarget.nullable(),
  consents,
  /** Null: no agent of ours runs it, only MCP clients. */
  brain: instanceBrain.nullable(),
  /** What its own agent may spend on its model in all; null is no limit. */
  budgetMicroUsd: z.int().positive().nullable(),
  state: instanceState,
});
export type InstanceBody = z.infer<typeof instanceBody>;

export const operatorInstance = instanceBody.extend({
  id: instanceId,
  operatorId,
  ownerId: actorId,
  runnerId,
  /** The version that runs: the newest that is not wider than the one agreed to. */
  definitionVersion: z.int().positive(),
  /** Counts from 1 with each change. */
  revision: z.int().positive(),
  createdAt: z.int(),
  changedAt: z.int(),
});
export type OperatorInstance = z.infer<typeof operatorInstance>;

type Versioned = { version: number; ceiling: Ceiling };

/**
 * The version that runs: the newest that allows nothing which the agreed one does not. Null when
 * the agreed one is not among them. Pure.
 */
export function decideRunningVersion<V extends Versioned>(
  versions: readonly V[],
  agreedVersion: number,
): V | null {
  const agreed = versions.find(({ version }) => version === agreedVersion);
  if (!agreed) return null;
  return versions.reduce(
    (newest, one) =>
      one.version > newest.version && !isWider(agreed.ceiling, one.ceiling) ? one : newest,
    agreed,
  );
}
