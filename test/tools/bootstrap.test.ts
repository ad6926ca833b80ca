import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';

/** The bootstrap is plain JavaScript for any Node from 20 on: imported by path, without types. */
const INSTALL: string = '../../tools/bootstrap/install.mjs';
const ARGUMENTS: string = '../../tools/bootstrap/arguments.mjs';
const install: { refusalOf(platform: string, version: string): string | null; NODE: string } =
  await import(INSTALL);
type Meant = { args: string[] } | { refusal: string };
const npm: { argumentsFromNpm(env: Record<string, string>, rest: readonly string[]): Meant } =
  await import(ARGUMENTS);

describe('a machine', () => {
  it('with Linux or macOS and Node 20 is good enough', () => {
    expect(install.refusalOf('linux', '20.0.0')).toBeNull();
    expect(install.refusalOf('darwin', '26.1.0')).toBeNull();
  });
  it('with Windows is told about WSL2', () => {
    expect(install.refusalOf('win32', '24.0.0')).toContain('WSL2');
  });
  it('with an older Node is told which one it needs', () => {
    expect(install.refusalOf('linux', '18.20.0')).toMatch(/needs Node 20 or newer.*18\.20\.0/);
  });
});

describe('npm start', () => {
  it('passes on what stands after two dashes', () => {
    expect(npm.argumentsFromNpm({}, ['--port', '9000'])).toEqual({ args: ['--port', '9000'] });
  });
  it('understands options that npm took for its own', () => {
    const env = { npm_config_port: '9000', npm_config_data: '/home/dev/data' };
    expect(npm.argumentsFromNpm(env, [])).toEqual({
      args: ['--port', '9000', '--data', '/home/dev/data'],
    });
  });
  it('understands an option whose value npm passed on apart from it', () => {
    expect(npm.argumentsFromNpm({ npm_config_port: 'true' }, ['9000'])).toEqual({
      args: ['--port', '9000'],
    });
  });
  it('understands an option without a value', () => {
    expect(npm.argumentsFromNpm({ npm_config_host: 'true' }, [])).toEqual({ args: ['--host'] });
  });
  it('understands --no-runner, which npm turns into an empty value', () => {
    expect(npm.argumentsFromNpm({ npm_config_runner: '' }, [])).toEqual({
      args: ['--no-runner'],
    });
  });
  it('refuses to guess which of two values belongs to which option', () => {
    const env = { npm_config_port: 'true', npm_config_data: 'true' };
    expect(npm.argumentsFromNpm(env, ['9000', '/home/dev'])).toHaveProperty('refusal');
  });
  it('adds nothing of its own', () => {
    expect(npm.argumentsFromNpm({ npm_config_loglevel: 'silent' }, [])).toEqual({ args: [] });
  });
});

describe('the pinned Node', () => {
  it('is 24, whatever Node the machine has', () => {
    const version = spawnSync(install.NODE, ['--version'], { encoding: 'utf8' }).stdout;
    expect(version).toMatch(/^v24\./);
  });
});

describe('a clone in a directory with a space in its name', () => {
  const top = mkdtempSync(join(tmpdir(), 'pilot house-'));
  afterAll(() => rmSync(top, { recursive: true, force: true }));

  /** The real scripts around an entry that tells its arguments and ends as asked. */
  function place(entry: string): void {
    mkdirSync(join(top, 'runner'), { recursive: true });
    mkdirSync(join(top, 'node_modules', '.bin'), { recursive: true });
    cpSync('tools/bootstrap', join(top, 'tools', 'bootstrap'), { recursive: true });
    cpSync('package-lock.json', join(top, 'package-lock.json'));
    writeFileSync(join(top, 'runner', 'main.ts'), entry);
    const node = join(top, 'node_modules', '.bin', 'node');
    rmSync(node, { force: true });
    symlinkSync(process.execPath, node);
    const stamp = spawnSync(
      process.execPath,
      ['--input-type=module', '-e', `${STAMP_OF} console.log(stampOf());`],
      { cwd: top, encoding: 'utf8' },
    );
    writeFileSync(join(top, 'node_modules', '.pilothouse-install'), stamp.stdout.trim());
  }
  const STAMP_OF = "import { stampOf } from './tools/bootstrap/install.mjs';";
  const start = (...args: string[]) =>
    spawnSync(process.execPath, [join(top, 'tools', 'bootstrap', 'start.mjs'), ...args], {
      encoding: 'utf8',
    });

  it('starts all the same, with the arguments it was given', () => {
    place('console.log(JSON.stringify(process.argv.slice(2)));');
    expect(start('--port', '9000').stdout).toBe('["up","--port","9000"]\n');
  });
  it('ends with the exit code of the product', () => {
    place('process.exit(7);');
    expect(start().status).toBe(7);
  });
  it('ends with the number of the signal that ended the product', () => {
    place("process.kill(process.pid, 'SIGKILL');");
    expect(start().status).toBe(137);
  });
});
