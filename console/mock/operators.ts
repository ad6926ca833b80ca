import { MockChats } from './chats.ts';
import { BUILT_IN_OPERATORS, builtInNote } from '../../protocol/builtin-operators.ts';
import { isWider } from '../../protocol/ceiling-compare.ts';
import { openBreaches } from '../../protocol/breach.ts';
import { type BreachRow, overrideRequest } from '../../protocol/http.ts';
import { instanceId, LOCAL_ACTOR, operatorId } from '../../protocol/ids.ts';
import {
  decideRunningVersion,
  DEFAULT_CONSENTS,
  type InstanceBody,
  type OperatorDefinition,
  type OperatorInstance,
} from '../../protocol/operator.ts';
import { decideChange, detailOf } from '../../protocol/operator-change.ts';
import {
  instanceChange,
  type InstanceDetail,
  makeInstanceRequest,
  type OperatorEntry,
  publishOperatorRequest,
} from '../../protocol/operator-http.ts';
import { describeDefinition } from '../../protocol/operator-words.ts';

type Kept = Omit<OperatorInstance, 'definitionVersion'>;

/** Operators and instances of the stand-in account, kept as the real ones are. */
export class MockOperators {
  readonly chats = new MockChats();
  /** What instances did that the policy forbids. */
  readonly breaches: BreachRow[] = [];
  readonly #definitions: OperatorDefinition[] = [...BUILT_IN_OPERATORS];
  readonly #withdrawn = new Set<string>();
  readonly #instances = new Map<string, Kept[]>();
  #made = 0;

  /**
   * Answers what is asked of operators and instances; null for what is not there. `after`: the entry
   * of a conversation that is known.
   */
  answer(method: string, pathname: string, body: unknown, nowMs: number, after = 0): unknown {
    const [, held, act] =
      /^\/v1\/instances\/(\w+)\/breaches\/(\w+)\/override$/.exec(pathname) ?? [];
    if (held) return this.#answerFor(held, act, body, nowMs);
    const [, resource, id, verb] =
      /^\/v1\/(operators|instances)(?:\/(\w+))?(?:\/(\w+))?$/.exec(pathname) ?? [];
    if (resource === 'operators') return this.#operators(method, id, verb, body);
    if (resource !== 'instances') return null;
    if (method === 'POST' && !id) return this.#make(body, nowMs);
    if (!id) return { items: this.#list(), nextCursor: null };
    const revisions = this.#instances.get(id);
    const standing = revisions?.at(-1);
    if (!revisions || !standing) return null;
    if (verb === 'chat' || verb === 'decisions')
      return this.chats.answer(method, verb, after, body);
    if (verb === 'history') return { items: revisions.map(revisionOf).toReversed() };
    if (verb === 'changes') {
      const changed = decideChange(bodyOf(standing), instanceChange.parse(body));
      revisions.push({
        ...standing,
        ...changed,
        revision: standing.revision + 1,
        changedAt: nowMs,
      });
    }
    return verb === undefined || verb === 'changes' ? this.#detail(id) : null;
  }

  #operators(method: string, id: string | undefined, verb: string | undefined, body: unknown) {
    if (method === 'POST' && !id) return this.#publish(body);
    if (!id) return { items: this.#entries() };
    if (verb === 'withdraw') {
      this.#withdrawn.add(id);
      return { accepted: true };
    }
    const own = this.#versions(id).filter(() => !isBuiltIn(id));
    const versions = own.map(({ version, name, instructions, ceiling, brain }, index) => {
      const before = own[index - 1];
      const wider = before !== undefined && isWider(before.ceiling, ceiling);
      return {
        version,
        publishedAt: version,
        publishedBy: 'person',
        body: { name, instructions, ceiling, brain },
        wider,
      };
    });
    const entry = this.#entries().find(({ definition }) => definition.id === id) ?? null;
    return entry || own.length > 0 ? { entry, versions: versions.toReversed() } : null;
  }

  #publish(said: unknown): OperatorEntry {
    const { operatorId: onto, basedOn, body } = publishOperatorRequest.parse(said);
    const id = onto ?? operatorId.parse(`opr_own${++this.#made}`);
    const definition = { ...body, id, version: basedOn + 1 };
    this.#definitions.push(definition);
    this.#withdrawn.delete(id);
    return entryOf(definition);
  }

  #make(said: unknown, nowMs: number): InstanceDetail | null {
    const { consents, ...request } = makeInstanceRequest.parse(said);
    const id = instanceId.parse(`ins_made${++this.#made}`);
    const state = 'active' as const;
    const at = { createdAt: nowMs, changedAt: nowMs };
    const kept = { ...request, consents: consents ?? DEFAULT_CONSENTS, state, ...at };
    this.#instances.set(id, [{ ...kept, id, ownerId: LOCAL_ACTOR, revision: 1 }]);
    return this.#detail(id);
  }

  #list(): InstanceDetail[] {
    const all = [...this.#instances.keys()].toReversed().map((id) => this.#detail(id));
    return all.filter((one) => one !== null).filter(({ instance }) => instance.state !== 'removed');
  }

  #detail(id: string): InstanceDetail | null {
    const kept = this.#instances.get(id)?.at(-1);
    if (!kept) return null;
    const versions = this.#versions(kept.operatorId);
    const definition = decideRunningVersion(versions, kept.agreedVersion);
    if (!definition) return null;
    return detailOf(
      { ...kept, definitionVersion: definition.version },
      definition,
      versions,
      this.#open(id),
    );
  }

  #open(id: string): BreachRow[] {
    return openBreaches(this.breaches).filter(({ sessionId }) => sessionId === id);
  }

  #answerFor(id: string, act: string | undefined, body: unknown, at: number): unknown {
    const breach = this.#open(id).find(({ actId }) => actId === act);
    if (!breach) return null;
    const { reason } = overrideRequest.parse(body);
    breach.override = { reason, actorId: LOCAL_ACTOR, channel: 'console', at };
    return { accepted: true };
  }

  #versions(id: string): OperatorDefinition[] {
    return this.#definitions.filter((one) => one.id === id);
  }

  #entries(): OperatorEntry[] {
    const newest = new Map(this.#definitions.map((one) => [one.id as string, one]));
    const standing = [...newest.values()].filter(({ id }) => !this.#withdrawn.has(id));
    const own = standing.filter(({ id }) => !isBuiltIn(id));
    return [...own, ...BUILT_IN_OPERATORS].map(entryOf);
  }
}

const isBuiltIn = (id: string): boolean => BUILT_IN_OPERATORS.some((one) => one.id === id);

function entryOf(definition: OperatorDefinition): OperatorEntry {
  const origin = isBuiltIn(definition.id) ? 'builtIn' : 'own';
  const words = describeDefinition(definition);
  const publishedAt = origin === 'own' ? definition.version : null;
  return { definition, origin, words, note: builtInNote(definition.id), publishedAt };
}

function bodyOf(kept: Kept): InstanceBody {
  const { name, agreedVersion, narrowing, boundTarget, consents, brain, budgetMicroUsd, state } =
    kept;
  return { name, agreedVersion, narrowing, boundTarget, consents, brain, budgetMicroUsd, state };
}

const revisionOf = (kept: Kept) => ({
  revision: kept.revision,
  body: bodyOf(kept),
  at: kept.changedAt,
  by: 'person',
});
