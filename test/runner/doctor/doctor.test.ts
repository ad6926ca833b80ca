import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { doctorReport, type DoctorFinding } from '../../../protocol/machine.ts';
import { environmentFor, runPilothouse } from '../../support/installation.ts';
import { temporaryDirectory } from '../host/temporary.ts';

/** What the doctor says, as a program reads it. */
async function examine(env: NodeJS.ProcessEnv) {
  const { exitCode, stdout } = await runPilothouse(['runner', 'doctor', '--json'], env);
  const { findings } = doctorReport.parse(JSON.parse(stdout));
  const of = (check: string): DoctorFinding | undefined =>
    findings.find((found) => found.check === check);
  return { exitCode, findings, of };
}

describe('pilothouse runner doctor', () => {
  it('finds a machine fit on which the rehearsal is the only engine', async () => {
    const { exitCode, of } = await examine(environmentFor(temporaryDirectory()));
    expect(exitCode).toBe(0);
    for (const check of ['system', 'git', 'data', 'limits', 'link', 'engine rehearsal']) {
      expect({ check, status: of(check)?.status }).toEqual({ check, status: 'ok' });
    }
    expect(of('engine claude')?.remedy).toMatch(/install/i);
  });

  it('ends with 1 and names the line of limits that cannot be read', async () => {
    const home = temporaryDirectory();
    mkdirSync(join(home, '.config', 'pilothouse'), { recursive: true });
    writeFileSync(
      join(home, '.config', 'pilothouse', 'limits.toml'),
      'bypass = false\nengines = [',
    );
    const { exitCode, of } = await examine(environmentFor(home));
    expect(exitCode).toBe(1);
    expect(of('limits')).toMatchObject({
      status: 'problem',
      message: expect.stringMatching(/limits\.toml, line \d/),
    });
  });

  it('says that the server it works for is silent', async () => {
    const env = { ...environmentFor(temporaryDirectory()), PILOTHOUSE_URL: 'http://127.0.0.1:1' };
    const { exitCode, of } = await examine(env);
    expect(exitCode).toBe(1);
    expect(of('link')?.message).toMatch(/^http:\/\/127\.0\.0\.1:1 does not answer/);
  });

  it('says that git is missing', async () => {
    const env = { ...environmentFor(temporaryDirectory()), PATH: '/nowhere' };
    const { exitCode, of } = await examine(env);
    expect(exitCode).toBe(1);
    expect(of('git')?.message).toMatch(/not installed/);
  });

  it('names the file of an engine whose secrets it cannot know, and stops nothing for it', async () => {
    const home = temporaryDirectory();
    mkdirSync(join(home, '.codex'));
    symlinkSync('auth.json', join(home, '.codex', 'auth.json'));
    const { exitCode, of } = await examine(environmentFor(home));
    expect(exitCode).toBe(0);
    expect(of('secrets')).toMatchObject({
      status: 'warning',
      message: expect.stringContaining(`${join(home, '.codex', 'auth.json')} (ELOOP)`),
    });
  });

  it('never tells the value of a secret', async () => {
    const canary = 'sk-ant-canary-0123456789';
    const env = { ...environmentFor(temporaryDirectory()), ANTHROPIC_API_KEY: canary };
    const { stdout, stderr } = await runPilothouse(['runner', 'doctor', '--json'], env);
    expect(stdout.length).toBeGreaterThan(100);
    expect(stdout + stderr).not.toContain(canary);
  });
});
