import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  ceiling,
  CONNECTORS,
  type Ceiling,
  connectorOf,
  type ConstraintSpec,
  type Narrowing,
  narrowConstraintSpec,
  narrowing,
} from '../../protocol/ceiling.ts';
import { TERMINAL_BACKENDS, TERMINAL_TOOLS } from '../../protocol/terminal.ts';

const option = fc.record({
  backends: fc.subarray([...TERMINAL_BACKENDS]),
  targets: fc.constantFrom('single' as const, 'any' as const),
  prefix: fc.constantFrom(null, 'b', 'build', 'web'),
});
const wide: fc.Arbitrary<Ceiling> = fc.record({
  tools: fc.subarray(TERMINAL_TOOLS),
  surfaceOptions: fc.record({ tmux: option, terminal: option }, { requiredKeys: [] }),
});
const smaller = option.chain((all) =>
  fc.constantFrom(
    {},
    all,
    { backends: all.backends },
    { targets: all.targets },
    { prefix: all.prefix },
  ),
);
const by: fc.Arbitrary<Narrowing> = fc.record(
  {
    tools: fc.subarray(TERMINAL_TOOLS),
    surfaceOptions: fc.record({ tmux: smaller, terminal: smaller }, { requiredKeys: [] }),
  },
  { requiredKeys: [] },
);

/** Everything that a spec lets be done, one by one, with every terminal that there could be. */
function everything({ tools, scopes }: ConstraintSpec): Set<string> {
  const all = new Set<string>();
  for (const tool of tools)
    for (const backend of TERMINAL_BACKENDS)
      for (const name of ['', 'b', 'build', 'build-1', 'web', 'web-2', 'other'])
        for (const other of [false, true]) {
          const scope = scopes[connectorOf(tool)];
          if (!scope?.backends.includes(backend) || (other && scope.targets === 'single')) continue;
          if (scope.prefixes.every((prefix) => name.startsWith(prefix)))
            all.add([tool, backend, name, other].join(' '));
        }
  return all;
}

const isWithin = (inner: Set<string>, outer: Set<string>): boolean =>
  [...inner].every((one) => outer.has(one));

test('narrowing never allows what the ceiling does not, nor what the narrowing does not', () => {
  fc.assert(
    fc.property(wide, by, by, (limit, one, two) => {
      const before = everything(narrowConstraintSpec(limit, {}));
      const after = everything(narrowConstraintSpec(limit, one));
      expect(isWithin(after, before)).toBe(true);
      const opened: Ceiling = {
        tools: one.tools ?? TERMINAL_TOOLS,
        surfaceOptions: Object.fromEntries(
          CONNECTORS.map((name) => [
            name,
            {
              backends: [...TERMINAL_BACKENDS],
              targets: 'any',
              prefix: null,
              ...one.surfaceOptions?.[name],
            },
          ]),
        ),
      };
      expect(isWithin(after, everything(narrowConstraintSpec(opened, {})))).toBe(true);
      // What somebody took away does not come back by what somebody else leaves alone.
      const both = {
        ...one,
        ...(two.tools && one.tools
          ? { tools: one.tools.filter((tool) => two.tools?.includes(tool)) }
          : two.tools
            ? { tools: two.tools }
            : {}),
      };
      expect(isWithin(everything(narrowConstraintSpec(limit, both)), after)).toBe(true);
    }),
  );
});

test('nothing said narrows nothing', () => {
  fc.assert(
    fc.property(wide, (limit) => {
      const spec = narrowConstraintSpec(limit, {});
      expect(new Set(spec.tools)).toEqual(new Set(limit.tools));
      for (const name of CONNECTORS)
        expect(spec.scopes[name]?.backends).toEqual(limit.surfaceOptions[name]?.backends);
    }),
  );
});

test.each([
  ['a connector that does not exist', { tools: [], surfaceOptions: { iterm: {} } }],
  ['a tool that does not exist', { tools: ['tmux_eval'], surfaceOptions: {} }],
  ['a word that nobody knows', { tools: [], surfaceOptions: {}, everything: true }],
  [
    'a prefix that is a pattern',
    { tools: [], surfaceOptions: { tmux: { backends: [], targets: 'any', prefix: '*' } } },
  ],
])('a ceiling with %s is none', (_, value) => {
  expect(ceiling.safeParse(value).success).toBe(false);
});

test('a narrowing with a word that nobody knows is none, so that a slip narrows nothing silently', () => {
  expect(narrowing.safeParse({ tool: ['tmux_capture_pane'] }).success).toBe(false);
});
