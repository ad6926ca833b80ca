import { z } from 'zod';
import { breachView } from './breach.ts';
import { consents, narrowing } from './ceiling.ts';
import { operatorId, runnerId } from './ids.ts';
import {
  boundTarget,
  instanceBody,
  operatorBody,
  operatorDefinition,
  operatorInstance,
} from './operator.ts';

/** An operator as the account has it: one of its own, or one that comes with the product. */
export const operatorEntry = z.object({
  definition: operatorDefinition,
  origin: z.enum(['builtIn', 'own']),
  /** What it may do at most, in sentences. */
  words: z.array(z.string()),
  /** What a person should know before using it; null when nothing. */
  note: z.string().nullable(),
  /** Null for one that comes with the product. */
  publishedAt: z.int().nullable(),
});
export type OperatorEntry = z.infer<typeof operatorEntry>;
/** One whose newest version stands on record in a form that this one does not know. */
export const unreadableOperator = z.object({
  operatorId,
  version: z.int().positive(),
  reason: z.string(),
});
export type UnreadableOperator = z.infer<typeof unreadableOperator>;
export const operatorList = z.object({
  items: z.array(operatorEntry),
  /** They are no items: nothing can be made of them. */
  unreadable: z.array(unreadableOperator).default([]),
});
export type OperatorList = z.infer<typeof operatorList>;

export const operatorVersion = z.object({
  version: z.int().positive(),
  publishedAt: z.int(),
  publishedBy: z.enum(['person', 'cli']),
  /** Null: it was withdrawn. */
  body: operatorBody.nullable(),
  /** It allows more than the version before, so instances of that one ask first. */
  wider: z.boolean(),
});

/** `entry` is null once it was withdrawn; the versions stay, the newest first. */
export const operatorDetail = z.object({
  entry: operatorEntry.nullable(),
  versions: z.array(operatorVersion),
});
export type OperatorDetail = z.infer<typeof operatorDetail>;

export const publishOperatorRequest = z.object({
  /** Null: a new operator. */
  operatorId: operatorId.nullable(),
  /** The version that was edited; 0 for a new one. Another one since refuses to publish. */
  basedOn: z.int().nonnegative(),
  body: operatorBody,
});
export type PublishOperatorRequest = z.infer<typeof publishOperatorRequest>;

/** An instance with what it runs, and what waits for an agreement. */
export const instanceDetail = z.object({
  instance: operatorInstance,
  definition: operatorDefinition,
  /** What it may do after every limit, in sentences. */
  words: z.array(z.string()),
  /** Why it can do nothing as it stands, and what to do; null when it can. */
  obstacle: z.string().nullable(),
  /** What it did that the policy forbids and nobody has answered for: until then it only reads. */
  breaches: z.array(breachView).default([]),
  /** The newest version, when it allows more than was agreed to: it does not run until it is. */
  offered: z.object({ definition: operatorDefinition, words: z.array(z.string()) }).nullable(),
});
export type InstanceDetail = z.infer<typeof instanceDetail>;

export const instancesQuery = z.object({
  operatorId: operatorId.optional(),
  cursor: z.string().optional(),
  limit: z.coerce.number().int().min(1).max(200).default(50),
});
/** One that stands on record in a form that this version does not know: it may do nothing. */
export const unreadableInstance = z.object({ instanceId: z.string(), reason: z.string() });
export type UnreadableInstance = z.infer<typeof unreadableInstance>;
export const instancePage = z.object({
  items: z.array(instanceDetail),
  /** Of this page; they are no items. */
  unreadable: z.array(unreadableInstance).default([]),
  nextCursor: z.string().nullable(),
});

export const makeInstanceRequest = z.object({
  operatorId,
  runnerId,
  /** The version that was shown and is agreed to. */
  agreedVersion: z.int().positive(),
  name: instanceBody.shape.name,
  narrowing: narrowing.prefault({}),
  boundTarget: boundTarget.nullable().default(null),
  consents: consents.optional(),
  brain: instanceBody.shape.brain.default(null),
  budgetMicroUsd: instanceBody.shape.budgetMicroUsd.default(null),
});
export type MakeInstanceRequest = z.input<typeof makeInstanceRequest>;

/** One change of an instance by the person whose it is. */
export const instanceChange = z.discriminatedUnion('change', [
  z.object({ change: z.literal('rename'), name: instanceBody.shape.name }),
  /** Null takes the terminal away. */
  z.object({ change: z.literal('bind'), boundTarget: boundTarget.nullable() }),
  z.object({ change: z.literal('narrow'), narrowing }),
  z.object({ change: z.literal('consent'), consents: consents.partial() }),
  /** Agrees to what a newer version may do. */
  z.object({ change: z.literal('agree'), version: z.int().positive() }),
  z.object({ change: z.literal('budget'), budgetMicroUsd: instanceBody.shape.budgetMicroUsd }),
  z.object({ change: z.literal('brain'), brain: instanceBody.shape.brain }),
  z.object({ change: z.literal('pause') }),
  z.object({ change: z.literal('resume') }),
  z.object({ change: z.literal('remove') }),
]);
export type InstanceChange = z.infer<typeof instanceChange>;

/** What was said of an instance, and when: the newest first. */
export const instanceHistory = z.object({
  items: z.array(
    z.object({
      revision: z.int().positive(),
      body: instanceBody,
      at: z.int(),
      by: z.enum(['person', 'cli']),
    }),
  ),
});
