import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs, type ParseArgsOptionsConfig } from 'node:util';

// What `gh pr VERB` runs in a session: asks the gate, prints what it answers and ends as gh would.
// Copied as it is to where the session sees it, so that it imports nothing of ours.

const MAX_BYTES = 60_000;
/** A runner that is started again is back by then, in ms; the forge is asked often in the other. */
const WAIT_MS = 5_000;
const ANSWER_MS = 120_000;
/**
 * How gh ends while a check is pending, and how often it looks again at most, in s: a look is four
 * calls of the forge, and of the 120 that a session has in ten minutes some are for other asks.
 */
const PENDING = 8;
const INTERVAL_S = 30;

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
const repo = { repo: { ...text, short: 'R' } } as const;
const body = { body: { ...text, short: 'b' }, 'body-file': { ...text, short: 'F' } } as const;
const OPTIONS: Record<string, ParseArgsOptionsConfig> = {
  create: {
    ...repo,
    ...body,
    title: { ...text, short: 't' },
    base: { ...text, short: 'B' },
    head: { ...text, short: 'H' },
    draft: { ...flag, short: 'd' },
    fill: { ...flag, short: 'f' },
  },
  edit: { ...repo, ...body, title: { ...text, short: 't' }, base: { ...text, short: 'B' } },
  comment: { ...repo, ...body },
  view: { ...repo, json: text, comments: { ...flag, short: 'c' } },
  list: {
    ...repo,
    json: text,
    state: { ...text, short: 's' },
    limit: { ...text, short: 'L' },
    head: { ...text, short: 'H' },
    base: { ...text, short: 'B' },
  },
  status: repo,
  checks: {
    ...repo,
    json: text,
    watch: flag,
    'fail-fast': flag,
    interval: { ...text, short: 'i' },
  },
};
const NAMES: Record<string, string> = { new: 'create', ls: 'list' };

const [first = '', ...others] = process.argv.slice(2);
// One that was called before it knew more than one thing is called without a verb.
const bare = first === '' || first.startsWith('-');
const verb = bare ? 'create' : (NAMES[first] ?? first);
const options = OPTIONS[verb] ?? {};

const readOptions = () => {
  try {
    const args = bare ? process.argv.slice(2) : others;
    const allowPositionals = !['create', 'list', 'status'].includes(verb);
    const parsed = parseArgs({ args, options, allowPositionals });
    if (parsed.positionals.length > 1) throw new Error('more than one');
    return { values: parsed.values as Record<string, string | true>, named: parsed.positionals[0] };
  } catch {
    const known = Object.keys(options).map((name) => `--${name}`);
    const hint = options['json'] ? ' What --json prints can be piped to jq.' : '';
    return fail(`of gh pr ${verb} the gate takes ${known.join(', ')}; leave out the rest.${hint}`);
  }
};
const { values, named } = readOptions();

const said = (name: string): string | null => {
  const value = values[name];
  return typeof value === 'string' ? value : null;
};
const readBody = (): string | null => {
  const file = said('body-file');
  if (file === null) return said('body');
  try {
    return readFileSync(file === '-' ? 0 : file, 'utf8');
  } catch {
    return fail(`${file} cannot be read.`);
  }
};

const here = () => ({
  local: git('symbolic-ref', '--quiet', '--short', 'HEAD'),
  commit: git('rev-parse', '--verify', '--quiet', 'HEAD'),
});
const common = { repository: said('repo') };
const one = () => ({ ...common, which: named ?? null, ...here() });
const fields = () => said('json')?.split(',') ?? null;
const fromCommit = (format: string) =>
  values['fill'] ? git('log', '-1', `--format=${format}`) : null;

const readAsk = (): object => {
  switch (verb) {
    case 'create': {
      const title = said('title') ?? fromCommit('%s');
      if (!title) fail('say what it is about: gh pr create --title TITLE --body TEXT, or --fill.');
      return {
        do: 'open',
        ...common,
        title,
        body: readBody() ?? fromCommit('%b') ?? '',
        base: said('base'),
        head: said('head'),
        ...here(),
        draft: values['draft'] === true,
      };
    }
    case 'edit':
      return { do: verb, ...one(), title: said('title'), body: readBody(), base: said('base') };
    case 'comment':
      return {
        do: verb,
        ...one(),
        body: readBody() ?? fail('say it: gh pr comment --body TEXT, or --body-file FILE.'),
      };
    case 'view':
      return { do: verb, ...one(), fields: fields(), comments: values['comments'] === true };
    case 'checks':
      return { do: verb, ...one(), fields: fields() };
    case 'list':
      return {
        do: verb,
        ...common,
        ...(said('state') !== null && { state: said('state') }),
        ...(said('limit') !== null && { limit: Number(said('limit')) }),
        head: said('head'),
        base: said('base'),
        fields: fields(),
      };
    case 'status':
      return { do: verb, ...common, ...here() };
    default:
      return fail(`the gate knows no gh pr ${verb}.`);
  }
};

const asked = JSON.stringify(readAsk());
if (Buffer.byteLength(asked) > MAX_BYTES)
  fail(`the text is longer than ${MAX_BYTES} bytes; shorten it.`);

const packet = (line: string) => (Buffer.byteLength(line) + 4).toString(16).padStart(4, '0') + line;

/** One ask: a connection each, for the gate may have moved since the last. */
const ask = (until: number) =>
  new Promise<string>((resolve) => {
    const address = new URL(readFileSync(join(import.meta.dirname, 'address'), 'utf8'));
    const socket = connect({ host: address.hostname, port: Number(address.port) });
    const parts: Buffer[] = [];
    socket.once('error', () => {
      if (Date.now() < until) setTimeout(() => void ask(until).then(resolve), 200);
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
      socket.on('close', () => resolve(Buffer.concat(parts).subarray(4).toString('utf8')));
      socket.write(packet(`git-pull-request ${address.pathname}\0`) + packet(asked));
    });
  });

type Answer = { code: number; out: string; said: string; again?: number };
const hear = (answer: string): Answer => {
  if (answer.startsWith('ERR ')) fail(answer.slice(4));
  try {
    const heard = JSON.parse(answer) as Answer;
    if (Number.isInteger(heard.code) && typeof heard.out === 'string') return heard;
    throw new Error('no answer');
  } catch {
    return fail('the gate did not answer, so that nothing is known; ask again.');
  }
};

const watches = values['watch'] === true && fields() === null;
const intervalMs = Math.max(INTERVAL_S, Number(said('interval') ?? 0) || 0) * 1_000;
/** Whether a check is still to end that is waited for: not once one failed and that is enough. */
const isOpen = ({ code, out }: Answer): boolean =>
  code === PENDING || (code === 1 && values['fail-fast'] !== true && out.includes('\tpending\t'));

const settle = async (): Promise<Answer> => {
  const answer = hear(await ask(Date.now() + WAIT_MS));
  if (watches && answer.again !== undefined) {
    // Nothing is known of the checks, so that it does not end as if one had failed.
    process.stderr.write(`gh: ${answer.said}. Waiting until then.\n`);
    await pause(answer.again * 1_000);
    return settle();
  }
  if (!watches || !isOpen(answer)) return answer;
  await pause(intervalMs);
  return settle();
};
const { code, out, said: words } = await settle();
// gh itself says no name before what it says, but for what went wrong.
if (words !== '') process.stderr.write(`${code !== 0 && out === '' ? 'gh: ' : ''}${words}\n`);
process.stdout.write(out);
process.exitCode = code;
