import { PilothouseError } from '../../protocol/errors.ts';
import type { InstanceBody } from '../../protocol/operator.ts';
import type { InstanceChange } from '../../protocol/operator-http.ts';

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
