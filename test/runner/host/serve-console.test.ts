import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { decideDropped, serveConsole } from '../../../runner/host/serve-console.ts';
import { temporaryDirectory } from './temporary.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const NOW = 1_800_000_000_000;

/** A build whose page names the given assets. */
function aBuild(...assets: string[]): string {
  const root = temporaryDirectory();
  mkdirSync(join(root, 'assets'));
  writeFileSync(join(root, 'index.html'), assets.join(' '));
  for (const name of assets) writeFileSync(join(root, 'assets', name), name);
  return root;
}

describe('the console that an installation serves', () => {
  const page = (served: string) => readFileSync(join(served, 'index.html'), 'utf8');
  const has = (served: string, name: string) => existsSync(join(served, 'assets', name));

  it('is a copy, so that a build under it changes nothing', () => {
    const [build, home] = [aBuild('app-1.js'), temporaryDirectory()];
    const served = serveConsole(build, home, NOW);
    rmSync(build, { recursive: true });
    expect(page(served)).toBe('app-1.js');
    expect(has(served, 'app-1.js')).toBe(true);
  });

  it('has the page of the newer build, and the assets of both', () => {
    const home = temporaryDirectory();
    serveConsole(aBuild('app-1.js', 'same-0.js'), home, NOW);
    const served = serveConsole(aBuild('app-2.js', 'same-0.js'), home, NOW + 1);
    expect(page(served)).toBe('app-2.js same-0.js');
    expect(['app-1.js', 'app-2.js', 'same-0.js'].every((name) => has(served, name))).toBe(true);
  });

  it('counts the age of an old asset from its replacement, not from its making', () => {
    const home = temporaryDirectory();
    serveConsole(aBuild('app-1.js'), home, NOW);
    // The instance ran for a year: until now this was what everybody had open.
    const later = NOW + 365 * DAY_MS;
    const newer = aBuild('app-2.js');
    expect(has(serveConsole(newer, home, later), 'app-1.js')).toBe(true);
    expect(has(serveConsole(newer, home, later + 13 * DAY_MS), 'app-1.js')).toBe(true);
    expect(has(serveConsole(newer, home, later + 15 * DAY_MS), 'app-1.js')).toBe(false);
  });

  it('takes an asset that came back in a newer build for a current one', () => {
    const home = temporaryDirectory();
    const first = aBuild('app-1.js');
    serveConsole(first, home, NOW);
    serveConsole(aBuild('app-2.js'), home, NOW);
    const served = serveConsole(first, home, NOW + 30 * DAY_MS);
    expect(has(served, 'app-1.js')).toBe(true);
    expect(has(serveConsole(aBuild('app-3.js'), home, NOW + 31 * DAY_MS), 'app-1.js')).toBe(true);
  });

  it('keeps old assets whose record is lost, as replaced just now', () => {
    const home = temporaryDirectory();
    serveConsole(aBuild('app-1.js'), home, NOW);
    serveConsole(aBuild('app-2.js'), home, NOW);
    writeFileSync(join(home, 'replaced.json'), '{"app-1.js":');
    const served = serveConsole(aBuild('app-2.js'), home, NOW + 20 * DAY_MS);
    expect(has(served, 'app-1.js')).toBe(true);
  });
});

describe('which old assets go', () => {
  const asset = (name: string, replacedAt: number, bytes = 1) => ({ name, replacedAt, bytes });
  const MIB = 1024 * 1024;

  it('are those that were replaced more than two weeks ago', () => {
    const old = [asset('old', NOW - 15 * DAY_MS), asset('young', NOW - 13 * DAY_MS)];
    expect(decideDropped(old, NOW)).toEqual(['old']);
  });

  it('are the oldest when all together are too large', () => {
    const each = [1, 3, 2].map((day) => asset(`day-${day}`, NOW - day * DAY_MS, 10 * MIB));
    expect(decideDropped(each, NOW)).toEqual(['day-3']);
  });

  it('are none when they are young and small', () => {
    expect(decideDropped([asset('a', NOW), asset('b', NOW)], NOW)).toEqual([]);
  });
});
