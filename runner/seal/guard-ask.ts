import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

// What the guard of an open session runs before a push, and before the command line of a forge does
// something: tells the runner what it is, prints why not, and ends with 1 where it may not be.
// Copied as it is to where the session sees it, so that it imports nothing of ours.

/** A runner that is started again is back by then, in ms. */
const WAIT_MS = 5_000;
const ANSWER_MS = 15_000;
/** More paths than this are not looked at, nor is a history that nothing bounds. */
const MAX_PATHS = 20_000;
/** Of a mirror's thousand refs these are looked into; the refs tell of the others afterwards. */
const MAX_LOOKED_AT = 100;
const PACKET_CHARS = 60_000;
const CLOSED =
  'the runner of this machine does not answer for this session, and without it nothing is pushed, merged or released from this session. Try again once it runs; `pilothouse runner doctor` says what keeps it.';

const UNREADABLE =
  'the answer of this machine’s runner cannot be read, and without one nothing is pushed, merged or released from this session. `pilothouse runner doctor` says what is wrong with it.';

const end = (reason: string): never => {
  process.stderr.write(`pilothouse: ${reason}\n`);
  process.exit(1);
};

const git = (args: readonly string[], input = '') => {
  const { status, stdout } = spawnSync('git', args, {
    encoding: 'utf8',
    input,
    stdio: ['pipe', 'pipe', 'ignore'],
    maxBuffer: 64 * 1024 ** 2,
  });
  return { ok: status === 0, out: stdout ?? '' };
};

const isNothing = (commit: string) => /^0+$/.test(commit);

/** What the remote has, as far as is known here, for `git log` to leave out. */
const boundsOf = (remote: string | null, before: readonly string[]): string[] => {
  const there = remote === null ? 'refs/remotes/' : `refs/remotes/${remote}/`;
  const had = git(['for-each-ref', '--format=%(objectname)', there]).out.split('\n');
  const known = before.filter((each) => !isNothing(each) && git(['cat-file', '-e', each]).ok);
  return [...new Set([...had, ...known])].filter(Boolean).map((each) => `^${each}`);
};

/** Paths that commits change which the remote does not have; null where that cannot be told. */
const pathsOf = (after: string, bounds: readonly string[]): string[] | null => {
  if (bounds.length === 0) return null;
  const names = ['--format=', '--no-renames', '--name-only', '-z'];
  const args = ['log', '--remerge-diff', ...names, '--stdin'];
  const { ok, out } = git(args, [after, ...bounds].join('\n'));
  const paths = [...new Set(out.split('\0').filter(Boolean))];
  return ok && paths.length <= MAX_PATHS ? paths : null;
};

const readPush = ([name = '', address = '']: readonly string[]) => {
  const remote = name === address ? null : name;
  const lines = readFileSync(0, 'utf8').split('\n').filter(Boolean);
  const commands = lines.map((line) => {
    const [, after = '', ref = '', before = ''] = line.split(' ');
    return { ref, before, after };
  });
  const first = commands.slice(0, MAX_LOOKED_AT);
  const bounds = boundsOf(
    remote,
    first.map(({ before }) => before),
  );
  const refs = commands.map(({ ref, before, after }, index) => {
    const gone = isNothing(after);
    const forward =
      !gone && !isNothing(before) && git(['merge-base', '--is-ancestor', before, after]).ok;
    const looked = gone ? [] : index < MAX_LOOKED_AT ? pathsOf(after, bounds) : null;
    return { ref, before, after, forward, paths: looked };
  });
  return { do: 'push', remote, refs };
};

const packet = (text: string) => (text.length + 4).toString(16).padStart(4, '0') + text;

const open = (port: number) =>
  new Promise<ReturnType<typeof connect> | null>((resolve) => {
    const socket = connect({ host: '127.0.0.1', port });
    socket.once('connect', () => resolve(socket));
    socket.once('error', () => resolve(null));
  });

type Answer = { allow: boolean; say: string };

/** Only what says yes in so many words is one. */
const readAnswer = (text: string): Answer => {
  try {
    const { allow, say } = JSON.parse(text) as Partial<Answer>;
    if (typeof allow === 'boolean' && typeof say === 'string') return { allow, say };
  } catch {
    // As if it had said something else.
  }
  return end(UNREADABLE);
};

const ask = async (said: object): Promise<Answer> => {
  // Plain letters only, so that a packet ends where a letter does.
  const text = JSON.stringify(said).replaceAll(
    /[\u007f-\uffff]/g,
    (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  const parts = text.match(new RegExp(`[^]{1,${PACKET_CHARS}}`, 'g')) ?? [];
  for (const until = Date.now() + WAIT_MS; Date.now() < until; await pause(200)) {
    // Read anew: a runner that was started again may have taken another port.
    const address = new URL(readFileSync(join(import.meta.dirname, 'address'), 'utf8'));
    const socket = await open(Number(address.port));
    if (!socket) continue;
    // For the whole answer: one that comes in drops would keep a push waiting for ever.
    const late = setTimeout(() => socket.destroy(), ANSWER_MS);
    socket.write(packet(`git-guard ${address.pathname}\0`) + parts.map(packet).join('') + '0000');
    let heard = '';
    try {
      for await (const chunk of socket) heard += String(chunk);
    } catch {
      // What was heard by then says whether it was an answer.
    } finally {
      clearTimeout(late);
    }
    const answer = heard.slice(4);
    if (answer.startsWith('{')) return readAnswer(answer);
    // It is being started again, and does not know its sessions yet.
  }
  return end(CLOSED);
};

const [what, ...rest] = process.argv.slice(2);
const asked = what === 'push' ? readPush(rest) : { do: 'forge', argv: rest };
// By one name however often it is asked: what was heard by the runner may not have been by us.
const { allow, say } = await ask({ ...asked, id: randomUUID() });
if (!allow) end(say);
