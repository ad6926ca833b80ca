import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DEFAULT_POLICY } from '../../../protocol/merge-policy.ts';
import { describeOverrides } from '../../../runner/cli/policy/preview.ts';
import type { RepositoryLimits } from '../../../runner/limits.ts';
import { EXIT } from '../../../runner/failure.ts';
import { runOn } from '../../support/command-line.ts';
import { aRunner, FakeCloud } from '../../support/fake-cloud.ts';

let cloud: FakeCloud;
beforeEach(async () => {
  cloud = await FakeCloud.listen();
  cloud.runners.push(aRunner('run_1', 'laptop'));
});
afterEach(() => cloud.close());

const policy = (...args: string[]) => runOn(cloud, 'policy', ...args);
const SHOP = ['--directory', '/code/shop'];
const saved = () => cloud.policies.versions[0];
/** A command that must not work, and has to save nothing. */
async function refused(...args: string[]) {
  const { exitCode, stderr } = await policy(...args);
  expect(cloud.policies.versions).toEqual([]);
  expect(exitCode).toBe(EXIT.usage);
  return stderr;
}

describe('the policy that is shown', () => {
  it('is the default in sentences, and that nobody has changed it', async () => {
    const { stdout, exitCode } = await policy('show');
    expect(exitCode).toBe(EXIT.ok);
    expect(stdout).toContain('May open pull requests.\n');
    expect(stdout).toContain('May not push to the default branch.\n');
    expect(stdout).toMatch(/\n\nNobody has changed it\.\n$/);
  });

  it('names each scope that says something, with its version', async () => {
    await policy('set', '--tags', 'ask');
    await policy('set', ...SHOP, '--mode', 'none', '--protect-branch', 'release/*');
    const { stdout } = await policy('show', ...SHOP);
    expect(stdout).toContain('Said by:\n  all launches, version 1: tags ask\n');
    expect(stdout).toContain('/code/shop, version 1: mode none, protectedBranches (1)');
    expect(stdout).toContain('May not open pull requests.');
  });

  it('is the same in JSON', async () => {
    const { stdout } = await policy('show', '--json');
    expect(JSON.parse(stdout)).toMatchObject({ policy: DEFAULT_POLICY, layers: [] });
  });

  it('is of a directory as the shell stands to it', async () => {
    await policy('set', '--directory', 'shop', '--mode', 'none');
    expect(saved()?.scope).toEqual({
      kind: 'repository',
      runnerId: 'run_1',
      directory: resolve('shop'),
    });
  });

  it('of a machine that nobody knows is refused with those that are known', async () => {
    const { exitCode, stderr } = await policy('show', ...SHOP, '--runner', 'nowhere');
    expect(exitCode).toBe(EXIT.refused);
    expect(stderr).toContain('laptop');
  });
});

describe('a policy that is only looked at', () => {
  it('is told in sentences with what changes, and not saved', async () => {
    await policy('set', '--tags', 'ask', '--widen', 'I look');
    const none = ['--mode', 'none', '--protect-branch', 'release/*'];
    const { stdout, exitCode } = await policy('set', '--preview', ...none);
    expect(exitCode).toBe(EXIT.ok);
    expect(stdout).toMatch(/^Would be in force for all launches\. Nothing is saved\.\n\n/);
    expect(stdout).toContain('May not push to the default branch, release/*.\n');
    expect(stdout).toContain('\n- May open pull requests.\n');
    expect(stdout).toContain('\n+ May not open pull requests.\n');
    expect(stdout).not.toContain('- Leaves new tags to a person.');
    expect(stdout).toContain('lets no tags be pushed (push_tags), so that tags ask has no effect');
    expect(cloud.policies.versions).toHaveLength(1);
  });

  it('says which part of it has no effect, and that nothing changes', async () => {
    const { stdout } = await policy('set', '--preview', '--mode', 'merge');
    expect(stdout).toContain('No sentence of what is in force now changes.');
    expect(stdout).toContain('mode stays pr: without a reason');
    expect(stdout).not.toContain('On this machine:');
    expect(cloud.policies.versions).toEqual([]);
  });

  it('is the same in JSON, without what another machine says', async () => {
    const { stdout } = await policy('set', ...SHOP, '--preview', '--force', 'never', '--json');
    expect(JSON.parse(stdout)).toMatchObject({
      saved: false,
      scope: { kind: 'repository', directory: '/code/shop' },
      policy: { force: 'never' },
      added: ['May not rewrite or delete anything that was pushed.'],
      removed: ['May rewrite and delete branches that it made itself.'],
      limits: null,
    });
    expect(cloud.policies.versions).toEqual([]);
  });

  it('is held against what the machine allows for the repository', () => {
    const limits = { protectedBranches: ['release/*'], pushTags: true, mergeAtMost: 'pr' } as const;
    const wide = { ...DEFAULT_POLICY, mode: 'merge', tags: 'ask' } as const;
    const held = { ...limits, protectedBranches: [...limits.protectedBranches] };
    expect(describeOverrides(wide, held as unknown as RepositoryLimits)).toEqual([
      'limits.toml lets the mode be pr at most (merge), so that merge has no effect.',
      'limits.toml lets no session move release/* (protected), whatever the policy says.',
    ]);
    expect(describeOverrides(DEFAULT_POLICY, null)).toEqual([]);
  });
});

