import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

/** The bootstrap is plain JavaScript for any Node from 20 on: imported by path, without types. */
const MODULE: string = '../../tools/bootstrap/command-name.mjs';
const { commandNameOf }: { commandNameOf(path: string | undefined): string } = await import(MODULE);

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'pilothouse-command-'));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

/** A directory of the path with a `pilothouse` in it. */
function placeIn(directory: string, mode = 0o755): string {
  const place = join(home, directory);
  mkdirSync(place, { recursive: true });
  writeFileSync(join(place, 'pilothouse'), '#!/bin/sh\n');
  chmodSync(join(place, 'pilothouse'), mode);
  return place;
}

describe('the command', () => {
  it('goes by its own name where a terminal finds it', () => {
    expect(commandNameOf(['/nowhere', placeIn('bin')].join(delimiter))).toBe('pilothouse');
  });

  it('is run through npx where only npm finds it', () => {
    expect(commandNameOf(placeIn(join('clone', 'node_modules', '.bin')))).toBe('npx pilothouse');
  });

  it('is run through npx where there is none, or none that can be run', () => {
    expect(commandNameOf(placeIn('bin', 0o644))).toBe('npx pilothouse');
    expect(commandNameOf('/nowhere')).toBe('npx pilothouse');
    expect(commandNameOf('')).toBe('npx pilothouse');
    expect(commandNameOf(undefined)).toBe('npx pilothouse');
  });

  it('as it is named in this clone can really be run in it', () => {
    const ran = spawnSync('npx', ['pilothouse', 'link', '--help'], {
      encoding: 'utf8',
    });
    expect(ran.stderr).toBe('');
    expect(ran.stdout).toMatch(/^Usage: (npx )?pilothouse link/);
  });
});
