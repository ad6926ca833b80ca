import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { EXIT } from '../../../../runner/failure.ts';
import { approveCheck, readApprovedChecks } from '../../../../runner/limits/approved-checks.ts';
import { runCommand } from '../../../support/command-line.ts';
import { aRepository } from '../../guard/repositories.ts';

let home: string;
beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), 'checks-')));
});
afterEach(() => rmSync(home, { recursive: true }));

const run = (...args: string[]) =>
  runCommand(['checks', ...args], { PILOTHOUSE_LIMITS: join(home, 'limits.toml') });
const approved = () => readApprovedChecks(join(home, 'approved-checks.json'));
function checklist(...checks: string[]): string {
  const path = join(home, 'checklist.json');
  writeFileSync(path, JSON.stringify({ steps: checks.map((check) => ({ title: check, check })) }));
  return path;
}
const approve = (file: string, ...args: string[]) =>
  run('approve', file, '--dir', home, '--yes', ...args);

describe('pilothouse checks approve', () => {
  it('lets each line of a checklist run once, in the directory that was named', async () => {
    const { exitCode, stdout } = await approve(checklist('npm test', 'npm run lint', 'npm test'));
    expect(exitCode).toBe(EXIT.ok);
    expect(stdout).toBe(`Approved in ${home}:\n  npm test\n  npm run lint\n`);
    expect(approved().map(({ command, directory }) => [command, directory])).toEqual([
      ['npm test', home],
      ['npm run lint', home],
    ]);
  });

  it('counts for the whole repository that a directory is in', async () => {
    const top = aRepository();
    mkdirSync(join(top, 'packages', 'one'), { recursive: true });
    const directory = join(top, 'packages', 'one');
    const { stdout } = await run(
      'approve',
      checklist('npm test'),
      '--dir',
      directory,
      '--yes',
      '--json',
    );
    expect(JSON.parse(stdout)).toEqual({ directory: top, approved: ['npm test'] });
  });

  it('keeps what was approved before, with the day of the first time', async () => {
    await approve(checklist('npm test'));
    const [first] = approved();
    await approve(checklist('npm run lint', 'npm test'));
    expect(approved()).toEqual([first, expect.objectContaining({ command: 'npm run lint' })]);
  });

  it('shows what a terminal would act on, instead of hiding a part of what is agreed to', async () => {
    const { stdout } = await approve(checklist('npm test # \u001b[2K\u202eevil'));
    expect(stdout).toBe(`Approved in ${home}:\n  npm test # \\u{1b}[2K\\u{202e}evil\n`);
    const sha256 = approved()[0]?.sha256 ?? '';
    expect((await run('withdraw', sha256)).stdout).toContain('npm test # \\u{1b}[2K');
  });

  it('asks nobody where nobody can be asked, and approves nothing', async () => {
    const refused = await run('approve', checklist('npm test'), '--dir', home);
    expect([refused.exitCode, refused.stderr]).toEqual([
      EXIT.usage,
      expect.stringContaining('approve them with --yes'),
    ]);
    expect(approved()).toEqual([]);
  });

  it.each([
    [
      'a directory that is not there',
      () => [checklist('npm test'), '--dir', join(home, 'none')],
      '--dir',
    ],
    ['a file that is not there', () => [join(home, 'none.yaml')], 'is no checklist'],
    ['a checklist without steps', () => [checklist()], 'steps'],
  ])('refuses %s as wrong usage', async (_, args, words) => {
    const { exitCode, stderr } = await run('approve', ...args(), '--yes');
    expect([exitCode, stderr]).toEqual([EXIT.usage, expect.stringContaining(words)]);
    expect(approved()).toEqual([]);
  });
});

describe('pilothouse checks list', () => {
  it('shows each with the hash that takes it back, and says so where there is none', async () => {
    expect((await run('list')).stdout).toBe('No check is approved on this machine.\n');
    await approve(checklist('npm test'));
    const [check] = approved();
    const { stdout } = await run('list');
    expect(stdout).toContain(check?.sha256.slice(0, 12));
    expect(stdout).toContain(check?.approvedAt.slice(0, 10));
    expect(JSON.parse((await run('list', '--json')).stdout)).toEqual({ items: [check] });
  });

  it('keeps a line in its place, whatever is in it', async () => {
    const command = `echo '\u001b[2J'\nrm -r x`;
    approveCheck(join(home, 'approved-checks.json'), { command, directory: home }, 0);
    const { stdout } = await run('list');
    expect(stdout).not.toContain('\u001b');
    expect(stdout.trim().split('\n')).toHaveLength(2);
  });

  it('does not read a file that anybody may have written as an approval', async () => {
    writeFileSync(join(home, 'approved-checks.json'), '{"approved":[{"command":"npm test"}]}');
    const { exitCode, stderr } = await run('list');
    expect(exitCode).not.toBe(EXIT.ok);
    expect(stderr).toContain('pilothouse checks approve');
  });
});

describe('pilothouse checks withdraw', () => {
  const hashOf = (command: string) =>
    approved().find((each) => each.command === command)?.sha256 ?? '';

  it('takes one back by the beginning of its hash, in capitals too', async () => {
    await approve(checklist('npm test', 'npm run lint'));
    const hash = hashOf('npm test').slice(0, 12).toUpperCase();
    const { exitCode, stdout } = await run('withdraw', hash);
    expect([exitCode, stdout]).toEqual([EXIT.ok, 'No longer approved: npm test\n']);
    expect(approved().map(({ command }) => command)).toEqual(['npm run lint']);
  });

  it.each([
    ['a beginning that several may have', (hash: string) => hash.slice(0, 11)],
    ['nothing', () => ''],
    ['another hash', () => 'f'.repeat(64)],
  ])('refuses %s, and takes nothing back', async (_, of) => {
    await approve(checklist('npm test'));
    const before = readFileSync(join(home, 'approved-checks.json'), 'utf8');
    const { exitCode, stderr } = await run('withdraw', of(hashOf('npm test')));
    expect([exitCode, stderr]).toEqual([EXIT.refused, expect.stringContaining('checks list')]);
    expect(readFileSync(join(home, 'approved-checks.json'), 'utf8')).toBe(before);
  });
});
