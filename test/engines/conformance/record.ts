import type { Tokens } from '../../support/model-api/tokens.ts';
import type { Engine } from '../../../runner/engines/engine.ts';
import type { Reply, Script } from '../../support/model-api/script.ts';
import type { World } from '../../e2e/world.ts';

/** A machine with one real engine and the model API that it asks. */
export type EngineWorld = World & {
  launch(objective: string, ...options: string[]): Promise<string>;
  api: { served: readonly unknown[]; seen: readonly { request: unknown }[] };
  /** Files of the person's own configuration, which must stay as they are to the byte. */
  ownFiles: readonly string[];
};

/** What it takes to prove an engine; everything else is the same for all of them. */
export type EngineRecord = {
  kind: 'proven';
  /** The version that the tests install. */
  version: string;
  start(script: Script): Promise<EngineWorld>;
  /** The model's reply that runs one shell command. */
  runs(command: string): Reply;
  /**
   * What the API has served since `from`, in whole micro-dollars, by a price list of the tests.
   * `roundedMicroUsd`: by how much rounding alone may set the ledger and it apart.
   */
  bill(world: EngineWorld, from: number): { microUsd: number; roundedMicroUsd: number };
  /** The tokens of the same, by kind; absent where the engine does not tell all of them. */
  tokens?: ((world: EngineWorld, from: number) => Tokens) | undefined;
  /** The false key that the engine is given. */
  canary: string;
  /** Launch options with which a command runs, or is asked for where the engine can ask. */
  unasked: readonly string[];
  /** What the end of a push proves: an engine that tells no exit status proves nothing. */
  pushed?: 'unknown';
  /** What a turn comes to whose answer is cut off: one engine asks again, without a stream. */
  cutOff: 'failed' | 'ok';
  /** Answers after each of which it asks again by itself; absent where it gives up at the first. */
  triesAgainAfter?: readonly [Reply, ...Reply[]] | undefined;
  /** A machine on which it tries again as at a person's, where `start` would wait for minutes. */
  patiently?(script: Script): Promise<EngineWorld>;
  /** The model's replies that have a subagent work on `prompt`, where the engine has such. */
  delegates?: ((prompt: string) => Reply[]) | undefined;
  /** How its request names what begins a subagent, where its model must not be offered that. */
  subagentTool?: RegExp | undefined;
  /** The reply by which a subagent's model hands its work in; without it a message does. */
  reports?(text: string): Reply;
  /** Refusals of the API, as this provider words them, and what the product must make of each. */
  refusals: readonly {
    status: number;
    type: string;
    code: string;
    message?: string;
    headers?: Record<string, string>;
  }[];
};

/** An engine that asks no model: there is no bill to compare with, and its own tests prove it. */
type NoModel = { kind: 'no-model'; reason: string };
export type Records = Readonly<Record<string, EngineRecord | NoModel>>;

/** An engine's name among the records: its forms are proven one by one. */
export const keyOf = ({ id, form }: Pick<Engine, 'id' | 'form'>): string =>
  form === null ? id : `${id}-${form}`;

type Named = Pick<Engine, 'id' | 'form'>;

/** Registered engines without a record: whatever they spend or do could be hidden. */
export function findUnproven(engines: readonly Named[], records: Records): string[] {
  return engines.map(keyOf).filter((key) => !Object.hasOwn(records, key));
}

/** Records of engines that are not registered: they would prove nothing. */
export function findStrays(engines: readonly Named[], records: Records): string[] {
  const keys = engines.map(keyOf);
  return Object.keys(records).filter((key) => !keys.includes(key));
}
