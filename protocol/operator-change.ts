import type { BreachView } from './breach.ts';
import { PilothouseError } from './errors.ts';
import type { InstanceBody, OperatorDefinition, OperatorInstance } from './operator.ts';
import type { InstanceChange, InstanceDetail } from './operator-http.ts';
import { describeDefinition, describeInstance, instanceObstacle } from './operator-words.ts';

/** An instance after one change. Throws `instance_removed` for one that is gone for good. Pure. */
export function decideChange(body: InstanceBody, asked: InstanceChange): InstanceBody {
  if (body.state === 'removed') {
    if (asked.change === 'remove') return body;
    throw new PilothouseError('instance_removed');
  }
  switch (asked.change) {
    case 'rename':
      return { ...body, name: asked.name };
    case 'bind':
      return { ...body, boundTarget: asked.boundTarget };
    case 'narrow':
      return { ...body, narrowing: asked.narrowing };
    case 'consent':
      return { ...body, consents: { ...body.consents, ...said(asked.consents) } };
    case 'agree':
      return { ...body, agreedVersion: asked.version };
    case 'budget':
      return { ...body, budgetMicroUsd: asked.budgetMicroUsd };
    case 'brain':
      return { ...body, brain: asked.brain };
    case 'pause':
      return { ...body, state: 'paused' };
    case 'resume':
      return { ...body, state: 'active' };
    case 'remove':
      return { ...body, state: 'removed' };
    default:
      return asked satisfies never;
  }
}

type Said<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

/** What was said alone: a word that was left out takes nothing back. */
const said = <T extends object>(parts: T): Said<T> =>
  Object.fromEntries(Object.entries(parts).filter(([, value]) => value !== undefined)) as Said<T>;

/** An instance as it is shown. `versions` are those of its operator, oldest first. Pure. */
export function detailOf(
  instance: OperatorInstance,
  definition: OperatorDefinition,
  versions: readonly OperatorDefinition[],
  breaches: readonly BreachView[],
): InstanceDetail {
  const newest = versions.at(-1);
  const offered =
    newest && newest.version > definition.version
      ? { definition: newest, words: describeDefinition(newest) }
      : null;
  const words = describeInstance(instance, definition);
  const obstacle = instanceObstacle(instance, definition);
  return { instance, definition, words, obstacle, breaches: [...breaches], offered };
}
