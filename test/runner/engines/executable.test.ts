import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { askExecutable, askVersion } from '../../../runner/engines/executable.ts';

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
  test('is read from both its outputs, whatever its exit status', async () => {
    const both = aProgram('echo said; echo beside >&2; exit 3');
    expect(await askExecutable(both, [], ENV)).toEqual({
      output: 'said\n',
      errors: 'beside\n',
      late: false,
    });
  });

  test('is nothing where there is no such program', async () => {
    expect(await askExecutable(join(home, 'none'), [], ENV)).toBeNull();
  });

  test('gets the environment that it is asked in, and no other', async () => {
    process.env['PILOTHOUSE_OTHER'] = 'mine';
    const given = { ...ENV, GIVEN: '1', PILOTHOUSE_TOKEN: 'the-runners' };
    const told = (await askExecutable(aProgram('env'), [], given))?.output;
    delete process.env['PILOTHOUSE_OTHER'];
    expect(told).toContain('GIVEN=1');
    expect(told).not.toMatch(/PILOTHOUSE_OTHER|the-runners/);
  });

  test('holds its version anywhere in the line', async () => {
    const program = aProgram('echo "codex-cli 1.22.333 (abc)"');
    expect(await askVersion(program, ENV)).toEqual({ version: '1.22.333', late: false });
    expect(await askVersion(aProgram('echo none'), ENV)).toEqual({ version: null, late: false });
  });

  test('is late, and not absent, where no answer comes in time', async () => {
    const asked = await askVersion(aProgram('sleep 60'), ENV, { withinMs: 50 });
    expect(asked).toEqual({ version: null, late: true });
  });
});

describe('the version of a program that does not answer', () => {
  const late = (path: string, packages: string[]) => {
    const whole = join(home, path);
    mkdirSync(dirname(whole), { recursive: true });
    writeFileSync(whole, '#!/bin/sh\nsleep 60\n');
    chmodSync(whole, 0o755);
    return askVersion(whole, ENV, { packages, withinMs: 50 });
  };
  const aPackage = (at: string, name: string, version: string) => {
    mkdirSync(join(home, at), { recursive: true });
    writeFileSync(join(home, at, 'package.json'), JSON.stringify({ name, version }));
  };

  test('is that of the package of npm that it is in, and of no other', async () => {
    aPackage('lib/mine', '@its/own', '1.2.3-linux-x64');
    const path = 'lib/mine/vendor/triple/bin/own';
    expect(await late(path, ['@its/own'])).toEqual({ version: '1.2.3', late: true });
    expect(await late(path, ['another'])).toEqual({ version: null, late: true });
  });

  test.each([
    ['share/claude/versions/2.1.332', '2.1.332'],
    ['Caskroom/codex/0.171.0/codex', '0.171.0'],
    ['node/22.1.0/bin/codex', null],
  ])('is what its installer calls its place: %s', async (path, version) => {
    expect(await late(path, ['codex'])).toEqual({ version, late: true });
  });
});
