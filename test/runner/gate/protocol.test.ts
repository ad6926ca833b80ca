import { PassThrough } from 'node:stream';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FLUSH, packetOf, PacketReader } from '../../../runner/gate/pkt-line.ts';
import { parsePushOutput } from '../../../runner/gate/push-output.ts';
import { type PushOutcome, receivePush } from '../../../runner/gate/receive.ts';
import { parseRequest } from '../../../runner/gate/server.ts';

const ZERO = '0'.repeat(40);
const A = 'a'.repeat(40);
const LONGEST = 65_520;

function readerOf(...parts: (string | Buffer)[]): PacketReader {
  const stream = new PassThrough();
  for (const part of parts) stream.write(part);
  stream.end();
  return new PacketReader(stream);
}

describe('a line of git’s protocol', () => {
  it('is as long as its bytes, not as its characters', async () => {
    const text = 'ré → 💡';
    expect(packetOf(text).slice(0, 4)).toBe(
      (Buffer.byteLength(text) + 4).toString(16).padStart(4, '0'),
    );
    expect(await readerOf(packetOf(text)).read()).toBe(text);
  });

  it('loses its own line break and no other', async () => {
    const reader = readerOf(packetOf('a\n'), packetOf('b\n\n'), packetOf('\nc'));
    expect([await reader.read(), await reader.read(), await reader.read()]).toEqual([
      'a',
      'b\n',
      '\nc',
    ]);
  });

  it('may be empty, which is not the end of a list', async () => {
    expect(await readerOf('0004', FLUSH).readList()).toEqual(['']);
  });

  it('may be as long as git writes one, and no longer', async () => {
    const longest = packetOf('x'.repeat(LONGEST - 4));
    expect((await readerOf(longest).read())?.length).toBe(LONGEST - 4);
    expect(() => packetOf('é'.repeat(LONGEST / 2 - 1))).toThrow('too long');
    const longer = (LONGEST + 1).toString(16);
    await expect(readerOf(`${longer}${'x'.repeat(LONGEST)}`).read()).rejects.toThrow('not a line');
  });

  it('that ends before it is whole is told from one that ends a list', async () => {
    for (const text of ['', '0', '000', '0009git', '0032git-upload-pack'])
      await expect(readerOf(text).read()).rejects.toThrow('ended in the middle');
    await expect(readerOf(packetOf('one')).readList()).rejects.toThrow('ended in the middle');
  });

  it('begins with four hexadecimal digits and nothing that only begins like them', async () => {
    const isHex = (text: string) => /^[0-9a-f]{4}$/i.test(text);
    await fc.assert(
      fc.asyncProperty(
        fc.string({ unit: 'binary-ascii', minLength: 4, maxLength: 4 }),
        async (head) => {
          fc.pre(!isHex(head));
          await expect(readerOf(head, 'x'.repeat(100)).read()).rejects.toThrow('not a line');
        },
      ),
      {
        numRuns: 200,
        examples: [['0x1f'], ['5zzz'], ['000z'], [' 0fe'], ['+0fe'], ['-001'], ['1e+1']],
      },
    );
  });

  it('ends with the connection, also one that breaks', async () => {
    const stream = new PassThrough();
    stream.write('00');
    const reading = new PacketReader(stream).read();
    stream.on('error', () => undefined);
    stream.destroy(new Error('reset'));
    await expect(reading).rejects.toThrow('ended in the middle');
  });
});

describe('a connection’s first line', () => {
  const TOKEN = 'f'.repeat(40);
  it.each([
    `git-receive-pack /ses_a1/${TOKEN}`,
    `git-receive-pack  /ses_a1/${TOKEN}\0`,
    `git-receive-pack /ses_a1/${TOKEN}/\0`,
    `git-receive-pack /ses_a1/${TOKEN}/../x\0`,
    `git-receive-pack /run_a1/${TOKEN}\0`,
    `git-receive-pack /ses_A1/${TOKEN}\0`,
    `git-receive-pack /ses_/${TOKEN}\0`,
    `git-receive-pack /ses_a1/\0`,
    `git-receive-pack ses_a1/${TOKEN}\0`,
    `git-receive-pack;id /ses_a1/${TOKEN}\0`,
    `GIT-receive-pack /ses_a1/${TOKEN}\0`,
    `\0git-receive-pack /ses_a1/${TOKEN}\0`,
    `x\ngit-receive-pack /ses_a1/${TOKEN}\0`,
  ])('that asks for anything else is refused: %j', (line) => {
    expect(() => parseRequest(line)).toThrow('not a request');
  });

  it('may say more after what it asks for, as newer gits do', () => {
    expect(parseRequest(`git-receive-pack /ses_a1/${TOKEN}\0host=a\0\0version=2\0`)).toMatchObject({
      service: 'receive-pack',
      sessionId: 'ses_a1',
      token: TOKEN,
    });
  });
});

