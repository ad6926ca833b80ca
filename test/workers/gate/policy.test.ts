import { describe, expect, test } from 'vitest';
import {
  connectorOf,
  type Ceiling,
  type Consent,
  type Narrowing,
} from '../../../protocol/ceiling.ts';
import {
  TERMINAL_BACKENDS,
  TERMINAL_RISKS,
  TERMINAL_TOOLS,
  type TerminalBackend,
} from '../../../protocol/terminal.ts';
import { CONNECTOR_CONSTRAINTS } from '../../../workers/gate/constraints.ts';
import { decideGate, type GateInput } from '../../../workers/gate/policy.ts';

const TMUX = 'tmux:own:10.20:%1';
const OTHER = 'tmux:own:10.20:%2';
const KITTY = 'kitty:30:1';
const ITERM = 'iterm2:w0t0p0-9F';

const wide: Ceiling = {
  tools: TERMINAL_TOOLS,
  surfaceOptions: {
    tmux: { backends: ['tmux'], targets: 'any', prefix: null },
    terminal: { backends: [...TERMINAL_BACKENDS], targets: 'any', prefix: null },
  },
};

const anInput = (parts: Partial<GateInput> = {}): GateInput => ({
  tool: 'terminal_capture',
  target: TMUX,
  name: null,
  located: { target: parts.target ?? TMUX, backend: 'tmux', session: 'build-1' },
  ceiling: wide,
  narrowing: {},
  bound: null,
  consents: { read: 'always', send: 'always', run: 'always', kill: 'always' },
  acts: { effect: 'allow', reason: '' },
  rate: { used: 0, most: 60, windowMs: 60_000 },
  approved: false,
  ...parts,
});

const reasonOf = (parts: Partial<GateInput>): string => {
  const decision = decideGate(anInput(parts));
  return decision.effect === 'allow'
    ? 'allow'
    : `${decision.effect} by ${decision.rule}: ${decision.reason}`;
};

const limited = (option: Partial<Ceiling['surfaceOptions']['terminal']>): Ceiling => ({
  ...wide,
  surfaceOptions: {
    ...wide.surfaceOptions,
    terminal: { backends: [...TERMINAL_BACKENDS], targets: 'any', prefix: null, ...option },
  },
});

