import { expect, it } from 'vitest';
import { canSteer } from '../../protocol/machine.ts';

const engine = (steers?: ('ask' | 'bypass')[]) =>
  ({ engines: [{ engineId: 'one', ...(steers && { steers }) }] }) as never;
const launch = { engineId: 'one', approvals: 'ask' } as const;

it('whether a turn can be steered depends on the engine and how much it asks', () => {
  expect(canSteer(engine(['ask']), launch)).toBe(true);
  expect(canSteer(engine(['bypass']), launch)).toBe(false);
  expect(canSteer(engine([]), launch)).toBe(false);
});

it('is not known of an older runner, an unknown engine or a machine that said nothing', () => {
  expect(canSteer(engine(), launch)).toBeNull();
  expect(canSteer(engine(['ask']), { ...launch, engineId: 'other' })).toBeNull();
  expect(canSteer(null, launch)).toBeNull();
});

it('is what reads an engine of a person’s own that says whether words can be put into its turn', () => {
  const own = (parser: 'codex-app-server' | 'codex-exec-json') => ({
    engineId: 'my-codex',
    approvals: 'ask' as const,
    preset: { parser },
  });
  expect(canSteer(engine([]), own('codex-app-server'))).toBe(true);
  expect(canSteer(engine(['ask']), own('codex-exec-json'))).toBe(false);
});
