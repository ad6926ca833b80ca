import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { Consents, Narrowing } from '../../../protocol/ceiling.ts';
import { instanceId, LOCAL_ACCOUNT, LOCAL_ACTOR, runnerId } from '../../../protocol/ids.ts';
import { operatorDefinition, operatorInstance } from '../../../protocol/operator.ts';
import { terminalParameters, TERMINAL_TOOLS } from '../../../protocol/terminal.ts';
import { offeredTools, withBoundTarget } from '../../../workers/gate/tools.ts';
import { systemPrompt } from '../../../workers/relay/chat/prompt.ts';
import type { InstanceRead } from '../../../workers/operators/read.ts';
import { aDefinition, PANE } from '../support/operators.ts';

const ALWAYS: Consents = { read: 'always', send: 'always', run: 'always', kill: 'always' };

type Said = {
  targets?: 'any' | 'single';
  narrowing?: Narrowing;
  consents?: Partial<Consents>;
  bound?: string | null;
};

/** An operator of tmux with every tool of it, as it stands after what was said. */
function anInstance({ targets = 'any', narrowing = {}, consents, bound = null }: Said = {}) {
  const { ceiling, ...rest } = aDefinition();
  const surfaceOptions = { tmux: { backends: ['tmux' as const], targets, prefix: null } };
  const operatorId = 'opr_watcher';
  const instance = operatorInstance.parse({
    id: instanceId.parse('ins_1'),
    operatorId,
    definitionVersion: 1,
    agreedVersion: 1,
    name: 'mine',
    ownerId: LOCAL_ACTOR,
    runnerId: runnerId.parse('run_1'),
    boundTarget: bound === null ? null : { target: bound, label: 'the build' },
    narrowing,
    consents: { ...ALWAYS, ...consents },
    brain: null,
    budgetMicroUsd: null,
    state: 'active',
    revision: 1,
    createdAt: 1,
    changedAt: 1,
  });
  const definition = operatorDefinition.parse({
    ...rest,
    ceiling: { ...ceiling, surfaceOptions },
    id: operatorId,
    version: 1,
  });
  return { accountId: LOCAL_ACCOUNT, instance, definition } satisfies InstanceRead;
}
const namesOf = (said?: Said) => offeredTools(anInstance(said)).map(({ name }) => name);
const inputOf = (name: string, said?: Said) => {
  const found = offeredTools(anInstance(said)).find((each) => each.name === name);
  return found ? z.toJSONSchema(found.input) : null;
};

describe('the tools that an agent is offered', () => {
  it('are those of the definition, in its order, each with what it does to a terminal', () => {
    expect(offeredTools(anInstance()).map(({ name, risk }) => [name, risk])).toEqual([
      ['tmux_list_sessions', 'read'],
      ['tmux_create_session', 'run'],
      ['tmux_capture_pane', 'read'],
      ['tmux_run_command', 'run'],
      ['tmux_send_keys', 'send'],
      ['tmux_kill_session', 'kill'],
    ]);
  });

  it.each<[string, Said, string[]]>([
    [
      'the subscriber took away',
      { narrowing: { tools: ['tmux_capture_pane'] } },
      ['tmux_capture_pane'],
    ],
    [
      'was never agreed to',
      { consents: { run: 'never', kill: 'never', send: 'never' } },
      ['tmux_list_sessions', 'tmux_capture_pane'],
    ],
    [
      'both leave out',
      {
        narrowing: { tools: ['tmux_send_keys', 'tmux_kill_session'] },
        consents: { kill: 'never' },
      },
      ['tmux_send_keys'],
    ],
  ])('are not what %s', (_, said, names) => {
    expect(namesOf(said)).toEqual(names);
  });

  it('are offered also where a person is asked before each call', () => {
    expect(namesOf({ consents: { run: 'ask', kill: 'ask' } })).toContain('tmux_kill_session');
  });

  it('take the terminal to act on, and none where one is bound', () => {
    expect(inputOf('tmux_capture_pane')).toMatchObject({
      required: expect.arrayContaining(['target']),
    });
    const single = inputOf('tmux_capture_pane', { targets: 'single', bound: PANE });
    expect(Object.keys(single?.properties ?? {})).not.toContain('target');
    const narrowed: Narrowing = { surfaceOptions: { tmux: { targets: 'single' } } };
    const input = inputOf('tmux_run_command', { narrowing: narrowed, bound: PANE });
    expect(Object.keys(input?.properties ?? {})).toContain('command');
    expect(Object.keys(input?.properties ?? {})).not.toContain('target');
  });

  it('refuse a parameter that they do not know', () => {
    const [list] = offeredTools(anInstance());
    expect(list?.input.safeParse({ sudo: true }).success).toBe(false);
  });
});

describe('what the agent is told of where it works', () => {
  const told = (said: Said) => systemPrompt(anInstance(said)).split('\n\n').at(-1);

  it('is one terminal only where its limits leave one', () => {
    expect(told({ targets: 'single', bound: PANE })).toBe(
      'You work in one terminal, "the build": leave `target` out, it is filled in.',
    );
    expect(told({ targets: 'any', bound: PANE })).toMatch(/^Name a terminal by the exact id/);
    expect(told({ targets: 'single' })).toContain('none is bound yet');
  });
});

describe('a call of an instance with a bound terminal', () => {
  const bound = anInstance({ targets: 'single', bound: PANE });

  it('is about that terminal where it names none', () => {
    expect(withBoundTarget(bound, 'tmux_capture_pane', { history: 5 })).toEqual({
      tool: 'tmux_capture_pane',
      params: { target: PANE, history: 5 },
    });
  });

  it('keeps the terminal that it names, for the gate to refuse', () => {
    const params = { target: 'tmux:own:1.2:%9' };
    expect(withBoundTarget(bound, 'tmux_capture_pane', params)).toEqual({
      tool: 'tmux_capture_pane',
      params,
    });
  });

  it.each(
    TERMINAL_TOOLS.map(
      (tool) =>
        [tool, tool.startsWith('tmux_') && 'target' in terminalParameters[tool].shape] as const,
    ),
  )('%s gets it where it takes one and its connector is open: %s', (tool, takes) => {
    const { params } = withBoundTarget(bound, tool, {});
    expect(params).toEqual(takes ? { target: PANE } : {});
  });

  it.each(['constructor', 'toString', 'tmux_explode', ''])(
    '%j is no tool and gets none',
    (tool) => {
      expect(withBoundTarget(bound, tool, { a: 1 })).toEqual({ tool, params: { a: 1 } });
    },
  );

  it.each([null, undefined, 'text', 7])('with %j for its parameters is about it too', (input) => {
    expect(withBoundTarget(bound, 'tmux_capture_pane', input).params).toEqual({ target: PANE });
  });

  it('stays as it was where the operator works in any terminal, whatever is bound', () => {
    const free = anInstance({ targets: 'any', bound: PANE });
    expect(withBoundTarget(free, 'tmux_capture_pane', {}).params).toEqual({});
  });

  it('stays as it was where none is bound', () => {
    const free = anInstance();
    expect(withBoundTarget(free, 'tmux_capture_pane', {}).params).toEqual({});
  });
});