describe('a decision says who decided', () => {
  const onKitty: Partial<GateInput> = {
    target: KITTY,
    located: { target: KITTY, backend: 'kitty', session: null },
  };
  test.each<[Partial<GateInput>, string]>([
    [{}, 'allow'],
    [
      { ceiling: { ...wide, tools: [] } },
      'deny by tools: the operator has no tool terminal_capture',
    ],
    [{ narrowing: { tools: [] } }, 'deny by tools: subscriber took the tool terminal_capture away'],
    [
      { ceiling: { ...wide, surfaceOptions: {} } },
      'deny by ceiling: the operator’s definition leaves terminal closed',
    ],
    [
      { ...onKitty, ceiling: limited({ backends: ['tmux'] }) },
      'deny by ceiling: creator limited backends to tmux',
    ],
    [
      { ...onKitty, narrowing: { surfaceOptions: { terminal: { backends: ['tmux'] } } } },
      'deny by narrowing: subscriber narrowed backends to tmux',
    ],
    [
      { narrowing: { surfaceOptions: { terminal: { backends: [] } } } },
      'deny by narrowing: subscriber narrowed backends to none',
    ],
    [
      { ...onKitty, tool: 'tmux_capture_pane' },
      'deny by ceiling: the connector limits backends to tmux',
    ],
    [
      { ceiling: limited({ prefix: 'web' }) },
      'deny by ceiling: creator limited names to those that begin with web',
    ],
    [
      { ...onKitty, ceiling: limited({ prefix: 'web' }) },
      'deny by ceiling: creator limited names to those that begin with web',
    ],
    [
      { ceiling: limited({ targets: 'single' }) },
      'deny by binding: the operator works in one terminal, and none is bound to it',
    ],
    [
      { ceiling: limited({ targets: 'single' }), bound: OTHER },
      'deny by binding: the call names another terminal than the one bound',
    ],
    [{ target: null, located: null }, 'deny by binding: the call names no terminal'],
    [
      { located: null },
      'deny by binding: the terminal cannot be found, so no limit can be held against it',
    ],
    [
      { located: { target: OTHER, backend: 'tmux', session: 'build-1' } },
      'deny by binding: the terminal cannot be found, so no limit can be held against it',
    ],
    [
      { consents: { read: 'never', send: 'always', run: 'always', kill: 'always' } },
      'deny by consent: subscriber has not agreed to read',
    ],
    [
      { consents: { read: 'ask', send: 'always', run: 'always', kill: 'always' } },
      'ask by consent: subscriber is asked before read',
    ],
    [{ acts: { effect: 'deny', reason: 'a push to main' } }, 'deny by policy: a push to main'],
    [{ acts: { effect: 'ask', reason: 'a merge' } }, 'ask by policy: a merge'],
    [
      { rate: { used: 60, most: 60, windowMs: 60_000 } },
      'deny by rate: 60 calls in 60 s are as many as it may make',
    ],
  ])('%# %j', (parts, said) => {
    expect(reasonOf(parts)).toBe(said);
  });

  test('a bound operator that names no terminal gets its own', () => {
    const decision = decideGate(
      anInput({ ceiling: limited({ targets: 'single' }), bound: TMUX, target: null }),
    );
    expect(decision).toMatchObject({ effect: 'allow', target: TMUX });
  });

  test('consents that cannot be read agree to nothing', () => {
    expect(reasonOf({ consents: {} as never })).toBe(
      'deny by consent: subscriber has not agreed to read',
    );
  });

  test('a person who agreed to a call has not agreed to what the policy forbids', () => {
    const acts = { effect: 'deny' as const, reason: 'a push to main' };
    expect(reasonOf({ acts, approved: true })).toBe('deny by policy: a push to main');
  });
});

describe('every connector has its entry', () => {
  test('and every tool stands in exactly the one that its name says, with the risk of the protocol', () => {
    const listed = Object.entries(CONNECTOR_CONSTRAINTS).flatMap(([name, { tools }]) =>
      Object.entries(tools).map(([tool, { risk }]) => [name, tool, risk]),
    );
    expect(listed).toEqual(
      TERMINAL_TOOLS.map((tool) => [connectorOf(tool), tool, TERMINAL_RISKS[tool]]),
    );
  });
});

/** The same question asked in another way: is there any limit that the call does not meet? */
function oracle(input: GateInput): 'allow' | 'deny' | 'ask by policy' | 'ask by consent' {
  const name = input.tool.split('_')[0] as 'tmux' | 'terminal';
  const limits = [input.ceiling.surfaceOptions[name], input.narrowing.surfaceOptions?.[name] ?? {}];
  const lists = /_list/.test(input.tool);
  const makes = /_create_/.test(input.tool);
  const single = limits.some((limit) => limit?.targets === 'single');
  const aimed = input.target ?? (single ? input.bound : null);
  const place = makes
    ? { backend: 'tmux' as TerminalBackend, session: input.name }
    : { backend: input.located?.backend, session: input.located?.session ?? null };
  const reachable =
    lists ||
    (limits.every((limit) =>
      (limit?.backends ?? TERMINAL_BACKENDS).some((one) => one === place.backend),
    ) &&
      (name === 'terminal' || place.backend === 'tmux') &&
      limits.every((limit) => (place.session ?? '').startsWith(limit?.prefix ?? '')) &&
      (makes || (aimed !== null && input.located?.target === aimed)));
  const bindingHolds =
    !single || (input.bound !== null && !makes && [null, input.bound].includes(input.target));
  const agreed = { always: 2, ask: 1, never: 0 }[input.consents[TERMINAL_RISKS[input.tool]]];
  const may = [
    input.ceiling.tools.includes(input.tool),
    input.narrowing.tools === undefined || input.narrowing.tools.includes(input.tool),
    limits[0] !== undefined,
    reachable,
    bindingHolds,
    agreed > 0,
    input.acts.effect !== 'deny',
    input.rate.used < input.rate.most,
  ].every(Boolean);
  if (!may) return 'deny';
  if (input.approved) return 'allow';
  // A person's yes for good is taken to `consent` alone, and settles nothing of the policy.
  if (input.acts.effect === 'ask') return 'ask by policy';
  return agreed === 1 ? 'ask by consent' : 'allow';
}

