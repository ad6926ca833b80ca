import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

// What `gh pr create` runs in a session: asks the gate for a pull request. Copied as it is to where
// the session sees it, so that it imports nothing of ours.

const MAX_BYTES = 60_000;
/** A runner that is started again is back by then, in ms; the forge is asked twice in the other. */
const WAIT_MS = 5_000;
const ANSWER_MS = 120_000;

const git = (...args: string[]): string | null => {
  try {
    const told = execFileSync('git', args, {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    return told.trim() || null;
  } catch {
    return null;
  }
};

const fail = (reason: string): never => {
  process.stderr.write(`gh: ${reason}\n`);
  process.exit(1);
};

const text = { type: 'string' } as const;
const flag = { type: 'boolean' } as const;

const readOptions = () => {
  try {
    const options = {
      title: { ...text, short: 't' },
      body: { ...text, short: 'b' },
      'body-file': { ...text, short: 'F' },
      base: { ...text, short: 'B' },
      head: { ...text, short: 'H' },
      draft: { ...flag, short: 'd' },
      fill: { ...flag, short: 'f' },
    };
    return parseArgs({ args: process.argv.slice(2), options }).values;
  } catch {
    return fail(
      'the gate takes --title, --body, --body-file, --base, --head, --draft and --fill of gh pr create; leave out the rest.',
    );
  }
};

const given = readOptions();
const readBody = (): string | null => {
  const file = given['body-file'];
  if (file === undefined)
    return given.body ?? (given.fill ? git('log', '-1', '--format=%b') : null);
  try {
    return readFileSync(file === '-' ? 0 : file, 'utf8');
  } catch {
    return fail(`${file} cannot be read.`);
  }
};

const title = given.title ?? (given.fill ? git('log', '-1', '--format=%s') : null);
if (!title) fail('say what it is about: gh pr create --title TITLE --body TEXT, or --fill.');
const asked = JSON.stringify({
  title,
  body: readBody() ?? '',
  base: given.base ?? null,
  head: given.head ?? null,
  local: git('symbolic-ref', '--quiet', '--short', 'HEAD'),
  commit: git('rev-parse', '--verify', '--quiet', 'HEAD'),
  draft: given.draft === true,
});
if (Buffer.byteLength(asked) > MAX_BYTES)
  fail(`the text is longer than ${MAX_BYTES} bytes; shorten it.`);

const packet = (line: string) => (Buffer.byteLength(line) + 4).toString(16).padStart(4, '0') + line;
const address = new URL(readFileSync(join(import.meta.dirname, 'address'), 'utf8'));
const until = Date.now() + WAIT_MS;

const ask = () => {
  const socket = connect({ host: address.hostname, port: Number(address.port) });
  const parts: Buffer[] = [];
  socket.once('error', () => {
    if (Date.now() < until) setTimeout(ask, 200);
    else
      fail(
        'the gate is closed, because the runner of this machine is not running. Try again once it runs.',
      );
  });
  socket.once('connect', () => {
    socket.removeAllListeners('error');
    socket.on('error', () => socket.destroy());
    socket.setTimeout(ANSWER_MS, () => socket.destroy());
    socket.on('data', (part: Buffer) => parts.push(part));
    socket.on('close', () => hear(Buffer.concat(parts).subarray(4).toString('utf8')));
    socket.write(packet(`git-pull-request ${address.pathname}\0`) + packet(asked));
  });
};

const hear = (answer: string) => {
  if (answer.startsWith('ERR ')) fail(answer.slice(4));
  try {
    const { url, said } = JSON.parse(answer) as { url: string | null; said: string };
    if (url === null) fail(said);
    process.stderr.write(`${said}\n`);
    process.stdout.write(`${url}\n`);
  } catch {
    fail('the gate did not answer, so that nothing is known; ask again.');
  }
};
ask();
