import fc from 'fast-check';
import {
  type Ceiling,
  connectorOf,
  type ConstraintSpec,
  type Narrowing,
} from '../../protocol/ceiling.ts';
import { TERMINAL_BACKENDS, TERMINAL_TOOLS } from '../../protocol/terminal.ts';

const option = fc.record({
  backends: fc.subarray([...TERMINAL_BACKENDS]),
  targets: fc.constantFrom('single' as const, 'any' as const),
  prefix: fc.constantFrom(null, 'b', 'build', 'web'),
});

/** Any ceiling that can be said, sensible or not. */
export const anyCeiling: fc.Arbitrary<Ceiling> = fc.record({
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

/** Any narrowing that can be said. */
export const anyNarrowing: fc.Arbitrary<Narrowing> = fc.record(
  {
    tools: fc.subarray(TERMINAL_TOOLS),
    surfaceOptions: fc.record({ tmux: smaller, terminal: smaller }, { requiredKeys: [] }),
  },
  { requiredKeys: [] },
);

/** Everything that a spec lets be done, one by one, with every terminal that there could be. */
export function everything({ tools, scopes }: ConstraintSpec): Set<string> {
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

export const isWithin = (inner: Set<string>, outer: Set<string>): boolean =>
  [...inner].every((one) => outer.has(one));