describe('a policy that is set', () => {
  it('is the next version, told in sentences', async () => {
    const { stdout, exitCode } = await policy('set', '--mode', 'ask', '--widen', 'I look');
    expect(exitCode).toBe(EXIT.ok);
    expect(stdout).toMatch(/^Saved version 1 of the policy of all launches\.\n\n/);
    expect(stdout).toContain('Leaves each push to the default branch to a person.');
    await policy('set', '--tags', 'new');
    const part = { mode: 'ask', tags: 'new' };
    expect(saved()).toMatchObject({ version: 2, part, widens: 'I look' });
  });

  it('for all launches only tightens too, where no reason is given', async () => {
    const { stdout } = await policy('set', '--mode', 'ask');
    expect(stdout).toContain('mode stays pr: without a reason');
  });

  it('adds to the usual paths and rules, and never takes them away', async () => {
    await policy('set', '--protect-path', 'deploy/**', '--deny-command', 'terraform *');
    const { part } = saved() ?? {};
    expect(part?.protectedPaths).toEqual([...DEFAULT_POLICY.protectedPaths, 'deploy/**']);
    expect(part?.tools?.slice(0, -1)).toEqual(DEFAULT_POLICY.tools);
    expect(part?.tools?.at(-1)).toEqual({
      effect: 'deny',
      on: 'command',
      pattern: 'terraform *',
    });
  });

  it('says what a repository does not get, and how it may', async () => {
    const { stdout } = await policy('set', ...SHOP, '--mode', 'merge', '--tags', 'new');
    expect(stdout).toContain(
      'mode stays pr: without a reason this only tightens what holds already. Say why it may do more: --widen "…"',
    );
    expect(stdout).toContain('tags stays never: without a reason');
    const asJson = await policy('set', ...SHOP, '--mode', 'merge', '--json');
    expect(JSON.parse(asJson.stdout)).toMatchObject({
      version: 2,
      heldBack: ['mode stays pr', 'tags stays never'],
    });
  });

  it('gets it by the reason alone, as it was told to', async () => {
    await policy('set', ...SHOP, '--mode', 'merge');
    const { stdout, exitCode } = await policy('set', ...SHOP, '--widen', 'a toy');
    expect(exitCode).toBe(EXIT.ok);
    expect(stdout).not.toContain('stays');
    expect(saved()).toMatchObject({ part: { mode: 'merge' }, widens: 'a toy' });
    const { stdout: shown } = await policy('show', ...SHOP);
    expect(shown).toContain('mode merge; may say more: a toy');
  });

  it('holds nothing back where it is no more than the wider one', async () => {
    const { stdout } = await policy('set', ...SHOP, '--mode', 'none', '--json');
    expect(JSON.parse(stdout)).toMatchObject({ heldBack: [] });
  });

  it('is replaced as a whole by a file', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'policy-'));
    const file = join(directory, 'policy.json');
    const layer = { part: { tags: 'ask', protectedPaths: ['db/**'] }, widens: 'a toy' };
    writeFileSync(file, JSON.stringify(layer));
    await policy('set', ...SHOP, '--mode', 'none');
    const { exitCode } = await policy('set', ...SHOP, '--file', file);
    expect(exitCode).toBe(EXIT.ok);
    expect(saved()).toMatchObject({ version: 2, ...layer });
    writeFileSync(file, '{"part":{"mode":"yolo"}}');
    const wrong = await policy('set', ...SHOP, '--file', file);
    expect([wrong.exitCode, wrong.stderr]).toEqual([
      EXIT.usage,
      expect.stringMatching(/is no policy: part mode: .*One looks like this/s),
    ]);
    expect(saved()).toMatchObject({ version: 2 });
    rmSync(directory, { recursive: true });
  });

  it('is taken back as a whole, and its reason with it', async () => {
    await policy('set', ...SHOP, '--mode', 'merge', '--widen', 'a toy');
    await policy('set', ...SHOP, '--clear');
    expect(saved()).toMatchObject({ version: 2, part: {}, widens: null });
  });
});

