import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  asExports,
  LOAD_SCRIPT,
  openSecretPipe,
} from '../../../../runner/terminal/run/secret-pipe.ts';

const run = promisify(execFile);
let root: string;
beforeEach(() => void (root = mkdtempSync(join(tmpdir(), 'pilothouse-secret-'))));
afterEach(() => rmSync(root, { recursive: true, force: true }));

const load = (path: string, ...argv: string[]) =>
  run('/bin/sh', ['-c', LOAD_SCRIPT, 'sh', path, ...argv], { env: { PATH: process.env['PATH'] } });

describe('a pipe for credentials', () => {
  it('gives a program exactly their values, and is gone before it begins', async () => {
    const value = 'it\'s $HOME `x` "q" \\ \n two';
    const pipe = await openSecretPipe(root, { API_KEY: value, OTHER: 'é✓' });
    expect(statSync(pipe.path).mode & 0o777).toBe(0o600);
    const program = `printf '%s|%s|' "$API_KEY" "$OTHER"; ls ${root}`;
    expect((await load(pipe.path, 'sh', '-c', program)).stdout).toBe(`${value}|é✓|`);
    expect(await pipe.given).toBe(true);
  });

  it('is read once, and nothing runs without it', async () => {
    const pipe = await openSecretPipe(root, { A: 'first' });
    await load(pipe.path, 'true');
    await expect(load(pipe.path, 'sh', '-c', 'echo "[$A]"')).rejects.toMatchObject({ stdout: '' });
    expect(readdirSync(root)).toEqual([]);
  });

  it('goes away where nobody will read it, and whatever befalls it then is nobody’s fault', async () => {
    const pipe = await openSecretPipe(root, { A: 'unread' });
    pipe.drop();
    expect(await pipe.given).toBe(false);
    expect(readdirSync(root)).toEqual([]);
    // One that is gone before anybody came: the rejection is caught, or this process would end.
    const lost = await openSecretPipe(root, { A: 'lost' });
    rmSync(lost.path);
    await expect(lost.given).rejects.toMatchObject({ code: 'ENOENT' });
  });

  it('stands in no argument and no file meanwhile', async () => {
    const pipe = await openSecretPipe(root, { A: 'never-shown' });
    const { stdout } = await run('ps', ['-axww', '-o', 'args=']);
    expect(stdout).not.toContain('never-shown');
    expect(statSync(pipe.path).isFIFO()).toBe(true);
    await load(pipe.path, 'true');
    expect(existsSync(pipe.path)).toBe(false);
  });

  it('takes no name that a shell would read, and no more than it holds', async () => {
    for (const name of ['A B', 'A;x', '$(x)', '', '1A'])
      expect(() => asExports({ [name]: 'x' })).toThrow(RangeError);
    await expect(openSecretPipe(root, { A: 'x'.repeat(40_000) })).rejects.toThrow(RangeError);
    fc.assert(
      fc.property(fc.string(), (value) => {
        expect(asExports({ A: value })).toBe(`export A='${value.replaceAll("'", `'\\''`)}'\n`);
      }),
    );
  });
});
