import { execFileSync } from 'node:child_process';
import { chmodSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { runCheck } from '../../../../tools/adr/check/run-check.ts';
import { formatReport } from '../../../../tools/adr/formats/index.ts';
import {
  RECORD_PATH,
  type Repository,
  makeRepository,
  problemsOf,
  recordText,
} from '../../../support/decision-repository.ts';

let repository: Repository;
afterEach(() => repository.dispose());

const LOOK = { color: false, width: 200 };
const SECOND = 'docs/adr/0002-another.md';
const begin = (text = recordText()): Repository => makeRepository({ [RECORD_PATH]: text });

describe('an accepted record', () => {
  it('is clean as it was accepted', async () => {
    repository = begin();
    const report = await repository.check();
    expect(problemsOf(report)).toEqual([]);
    expect(report.exitCode).toBe(0);
  });

  it('keeps its words, before a change is committed and after it', async () => {
    repository = begin();
    repository.write({ [RECORD_PATH]: recordText({ body: 'We do it differently.' }) });
    const before = await repository.check();
    expect(problemsOf(before)[0]).toMatch(/not what was accepted in [0-9a-f]{9}\./);
    expect(before.exitCode).toBe(1);
    repository.commit();
    expect(problemsOf(await repository.check())).toHaveLength(1);
  });

  it('may be worded freely until it is accepted', async () => {
    repository = begin(recordText({ status: 'proposed', body: 'Perhaps.' }));
    repository.write({ [RECORD_PATH]: recordText({ body: 'We do it.' }) });
    repository.commit();
    repository.write({ [RECORD_PATH]: recordText({ status: 'deprecated', body: 'We do it.' }) });
    expect(problemsOf(await repository.check())).toEqual([]);
  });

  it('may get rules and waivers', async () => {
    repository = begin();
    const front = 'enforcement:\n  - { id: a, kind: advisory, reason: It is so decided. }';
    repository.write({ [RECORD_PATH]: recordText({ front }) });
    expect(problemsOf(await repository.check())).toEqual([]);
  });

  it('is never a proposal again', async () => {
    repository = begin();
    repository.write({ [RECORD_PATH]: recordText({ status: 'proposed' }) });
    expect(problemsOf(await repository.check())[0]).toMatch(
      /from accepted to proposed \(the work tree\)/,
    );
  });

  it('stays under another name of its file, words and number', async () => {
    repository = begin();
    repository.git('mv', RECORD_PATH, 'docs/adr/0001-renamed.md');
    repository.commit();
    expect(problemsOf(await repository.check())).toEqual([]);
    repository.write({ 'docs/adr/0001-renamed.md': recordText({ body: 'No.' }) });
    expect(problemsOf(await repository.check())[0]).toMatch(/not what was accepted/);
  });

  it('cannot be removed', async () => {
    repository = makeRepository({
      [RECORD_PATH]: recordText(),
      [SECOND]: recordText({ number: 2, title: 'Another' }),
    });
    repository.remove(SECOND);
    repository.commit();
    const report = await repository.check();
    expect(problemsOf(report)[0]).toMatch(/0002-another\.md was a decision and is gone/);
    expect(report.exitCode).toBe(1);
  });

  it('leaves its number to no other', async () => {
    repository = makeRepository({
      [RECORD_PATH]: recordText(),
      [SECOND]: recordText({ number: 2, title: 'Another', body: 'Long text. '.repeat(30) }),
    });
    repository.remove(SECOND);
    repository.commit();
    repository.write({ 'docs/adr/0002-new.md': recordText({ number: 2, title: 'New' }) });
    expect(problemsOf(await repository.check())[0]).toMatch(
      /number 0002 belonged to .*0002-another/,
    );
    repository.commit();
    expect(problemsOf(await repository.check())[0]).toMatch(/number 0002 belonged to/);
  });

  it('is not replaced by a file of another name in the same commit', async () => {
    repository = begin();
    repository.remove(RECORD_PATH);
    const text = recordText({ title: 'Quite another', body: 'Other words. '.repeat(40) });
    repository.write({ 'docs/adr/0001-quite-another.md': text });
    repository.commit();
    expect(problemsOf(await repository.check())[0]).toMatch(/not what was accepted/);
  });
});

describe('an accepted record that somebody rewrites', () => {
  const rewritten = recordText({ body: 'Or not.' });
  const side = (): void => {
    repository.git('checkout', '-q', '-b', 'side');
    repository.write({ 'a.txt': 'a' });
    repository.commit();
    repository.git('checkout', '-q', 'main');
    repository.write({ 'b.txt': 'b' });
    repository.commit();
  };
  const told = async () => problemsOf(await repository.check()).join('\n');

  it('in a merge alone is told', async () => {
    repository = begin();
    side();
    repository.git('merge', '-q', '--no-ff', '--no-commit', 'side');
    repository.write({ [RECORD_PATH]: rewritten });
    repository.commit('Merge');
    expect(await told()).toMatch(/not what was accepted/);
  });

  it('on a branch that never saw it accepted, which then wins the merge, is told', async () => {
    repository = begin(recordText({ status: 'proposed' }));
    repository.git('checkout', '-q', '-b', 'side');
    repository.write({ [RECORD_PATH]: rewritten });
    repository.commit();
    repository.git('checkout', '-q', 'main');
    repository.write({ [RECORD_PATH]: recordText() });
    repository.commit();
    repository.git('checkout', '-q', 'side');
    repository.git('merge', '-q', '-s', 'ours', 'main', '-m', 'Merge');
    expect(await told()).toMatch(/not what was accepted/);
  });

  it('while its directory moves is told, however often it moves', async () => {
    repository = begin();
    repository.write({
      '.adr.json': '{ "directory": "docs/records" }',
      'docs/records/0001-a-decision.md': rewritten,
    });
    repository.remove(RECORD_PATH);
    repository.commit();
    expect(await told()).toMatch(/not what was accepted/);
    repository.git('mv', 'docs/records', 'docs/laws');
    repository.write({ '.adr.json': '{ "directory": "docs/laws" }' });
    repository.commit();
    expect(await told()).toMatch(/not what was accepted/);
  });

  it('in a copy of its directory that takes the place is told', async () => {
    repository = begin();
    repository.write({
      '.adr.json': '{ "directory": "docs/records" }',
      'docs/records/0001-a-decision.md': rewritten,
    });
    repository.commit();
    expect(await told()).toMatch(/not what was accepted/);
  });

  it('while the directory around everything moves is told', async () => {
    repository = makeRepository({ 'sub/.adr.json': '{}', [`sub/${RECORD_PATH}`]: recordText() });
    repository.git('mv', 'sub', 'below');
    repository.write({ [`below/${RECORD_PATH}`]: rewritten });
    repository.commit();
    const report = await repository.check({ directory: join(repository.root, 'below') });
    expect(problemsOf(report)[0]).toMatch(/not what was accepted/);
  });

  it('while its file gets another name or another number is told', async () => {
    repository = begin();
    repository.remove(RECORD_PATH);
    repository.write({ 'docs/adr/0001-other.md': rewritten });
    repository.commit();
    expect(await told()).toMatch(/not what was accepted/);
    repository.git('mv', 'docs/adr/0001-other.md', 'docs/adr/0002-other.md');
    repository.commit();
    expect(await told()).toMatch(/was a decision and is gone/);
  });

  it('beside a baseline that stands after its acceptance is told', async () => {
    repository = begin();
    const baseline = repository.git('rev-parse', 'HEAD');
    repository.write({ '.adr.json': JSON.stringify({ baseline }), [RECORD_PATH]: rewritten });
    repository.commit();
    expect(await told()).toMatch(/not what was accepted/);
  });

  it('and then puts its words back has done nothing', async () => {
    repository = begin();
    repository.git('mv', RECORD_PATH, 'docs/adr/0001-moved.md');
    repository.write({ 'docs/adr/0001-moved.md': rewritten });
    repository.commit();
    repository.write({ 'docs/adr/0001-moved.md': recordText({ status: 'proposed' }) });
    repository.commit();
    repository.write({ 'docs/adr/0001-moved.md': recordText() });
    repository.commit();
    expect(await told()).toBe('');
  });

  it('on two branches in the same words is one record', async () => {
    repository = begin(recordText({ status: 'proposed', body: 'Perhaps.' }));
    repository.git('branch', 'side');
    for (const branch of ['main', 'side']) {
      repository.git('checkout', '-q', branch);
      repository.write({ [RECORD_PATH]: recordText(), [`${branch}.txt`]: branch });
      repository.commit();
    }
    repository.git('checkout', '-q', 'main');
    repository.git('merge', '-q', 'side', '-m', 'Merge');
    expect(await told()).toBe('');
  });
});

describe('a merge', () => {
  it('that is itself where a record is accepted is told of when its words change', async () => {
    repository = begin(recordText({ status: 'proposed', body: 'Perhaps.' }));
    repository.git('checkout', '-q', '-b', 'side');
    repository.write({ 'side.txt': 'side' });
    repository.commit();
    repository.git('checkout', '-q', 'main');
    repository.write({ 'main.txt': 'main' });
    repository.commit();
    repository.git('merge', '-q', '--no-commit', 'side');
    repository.write({ [RECORD_PATH]: recordText() });
    repository.commit('Merge');
    expect(problemsOf(await repository.check())).toEqual([]);
    repository.write({ [RECORD_PATH]: recordText({ body: 'No.' }) });
    repository.commit();
    expect(problemsOf(await repository.check())[0]).toMatch(/not what was accepted/);
  });
});

describe('a proposal', () => {
  it('may be withdrawn, and its number given to another', async () => {
    repository = makeRepository({
      [RECORD_PATH]: recordText(),
      [SECOND]: recordText({ number: 2, title: 'Another', status: 'proposed' }),
    });
    repository.remove(SECOND);
    repository.commit();
    repository.write({ 'docs/adr/0002-new.md': recordText({ number: 2, title: 'New' }) });
    expect(problemsOf(await repository.check())).toEqual([]);
  });
});

describe('the history', () => {
  it('that was rewritten looks like a short one, and every report says how short', async () => {
    repository = begin();
    repository.write({ [RECORD_PATH]: recordText({ status: 'deprecated' }) });
    const last = repository.commit();
    const first = repository.git('rev-parse', 'HEAD~1');
    expect((await repository.check()).history).toEqual({ commits: 2, first });
    repository.git('checkout', '-q', '--orphan', 'again');
    repository.write({ [RECORD_PATH]: recordText({ body: 'We never did it.' }) });
    const unborn = await repository.check();
    expect(unborn.history).toEqual({ commits: 0, first: null });
    expect(formatReport(unborn, 'terminal', LOOK)).toMatch(/no history to compare them with/);
    const only = repository.commit();
    const rewritten = await repository.check();
    expect(rewritten.history).toEqual({ commits: 1, first: only });
    expect(formatReport(rewritten, 'terminal', LOOK)).toContain(
      `compared with 1 commit back to ${only.slice(0, 9)}, the whole tree`,
    );
    repository.write({ '.adr.json': `{ "baseline": "${last}" }` });
    expect(problemsOf(await repository.check()).join()).toMatch(/not what was accepted/);
    repository.write({ '.adr.json': '{ "baseline": "0123456" }' });
    const unknown = await repository.check();
    expect([unknown.exitCode, unknown.history]).toEqual([2, undefined]);
  });

  it('is read by bytes, whatever a record of the past was written in', async () => {
    repository = begin(recordText({ status: 'proposed' }));
    repository.writeBytes(RECORD_PATH, Buffer.from(`${recordText()}\xE9\xE9\xE9`, 'latin1'));
    repository.write({ [SECOND]: recordText({ number: 2, title: 'Another' }) });
    repository.commit();
    repository.write({ [RECORD_PATH]: `${recordText()}\uFFFD\uFFFD\uFFFD` });
    repository.commit();
    expect(problemsOf(await repository.check())).toEqual([]);
  });

  it('costs few starts of git, which are most of the time of a small check', async () => {
    repository = makeRepository({ '.adr.json': '{}', [RECORD_PATH]: recordText() });
    const log = join(repository.root, '.git/starts');
    const bin = join(repository.root, '.git/bin');
    repository.write({ '.git/bin/git': `#!/bin/sh\necho x >>'${log}'\nexec "$REAL_GIT" "$@"\n` });
    chmodSync(join(bin, 'git'), 0o755);
    vi.stubEnv('REAL_GIT', execFileSync('which', ['git'], { encoding: 'utf8' }).trim());
    vi.stubEnv('PATH', `${bin}:${process.env['PATH']}`);
    expect((await repository.check()).exitCode).toBe(0);
    vi.unstubAllEnvs();
    expect(readFileSync(log, 'utf8').trim().split('\n')).toHaveLength(9);
  });

  it('up to a baseline is taken as it is', async () => {
    repository = begin();
    repository.write({ [RECORD_PATH]: recordText({ body: 'Rewritten.' }) });
    const baseline = repository.commit();
    const config = { directory: 'docs/adr', baseline };
    repository.write({ '.adr.json': JSON.stringify(config) });
    expect(problemsOf(await repository.check())).toEqual([]);
  });

  it('that is cut could not be checked, and the sentence says how to get it', async () => {
    repository = begin();
    repository.write({ [RECORD_PATH]: recordText({ front: 'waivers: []' }) });
    repository.commit();
    const shallow = join(repository.root, 'shallow');
    execFileSync('git', ['clone', '-q', '--depth', '1', `file://${repository.root}`, shallow]);
    const report = await runCheck({ directory: shallow });
    expect(report.exitCode).toBe(2);
    expect(problemsOf(report)[0]).toMatch(/git fetch --unshallow/);
  });

  it('of a repository without a commit holds nothing against it', async () => {
    repository = makeRepository();
    repository.write({ [RECORD_PATH]: recordText() });
    const report = await repository.check();
    expect(report).toMatchObject({ exitCode: 0, commit: null });
  });

  it('is found from a directory below the top of a repository', async () => {
    repository = makeRepository({
      'sub/.adr.json': '{}',
      [`sub/${RECORD_PATH}`]: recordText(),
    });
    repository.write({ [`sub/${RECORD_PATH}`]: recordText({ body: 'No.' }) });
    repository.commit();
    const report = await repository.check({ directory: join(repository.root, 'sub') });
    expect(problemsOf(report)[0]).toMatch(/not what was accepted/);
  });
});
