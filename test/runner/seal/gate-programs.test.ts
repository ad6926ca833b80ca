import { spawn } from 'node:child_process';
import { copyFileSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { aDirectory, aRepository } from '../guard/repositories.ts';

const SOURCES = new URL('../../../runner/seal/', import.meta.url);
let repository: string;
beforeAll(() => {
  repository = aRepository();
});
const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

/** A gate that gives its answers in turn, the last to all that it hears from then on, and what it heard. */
async function aGate(...answers: (string | null)[]) {
  const heard: string[] = [];
  const server = createServer((socket) => {
    socket.once('data', (bytes) => {
      heard.push(bytes.toString('utf8'));
      const answer = (answers.length > 1 ? answers.shift() : answers[0]) ?? null;
      if (answer === null) socket.destroy();
      else socket.end(answer);
    });
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { heard, port };
}

/** Runs one of the programs that a session sees, where it is put. */
async function run(
  program: string,
  args: readonly string[],
  {
    cwd,
    input = '',
    beside = {},
  }: { cwd: string; input?: string; beside?: Record<string, string> },
) {
  const place = aDirectory();
  // Copied as a session has them, with an ending of a module of its own.
  const file = join(place, program.replace(/\.ts$/, '.mts'));
  copyFileSync(new URL(program, SOURCES), file);
  for (const [name, text] of Object.entries(beside)) writeFileSync(join(place, name), text);
  const child = spawn(process.execPath, [file, ...args], { cwd });
  const said = { stdout: '', stderr: '' };
  child.stdout.on('data', (part) => (said.stdout += part));
  child.stderr.on('data', (part) => (said.stderr += part));
  child.stdin.end(input);
  const status = await new Promise<number | null>((resolve) => child.once('close', resolve));
  return { status, ...said };
}

/** A packet as git writes one: its length in four digits, and the text. */
const packet = (text: string) => (Buffer.byteLength(text) + 4).toString(16).padStart(4, '0') + text;
const answerOf = (code: number, out: string, said = '', again?: number) =>
  packet(JSON.stringify({ code, out, said, again }));
const opened = answerOf(0, 'https://forge/pull/7\n', 'It is open.');

async function ask(answer: string | null | string[], args: readonly string[], input?: string) {
  const gate = await aGate(...[answer].flat());
  const beside = { address: `git://127.0.0.1:${gate.port}/ses_1/secret`, 'body.md': 'From a file' };
  const told = await run('gate-ask.ts', args, {
    cwd: repository,
    beside,
    ...(input && { input }),
  });
  const [, asked = ''] = gate.heard[0]?.split('\0') ?? [];
  return {
    ...told,
    heard: gate.heard[0] ?? null,
    times: gate.heard.length,
    asked: asked === '' ? null : (JSON.parse(asked.slice(4)) as Record<string, unknown>),
  };
}

describe('gh pr create in a session', () => {
  it('asks the gate by its path, says what came of it and prints the address alone', async () => {
    const told = await ask(opened, ['-t', 'Fix ü', '-b', 'Why', '-B', 'main', '-d']);
    expect(told).toMatchObject({
      status: 0,
      stdout: 'https://forge/pull/7\n',
      stderr: 'It is open.\n',
      asked: { title: 'Fix ü', body: 'Why', base: 'main', head: null, local: 'main', draft: true },
    });
    expect(told.asked?.['commit']).toMatch(/^[0-9a-f]{40}$/);
    const line = 'git-pull-request /ses_1/secret\0';
    expect(told.heard?.startsWith(packet(line))).toBe(true);
  });

  it('takes the words of the last commit, where it is told to', async () => {
    expect((await ask(opened, ['--fill'])).asked).toMatchObject({
      title: 'Change readme.md',
      body: '',
      draft: false,
    });
  });

  it('takes its text from its input', async () => {
    const told = await ask(opened, ['--title', 'x', '--body-file', '-'], 'From outside\n');
    expect(told.asked).toMatchObject({ body: 'From outside\n' });
  });

  it.each([
    ['an option too many', ['--title', 'x', '--reviewer', 'ada'], 'leave out the rest'],
    ['no title', ['--body', 'x'], 'say what it is about'],
    ['a file that is gone', ['--title', 'x', '--body-file', 'gone.md'], 'gone.md cannot be read'],
    ['too long a text', ['--title', 'x', '--body', 'y'.repeat(60_000)], 'longer than 60000 bytes'],
  ])('is refused with %s before anybody is asked', async (_what, args, words) => {
    const told = await ask(opened, args);
    expect(told).toMatchObject({ status: 1, stdout: '', heard: null });
    expect(told.stderr).toContain(words);
    expect(told.stderr.startsWith('gh: ')).toBe(true);
  });

  it.each([
    ['refuses', packet('ERR nobody may do that here'), 'gh: nobody may do that here\n'],
    ['says no', answerOf(1, '', 'The branch is not pushed.'), 'gh: The branch is not'],
    ['hangs up', null, 'the gate did not answer'],
    ['says something else', packet('<html>'), 'the gate did not answer'],
    ['says less', packet('{"url":null}'), 'the gate did not answer'],
  ])('says why where the gate %s', async (_what, answer, words) => {
    const told = await ask(answer, ['--title', 'x']);
    expect(told).toMatchObject({ status: 1, stdout: '' });
    expect(told.stderr).toContain(words);
  });
});

describe('gh pr in a session', () => {
  it.each<[string[], object]>([
    [['create', '-t', 'x', '-R', 'o/r'], { do: 'open', title: 'x', repository: 'o/r' }],
    [['new', '--title', 'x'], { do: 'open', title: 'x' }],
    [
      ['edit', '7', '-t', 'New', '-B', 'dev'],
      { do: 'edit', which: '7', title: 'New', body: null, base: 'dev' },
    ],
    [['comment', '-F', '-'], { do: 'comment', which: null, local: 'main', body: 'From outside\n' }],
    [['view', 'b', '--json', 'state,url'], { do: 'view', which: 'b', fields: ['state', 'url'] }],
    [['view', '-c'], { do: 'view', comments: true, fields: null }],
    [['ls', '-s', 'all', '-L', '5'], { do: 'list', state: 'all', limit: 5 }],
    [['status'], { do: 'status', local: 'main' }],
  ])('asks for %j', async (args, asked) => {
    expect((await ask(answerOf(0, 'x\n'), args, 'From outside\n')).asked).toMatchObject(asked);
  });

  it('prints what the gate says and ends as it says', async () => {
    const told = await ask(answerOf(8, 'build\tpending\t0\n', 'Others wrote it.'), ['checks']);
    expect(told).toMatchObject({
      status: 8,
      stdout: 'build\tpending\t0\n',
      stderr: 'Others wrote it.\n',
    });
  });

  it('goes on with its watch once the forge may be asked again, and ends as the checks do', async () => {
    const late = answerOf(1, '', 'asked too often', 0.001);
    const passed = answerOf(0, 'a\tpass\n');
    const told = await ask([late, late, passed], ['checks', '--watch']);
    expect(told).toMatchObject({ status: 0, stdout: 'a\tpass\n', times: 3 });
    expect(told.stderr).toContain('asked too often. Waiting');
    // What is no watch has an end of its own, and says why.
    expect(await ask([late, passed], ['checks'])).toMatchObject({ status: 1, times: 1 });
  });

  it('waits for nothing more once a check failed and that is enough', async () => {
    const failed = answerOf(1, 'a\tfail\t0\nb\tpending\t0\n');
    expect(await ask(failed, ['checks', '--watch', '--fail-fast'])).toMatchObject({ status: 1 });
    expect(await ask(answerOf(0, 'a\tpass\n'), ['checks', '--watch'])).toMatchObject({ status: 0 });
  });

  it.each([
    [['view', '--json', 'state', '--jq', '.state'], 'piped to jq'],
    [['edit', '7', '--add-label', 'x'], 'leave out the rest'],
    [['view', '1', '2'], 'leave out the rest'],
    [['comment', '7'], 'gh pr comment --body TEXT'],
    [['merge', '7'], 'knows no gh pr merge'],
  ])('is refused with %j before anybody is asked', async (args, words) => {
    const told = await ask(opened, args);
    expect(told).toMatchObject({ status: 1, heard: null });
    expect(told.stderr).toContain(words);
  });
});

describe('the way of git to the gate', () => {
  it('hands over all that git says and all that it hears, and ends with the gate', async () => {
    const { heard, port } = await aGate('0000');
    const told = await run('gate-connect.ts', ['127.0.0.1', String(port)], {
      cwd: aDirectory(),
      input: 'git-upload-pack /x',
    });
    expect(told).toEqual({ status: 0, stdout: '0000', stderr: '' });
    expect(heard).toEqual(['git-upload-pack /x']);
  });
});
