import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { askExecutable, askOnBoth, askVersion } from '../../../runner/engines/executable.ts';

const home = mkdtempSync(join(tmpdir(), 'pilothouse-executable-'));
afterAll(() => rmSync(home, { recursive: true }));

let made = 0;
function aProgram(script: string): string {
  const path = join(home, `program-${made++}`);
  writeFileSync(path, `#!/bin/sh\n${script}\n`);
  chmodSync(path, 0o755);
  return path;
}
const ENV = { PATH: '/usr/bin:/bin' };

describe('what a program says of itself', () => {
  test('is read from its output, whatever its exit status', async () => {
    expect(await askExecutable(aProgram('echo said; exit 3'), [], ENV)).toBe('said\n');
    expect(await askExecutable(aProgram('echo said >&2'), [], ENV)).toBe('');
  });

  test.each(['exit 0', 'exit 1'])(
    'is read from its errors too where it tells there (%s)',
    async (end) => {
      const both = aProgram(`echo beside; echo said >&2; ${end}`);
      expect(await askOnBoth(both, [], ENV)).toBe('said\nbeside\n');
    },
  );

  test('is nothing where there is no such program', async () => {
    const none = join(home, 'none');
    expect(await askExecutable(none, [], ENV)).toBeNull();
    expect(await askOnBoth(none, [], ENV)).toBeFalsy();
  });

  test('gets the environment that it is asked in, and no other', async () => {
    process.env['PILOTHOUSE_OTHER'] = 'mine';
    const told = await askExecutable(aProgram('env'), [], { ...ENV, GIVEN: '1' });
    delete process.env['PILOTHOUSE_OTHER'];
    expect(told).toContain('GIVEN=1');
    expect(told).not.toContain('PILOTHOUSE_OTHER');
  });

  test('holds its version anywhere in the line', async () => {
    const program = aProgram('echo "codex-cli 1.22.333 (abc)"');
    expect(await askVersion(program, ENV)).toMatchObject({ version: '1.22.333', late: false });
    expect(await askVersion(aProgram('echo none'), ENV)).toMatchObject({ version: null });
  });

  test('is late, and not absent, where no answer comes in time', async () => {
    const asked = await askVersion(aProgram('sleep 5'), ENV, 50);
    expect(asked).toMatchObject({ version: null, late: true });
  });
});
