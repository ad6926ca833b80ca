import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { createRehearsalRepository } from '../../../../runner/engines/rehearsal/repository.ts';
import { aDirectory, rehearse } from './rehearse.ts';

const git = (directory: string, ...args: string[]) =>
  execFileSync('git', ['-C', directory, ...args], { encoding: 'utf8' }).trim();

async function aScratchRepository(): Promise<string> {
  const directory = join(await aDirectory(), 'repository');
  await createRehearsalRepository(directory);
  return directory;
}

describe('the scratch repository', () => {
  test('is one commit on main, pushed to a bare remote beside it', async () => {
    const directory = await aScratchRepository();
    expect(git(directory, 'status', '--porcelain')).toBe('');
    expect(git(directory, 'rev-list', '--count', 'main')).toBe('1');
    expect(git(`${directory}.git`, 'rev-parse', 'main')).toBe(git(directory, 'rev-parse', 'main'));
  });

  test('has a test that fails', async () => {
    const directory = await aScratchRepository();
    expect(() =>
      execFileSync(process.execPath, ['--test'], { cwd: directory, stdio: 'ignore' }),
    ).toThrow('Command failed');
  });
});

describe('the rehearsal that a person sees', () => {
  let directory: string;
  let run: Awaited<ReturnType<typeof rehearse>>;
  beforeAll(async () => {
    directory = await aScratchRepository();
    run = await rehearse({
      directory,
      instructions: ['Repair it', 'And now?'],
      answer: () => ({ decision: 'allow' }),
    });
  });

  test('repairs the project for real', () => {
    execFileSync(process.execPath, ['--test'], { cwd: directory, stdio: 'ignore' });
    expect(git(directory, 'rev-list', '--count', 'main')).toBe('2');
  });

  test('shows the repair as a diff', () => {
    const [file] = run.of('tool/ended').flatMap((event) => event.files);
    expect(file).toMatchObject({ change: 'edited', additions: 1, deletions: 1 });
    expect(file?.patch.text).toContain(
      '-  return sum / (readings.length + 1);\n+  return sum / readings.length;',
    );
  });

  test('asks once, for the push, as a push', () => {
    expect(run.of('approval/requested').map((event) => event.request.acts)).toEqual([['push']]);
    expect(run.of('approval/resolved').map((event) => event.resolution)).toEqual(['allowed']);
  });

  test('really pushes, and the act is done', () => {
    expect(git(`${directory}.git`, 'rev-parse', 'main')).toBe(git(directory, 'rev-parse', 'main'));
    expect(run.of('act/seen').map((event) => [event.act.kind, event.act.target])).toEqual([
      ['push', 'origin HEAD'],
    ]);
    expect(run.of('act/ended').map((event) => event.outcome)).toEqual(['done']);
  });

  test('ends both turns well, and exits when its input ends', () => {
    expect(run.of('turn/ended').map((event) => event.outcome)).toEqual(['ok', 'ok']);
    expect(run.exitCode).toBe(0);
  });

  test('labels its usage as rehearsal, paid by nobody known', () => {
    const entries = run.of('usage/recorded').flatMap((event) => event.entries);
    expect(new Set(entries.map((entry) => `${entry.provenance} ${entry.payer}`))).toEqual(
      new Set(['rehearsal unknown']),
    );
    expect(entries.map((entry) => entry.microUsd)).toEqual([18_400, 3_100]);
  });

  test('streams its words before it completes them', () => {
    const [completed] = run.of('text/completed').filter((event) => event.kind === 'answer');
    const pieces = run.items.flatMap((item) =>
      item.kind === 'delta' && item.delta.blockId === completed?.blockId ? [item.delta.text] : [],
    );
    expect(pieces.length).toBeGreaterThan(3);
    expect(pieces.join('')).toBe(completed?.text.text);
  });
});

describe('other ways that it goes', () => {
  test('denied: nothing is pushed, and it says so', async () => {
    const directory = await aScratchRepository();
    const run = await rehearse({
      directory,
      answer: () => ({ decision: 'deny', message: 'not yet' }),
    });
    expect(git(`${directory}.git`, 'rev-list', '--count', 'main')).toBe('1');
    expect(run.of('act/ended').map((event) => event.outcome)).toEqual(['not_done']);
    expect(run.of('text/completed').at(-1)?.text.text).toContain('unpushed');
  });

  test('in bypass it asks nothing', async () => {
    const run = await rehearse({ directory: await aScratchRepository(), approvals: 'bypass' });
    expect(run.of('approval/requested')).toEqual([]);
    expect(run.of('act/ended').map((event) => event.outcome)).toEqual(['done']);
  });

  test('in somebody’s own repository it pushes nothing and asks before it writes', async () => {
    const directory = await aDirectory();
    git(directory, 'init', '--quiet');
    const run = await rehearse({ directory, answer: () => ({ decision: 'deny' }) });
    expect(run.of('approval/requested').map((event) => event.request.toolName)).toEqual(['Write']);
    expect(run.of('act/seen')).toEqual([]);
    expect(existsSync(join(directory, 'REHEARSAL.md'))).toBe(false);
  });

  test('a conversation goes on by its id in another process, with its figures', async () => {
    const directory = await aDirectory();
    const script = {
      turns: [
        [
          { do: 'text', text: 'one' },
          { do: 'usage', costUsd: 0.5 },
        ],
        [
          { do: 'text', text: 'two' },
          { do: 'usage', costUsd: 0.25 },
        ],
      ],
    } as const;
    const first = await rehearse({ directory, script: structuredClone(script) as never });
    const second = await rehearse({
      directory,
      data: first.data,
      resume: true,
      script: structuredClone(script) as never,
    });
    expect(second.of('text/completed').map((event) => event.text.text)).toEqual(['two']);
    expect(
      second.of('usage/recorded').flatMap((event) => event.entries.map((entry) => entry.microUsd)),
    ).toEqual([250_000]);
  });

  test('a conversation whose first turn was killed can be resumed', async () => {
    const crash = { turns: [[{ do: 'crash', signal: 'SIGKILL' }]] } as const;
    const first = await rehearse({ script: structuredClone(crash) as never });
    expect(first.of('turn/ended')[0]?.outcome).toBe('killed');
    const again = { turns: [[{ do: 'text', text: 'again' }]] } as const;
    const second = await rehearse({
      data: first.data,
      resume: true,
      script: structuredClone(again) as never,
    });
    expect(second.of('turn/ended')[0]?.outcome).toBe('ok');
  });

  test('an unknown id is refused', async () => {
    const run = await rehearse({ resume: true });
    expect(run.exitCode).toBe(1);
    expect(run.stderr.join()).toContain('No conversation found');
    expect(run.of('turn/started')).toEqual([]);
  });

  test('keeps its conversations where only their owner reads them', async () => {
    const run = await rehearse({ script: { turns: [[{ do: 'text', text: 'x' }]] } });
    const file = join(
      run.data,
      'runner',
      'rehearsal-conversations',
      '22222222-2222-4222-8222-222222222222.json',
    );
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ turns: 1 });
  });
});
