import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { World } from './world.ts';

let world: World;
afterEach(() => world.stop());

/** The programs of this machine, as if nobody had installed bubblewrap. */
function pathWithoutBubblewrap(home: string): string {
  const bin = join(home, 'machine-bin');
  mkdirSync(bin, { recursive: true });
  const places = (process.env['PATH'] ?? '').split(delimiter).filter(Boolean);
  for (const place of places)
    for (const name of namesIn(place)) {
      if (name === 'bwrap') continue;
      try {
        symlinkSync(join(place, name), join(bin, name));
      } catch {
        // An earlier place has a program of that name.
      }
    }
  return bin;
}

function namesIn(place: string): string[] {
  try {
    return readdirSync(place);
  } catch {
    return [];
  }
}

it('a machine without bubblewrap starts, says which command installs it, and fences what it launches', async () => {
  world = new World((home) => ({ PATH: pathWithoutBubblewrap(home) }));
  await world.up();
  const doctor = await world.cli('runner', 'doctor');
  expect(doctor.stdout).toContain('bubblewrap is not installed');
  expect(doctor.stdout).toMatch(/(apt-get|dnf|zypper|pacman|apk) \S+ bubblewrap/);

  const id = await world.launchOn('rehearsal', 'look around', '--dir', world.repository);
  await world.approveUntilEnd(id);
  const { view } = await world.untilTurns(id, 1);
  expect(view.checkout?.grade?.grade).toBe('fenced');
  expect(view.checkout?.grade?.reason).toContain('bubblewrap');
  const remotes = execFileSync('git', ['remote', '-v'], {
    cwd: view.checkout?.directory,
    encoding: 'utf8',
  });
  expect(remotes).not.toContain(world.remote);

  const refused = await world.cli('launch', '--engine', 'rehearsal', '--grade', 'sealed', 'look');
  expect(refused.exitCode).not.toBe(0);
  expect(`${refused.stdout}${refused.stderr}`).toContain('bubblewrap');
});