describe('what receive-pack’s hook is told', () => {
  /** Plays receive-pack: what it says of a push, and what it was answered. */
  async function receive(
    commands: readonly string[],
    decide: Parameters<typeof receivePush>[2],
    options: readonly string[] | null = null,
  ): Promise<string[]> {
    const offered = options === null ? 'version=1\0atomic\n' : 'version=1\0atomic push-options\n';
    const hello = [packetOf(offered), FLUSH];
    const written: string[] = [];
    const listed = (options ?? []).map((each) => packetOf(each));
    const end = options === null ? [] : [...listed, FLUSH];
    const reader = readerOf(...hello, ...commands.map((each) => packetOf(each)), FLUSH, ...end);
    await receivePush(reader, (text) => void written.push(text), decide);
    return written;
  }
  const outcomeOf = (over: Partial<PushOutcome>): PushOutcome => ({
    ref: 'refs/heads/x',
    before: ZERO,
    after: A,
    kind: 'push',
    outcome: 'done',
    by: 'forge',
    reason: null,
    ...over,
  });

  it('is the version, and then an answer for each ref in its order', async () => {
    const asked: unknown[] = [];
    const written = await receive(
      [`${ZERO} ${A} refs/heads/x`, `${A} ${ZERO} refs/heads/y\n`],
      async (commands) => {
        asked.push(...commands);
        return [
          outcomeOf({}),
          outcomeOf({ ref: 'refs/heads/y', outcome: 'not_done', reason: 'protected' }),
        ];
      },
    );
    expect(asked).toEqual([
      { before: ZERO, after: A, ref: 'refs/heads/x' },
      { before: A, after: ZERO, ref: 'refs/heads/y' },
    ]);
    expect(written[0]).toBe(`${packetOf('version=1')}${FLUSH}`);
    expect(await readerOf(written[1] ?? '').readList()).toEqual([
      'ok refs/heads/x',
      'ng refs/heads/y protected',
    ]);
  });

  it('takes the options of a push where it has any, and only there', async () => {
    const heard: unknown[] = [];
    const decide = async (_commands: unknown, options: readonly string[]) => {
      heard.push(options);
      return [outcomeOf({})];
    };
    const [hello] = await receive([`${ZERO} ${A} refs/heads/x`], decide, ['pr.title=x', 'ci.skip']);
    expect(hello).toBe(`${packetOf('version=1\0push-options')}${FLUSH}`);
    await receive([`${ZERO} ${A} refs/heads/x`], decide, []);
    await receive([`${ZERO} ${A} refs/heads/x`], decide);
    expect(heard).toEqual([['pr.title=x', 'ci.skip'], [], []]);
  });

  it('is one line per ref, whatever the reason says', async () => {
    const reason = `first\nok refs/heads/main\r\n${'x'.repeat(9_000)}`;
    const [, answer = ''] = await receive([`${ZERO} ${A} refs/heads/x`], async () => [
      outcomeOf({ outcome: 'unknown', reason }),
    ]);
    const [line = '', ...others] = await readerOf(answer).readList();
    expect(others).toEqual([]);
    expect(line).toMatch(/^ng refs\/heads\/x first ok refs\/heads\/main x+$/);
    expect(line.length).toBeLessThan(400);
  });

  it.each([
    ['no commit', `${ZERO} main refs/heads/x`],
    ['a short commit', `${ZERO} ${A.slice(1)} refs/heads/x`],
    ['an option for a commit', `--output=x ${A} refs/heads/x`],
    ['a ref with a space', `${ZERO} ${A} refs/heads/x refs/heads/main`],
    ['no ref', `${ZERO} ${A}`],
    ['nothing', ''],
  ])('is nothing for a command with %s, and nothing is decided', async (_name, command) => {
    const decided: unknown[] = [];
    const received = receive([`${ZERO} ${A} refs/heads/good`, command], async (commands) => {
      decided.push(commands);
      return [];
    });
    await expect(received).rejects.toThrow('not a command');
    expect(decided).toEqual([]);
  });
});

describe('what git push says of a ref', () => {
  const answerTo = (line: string) => [...parsePushOutput(`To x\n${line}\nDone`)];

  it.each([
    ['=', '[up to date]', { kind: 'done' }],
    ['+', 'a...b (forced update)', { kind: 'done' }],
    [' ', 'a..b', { kind: 'done' }],
    ['!', '[rejected] (stale info)', { kind: 'refused', reason: 'stale info' }],
    ['!', '[remote rejected] (a (b) c)', { kind: 'refused', reason: 'a (b) c' }],
    ['!', '[remote failure] (remote failed to report status)', { kind: 'refused' }],
    ['!', 'no parentheses', { kind: 'refused', reason: 'no parentheses' }],
  ])('%s %s', (flag, summary, answer) => {
    expect(answerTo(`${flag}\t${A}:refs/heads/x\t${summary}`)).toMatchObject([
      ['refs/heads/x', answer],
    ]);
  });

  it('is read from nothing else that a remote may print', () => {
    const lines = ['refs/heads/x\t[ok]', `?\t${A}:refs/heads/x\tx`, `*\t${A}:x\t[new]`, '*\t\t'];
    for (const line of lines) expect(answerTo(line)).toEqual([]);
  });

  it('is read from any output without a throw, and only of refs', () => {
    const output = fc.array(
      fc.constantFrom('*', '!', '\t', ':', 'refs/', 'a', '(', ')', '\n', '✓'),
    );
    fc.assert(
      fc.property(output, (parts) => {
        for (const ref of parsePushOutput(parts.join('')).keys()) expect(ref).toMatch(/^refs\//);
      }),
    );
  });
});