describe('every tool under every limit', () => {
  const ceilings: Ceiling[] = [
    wide,
    { ...wide, tools: [] },
    { ...wide, surfaceOptions: {} },
    ...(['single', 'any'] as const).flatMap((targets) =>
      [['tmux' as const], ['kitty' as const], ['iterm2' as const]].flatMap((backends) =>
        [null, 'build'].map((prefix) => ({
          tools: TERMINAL_TOOLS,
          surfaceOptions: {
            tmux: { backends, targets, prefix },
            terminal: { backends, targets, prefix },
          },
        })),
      ),
    ),
  ];
  const narrowings: Narrowing[] = [
    {},
    { tools: ['terminal_capture', 'tmux_create_session'] },
    { surfaceOptions: { tmux: { targets: 'single' }, terminal: { targets: 'single' } } },
    { surfaceOptions: { tmux: { prefix: 'build-' }, terminal: { backends: ['tmux', 'iterm2'] } } },
    { surfaceOptions: { tmux: { backends: [] }, terminal: { prefix: 'web' } } },
  ];
  const places: Pick<GateInput, 'target' | 'located'>[] = [
    { target: TMUX, located: { target: TMUX, backend: 'tmux', session: 'build-1' } },
    { target: KITTY, located: { target: KITTY, backend: 'kitty', session: null } },
    { target: ITERM, located: { target: ITERM, backend: 'iterm2', session: null } },
    { target: TMUX, located: null },
    { target: null, located: { target: TMUX, backend: 'tmux', session: 'web' } },
    { target: null, located: null },
    { target: OTHER, located: { target: TMUX, backend: 'tmux', session: 'build-1' } },
  ];
  const bounds = [null, TMUX, KITTY, ITERM];
  const given: Consent[] = ['never', 'ask', 'always'];

  const policies = (['allow', 'ask', 'deny'] as const).map((effect) => ({ effect, reason: '' }));
  const rates = [0, 60].map((used) => ({ used, most: 60, windowMs: 60_000 }));

  /** Every setting of what is decided beside the limits. */
  const agreements = given.flatMap((agreed) =>
    policies.flatMap((acts) =>
      rates.flatMap((rate) =>
        [false, true].map((approved) => {
          const consents = { read: agreed, send: agreed, run: agreed, kill: agreed };
          return { consents, acts, rate, approved };
        }),
      ),
    ),
  );

  test.each(TERMINAL_TOOLS)('%s', (tool) => {
    const seen = { allow: 0, deny: 0, 'ask by policy': 0, 'ask by consent': 0 };
    for (const limit of ceilings)
      for (const narrowing of narrowings)
        for (const place of places)
          for (const bound of bounds)
            for (const agreement of agreements) {
              const limits = { tool, ceiling: limit, narrowing, ...place, bound, name: 'build-7' };
              const input = anInput({ ...limits, ...agreement });
              const decision = decideGate(input);
              const { effect } = decision;
              const said = effect === 'ask' ? `ask by ${decision.rule}` : effect;
              const right = oracle(input);
              if (said !== right)
                throw new Error(`${said}, not ${right}: ${JSON.stringify(input)}`);
              seen[right] += 1;
            }
    // A table in which one answer never comes proves nothing of the others.
    expect(Math.min(...Object.values(seen))).toBeGreaterThan(0);
    const all = Object.values(seen).reduce((sum, one) => sum + one, 0);
    expect(all).toBe(15 * 5 * 7 * 4 * agreements.length);
  });
});
