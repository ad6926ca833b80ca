import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  ceiling,
  CONNECTORS,
  type Ceiling,
  narrowConstraintSpec,
  narrowing,
} from '../../protocol/ceiling.ts';
import { TERMINAL_BACKENDS, TERMINAL_TOOLS } from '../../protocol/terminal.ts';
import { anyCeiling, anyNarrowing, everything, isWithin } from '../support/ceilings.ts';

test('narrowing never allows what the ceiling does not, nor what the narrowing does not', () => {
  fc.assert(
    fc.property(anyCeiling, anyNarrowing, anyNarrowing, (limit, one, two) => {
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
    fc.property(anyCeiling, (limit) => {
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