describe('what is no policy', () => {
  it('is nothing at all', async () => {
    expect(await refused('set')).toContain('Name what to change, such as --mode none.');
  });

  it.each([
    [['--mode', 'yolo'], 'Allowed choices are none, pr, ask, merge.'],
    [['--tags', 'all'], 'Allowed choices are never, ask, new.'],
    [['--force', 'yes'], 'Allowed choices are never, own.'],
    [['--protect-branch', '!main'], 'This is no policy: protectedBranches 0: must be a plain glob'],
    [['--protect-path', ' x'], 'must be a plain glob'],
    [['--deny-command', ''], 'This is no policy: tools'],
    [['--file', 'x', '--mode', 'none'], '--file says all of it, so it stands alone'],
    [['--file', '/nowhere/policy.json'], '/nowhere/policy.json is no policy: ENOENT'],
    [['--clear', '--mode', 'none'], 'it stands alone'],
    [['--clear', '--widen', 'why'], 'it stands alone'],
    [['--mode', 'merge', '--widen', ''], 'Give a reason in words, in quotes.'],
    [['--mode', 'merge', '--widen', '--clear'], 'Give a reason in words, in quotes.'],
  ])('is %j', async (args, sentence) => {
    expect(await refused('set', ...args)).toContain(sentence);
  });

  it('is said as JSON to a program', async () => {
    const { stdout, exitCode } = await policy('set', '--mode', 'yolo', '--json');
    expect(exitCode).toBe(EXIT.usage);
    expect(JSON.parse(stdout)).toMatchObject({ error: { code: 'usage' } });
  });
});

describe('the history of a policy', () => {
  it('is nothing where nobody has changed it', async () => {
    expect((await policy('history')).stdout).toBe('Nobody has changed it.\n');
    expect(JSON.parse((await policy('history', '--json')).stdout)).toEqual({ items: [] });
  });

  it('has the newest first, of the scope that is named', async () => {
    await policy('set', '--mode', 'none');
    await policy('set', '--mode', 'ask');
    await policy('set', ...SHOP, '--tags', 'ask');
    const { stdout } = await policy('history');
    const [head, ...rows] = stdout.trimEnd().split('\n');
    expect(head).toMatch(/^VERSION +WHEN +BY +SAYS$/);
    expect(rows.map((row) => row.replace(/ +/g, ' '))).toEqual([
      expect.stringMatching(/^2 .* console mode ask$/),
      expect.stringMatching(/^1 .* console mode none$/),
    ]);
    expect((await policy('history', ...SHOP)).stdout).toContain('tags ask');
  });

  it('says in its help how to name a scope', async () => {
    const { stdout, exitCode } = await policy('history', '--help');
    expect(exitCode).toBe(EXIT.ok);
    expect(stdout).toContain('pilothouse policy history --directory ~/code/shop --json');
  });
});
