import { execFileSync } from 'node:child_process';
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { byHandCommand } from '../../protocol/by-hand.ts';

it('a process by hand is its command in its directory, as a shell reads it back', () => {
  expect(byHandCommand({ directory: '/my repo', argv: ['claude', '-p', "it's"] }, null)).toBe(
    `cd '/my repo' && claude -p 'it'\\''s'`,
  );
});

it('runs where the session ran, with the same words, whatever is in them', () => {
  const directory = mkdtempSync(join(realpathSync(tmpdir()), 'pilothouse by hand-'));
  const argv = ['sh', '-c', 'pwd; printf "[%s]" "$@"', 'sh', '$HOME', 'a b', '*', '"', "it's", ''];
  const printed = execFileSync('sh', ['-c', byHandCommand({ directory, argv }, null)], {
    encoding: 'utf8',
  });
  rmSync(directory, { recursive: true });
  expect(printed).toBe(`${directory}\n[$HOME][a b][*]["][it's][]`);
});

it('hides nothing that a terminal would act on', () => {
  const escape = String.fromCharCode(27);
  expect(byHandCommand({ directory: '/a', argv: ['x', `${escape}[2J`] }, null)).not.toContain(
    escape,
  );
});

it('takes a conversation up that has begun, and begins one that has not', () => {
  const process = { directory: '/a', argv: ['x', '--session-id', 'c'], resumed: ['x', '-r', 'c'] };
  const engine = { engineSessionId: 'c', version: null, model: null, credential: null } as const;
  expect(byHandCommand(process, null)).toBe('cd /a && x --session-id c');
  expect(byHandCommand(process, { ...engine, payer: 'unknown' })).toBe('cd /a && x -r c');
  const earlier = { ...engine, engineSessionId: 'lost', payer: 'unknown' } as const;
  expect(byHandCommand(process, earlier)).toBe('cd /a && x --session-id c');
});
