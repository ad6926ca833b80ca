import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { EngineEvent } from '../../protocol/engine-event.ts';
import type { Engine, EngineItem, EngineStep } from '../../runner/engines/engine.ts';
import { createStreamJsonEngine } from '../../runner/engines/claude/engine.ts';
import { findEngine } from '../../runner/engines/registry.ts';
import { rehearsal } from '../../runner/engines/rehearsal/preset.ts';
import type { LaunchPorts } from '../../runner/sessions/launcher.ts';
import { createLaunchPorts } from '../../runner/sessions/ports.ts';
import { actRulesOf } from './policy-rules.ts';
import type { TestMachine } from './runner-process.ts';

/** Ports of a machine whose sessions are open. */
export const UNSEALED: Pick<
  LaunchPorts,
  | 'seal'
  | 'findFault'
  | 'readRefused'
  | 'openModel'
  | 'grantModel'
  | 'readCalls'
  | 'close'
  | 'asidePlace'
  | 'whereLies'
  | 'readOwn'
  | 'keepForked'
  | 'check'
  | 'attend'
  | 'attendPushes'
  | 'leave'
  | 'settlePush'
  | 'keepPushes'
  | 'actRules'
  | 'lookAtRefs'
  | 'forgetRefs'
> = {
  findFault: () => Promise.resolve(null),
  seal: (plan) => Promise.resolve(plan),
  readRefused: () => [],
  asidePlace: (sessionId) => join(tmpdir(), `aside-${sessionId}`),
  whereLies: (path) => path,
  readOwn: () => Promise.resolve(null),
  keepForked: (_sessionId, name) => Promise.resolve(join(tmpdir(), name)),
  check: () => Promise.reject(new Error('this machine runs no checks')),
  attend: () => undefined,
  attendPushes: () => undefined,
  leave: () => undefined,
  settlePush: () => Promise.reject(new Error('this machine pushes nothing')),
  keepPushes: () => Promise.resolve(),
  openModel: () => Promise.resolve(null),
  grantModel: () => undefined,
  readCalls: (_sessionId, offset) => ({ entries: [], offset }),
  close: () => Promise.resolve(),
  actRules: (_checkout, policy) => actRulesOf(policy),
  lookAtRefs: () => Promise.resolve(null),
  forgetRefs: () => undefined,
};

/** The real machine, its rehearsal engine saying something else in the events of `change`. */
export function portsThatSay(
  machine: TestMachine,
  change: (event: EngineEvent) => EngineEvent | null,
): LaunchPorts {
  const real = createLaunchPorts(machine.data, machine.env);
  const retell = (step: EngineStep<unknown>): EngineStep<unknown> => ({
    state: step.state,
    items: step.items.flatMap((item): EngineItem[] => {
      if (item.kind !== 'event') return [item];
      const event = change(item.event);
      return event ? [{ kind: 'event', event }] : [];
    }),
  });
  const retold = (engine: Engine): Engine => ({
    ...engine,
    parse: (state, line, at) => retell(engine.parse(state, line, at)),
  });
  return {
    ...real,
    findEngine: ({ engineId, approvals }) => {
      const engine = findEngine(engineId, approvals);
      return engine && retold(engine);
    },
  };
}

/** As if the rehearsal's figures were charged to somebody. */
export function portsThatCost(machine: TestMachine): LaunchPorts {
  return portsThatSay(machine, (event) => {
    if (event.type !== 'usage/recorded') return event;
    return {
      ...event,
      entries: event.entries.map((entry) => ({
        ...entry,
        provenance: 'reported',
        payer: 'api-key',
      })),
    };
  });
}

/** As if the rehearsal were an engine whose messages are charged for, as they come. */
export function portsThatCharge(machine: TestMachine): LaunchPorts {
  return {
    ...createLaunchPorts(machine.data, machine.env),
    findEngine: () => createStreamJsonEngine({ ...rehearsal, rehearsal: false }),
  };
}

/** As if a new version of the engine no longer told what a turn cost. */
export function portsWithoutUsage(machine: TestMachine): LaunchPorts {
  return portsThatSay(machine, (event) => {
    if (event.type === 'usage/recorded') return null;
    return event.type === 'turn/ended' ? { ...event, usage: 'none' } : event;
  });
}
