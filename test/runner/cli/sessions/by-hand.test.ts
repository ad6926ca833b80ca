import { expect, it } from 'vitest';
import type { StartedProcess } from '../../../../protocol/by-hand.ts';
import { describeByHand } from '../../../../runner/cli/sessions/by-hand.ts';

const started: StartedProcess = {
  pid: 7,
  argv: ['asker', 'it’s', '--go'],
  directory: '/work place',
  environment: ['HOME', 'PATH'],
};
const graded = (name: 'open' | 'sealed') =>
  ({ checkout: { grade: { grade: name, reason: 'As asked.' } }, engine: null }) as never;

it('prints the command on a line of its own, what it costs, and its environment by name', () => {
  const lines = describeByHand(started, graded('open')).split('\n');
  expect(lines[0]).toBe("cd '/work place' && asker 'it’s' --go");
  expect(lines.at(-1)).toBe('Its environment, by name: HOME PATH');
  expect(lines.join(' ')).toMatch(/Stop the session before.*unmetered/);
  expect(lines.join(' ')).not.toContain('By hand it is not');
});

it('says of a sealed session that it is not sealed by hand', () => {
  expect(describeByHand(started, graded('sealed'))).toContain('By hand it is not sealed');
  expect(
    describeByHand({ ...started, environment: [] }, { checkout: null, engine: null }),
  ).not.toContain('environment');
});
