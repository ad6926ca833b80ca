import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';

/** The bootstrap is plain JavaScript for any Node from 20 on: imported by path, without types. */
const install: { refusalOf(platform: string, version: string): string | null; NODE: string } =
  await import('../../tools/bootstrap/install.mjs' as string);
type Meant = { args: string[] } | { refusal: string };
const start: { argumentsFromNpm(env: Record<string, string>, rest: readonly string[]): Meant } =
  await import('../../tools/bootstrap/start.mjs' as string);

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
    expect(start.argumentsFromNpm({}, ['--port', '9000'])).toEqual({ args: ['--port', '9000'] });
  });
  it('understands options that npm took for its own', () => {
    const env = { npm_config_port: '9000', npm_config_data: '/home/dev/data' };
    expect(start.argumentsFromNpm(env, [])).toEqual({
      args: ['--port', '9000', '--data', '/home/dev/data'],
    });
  });
  it('understands an option whose value npm passed on apart from it', () => {
    expect(start.argumentsFromNpm({ npm_config_port: 'true' }, ['9000'])).toEqual({
      args: ['--port', '9000'],
    });
  });
  it('understands an option without a value', () => {
    expect(start.argumentsFromNpm({ npm_config_host: 'true' }, [])).toEqual({ args: ['--host'] });
  });
  it('understands --no-runner, which npm turns into an empty value', () => {
    expect(start.argumentsFromNpm({ npm_config_runner: '' }, [])).toEqual({
      args: ['--no-runner'],
    });
  });
  it('refuses to guess which of two values belongs to which option', () => {
    const env = { npm_config_port: 'true', npm_config_data: 'true' };
    expect(start.argumentsFromNpm(env, ['9000', '/home/dev'])).toHaveProperty('refusal');
  });
  it('adds nothing of its own', () => {
    expect(start.argumentsFromNpm({ npm_config_loglevel: 'silent' }, [])).toEqual({ args: [] });
  });
});

describe('the pinned Node', () => {
  it('is 24, whatever Node the machine has', () => {
    const version = spawnSync(install.NODE, ['--version'], { encoding: 'utf8' }).stdout;
    expect(version).toMatch(/^v24\./);
  });
});
