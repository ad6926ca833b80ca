import { execFileSync } from 'node:child_process';
import { createWriteStream, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { once } from 'node:events';
import { connect } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

// What git-lfs runs in a session to transfer files (git-lfs, docs/custom-transfers.md). Copied as it
// is to where the session sees it, so that it imports nothing of ours. A download comes from the
// gate; an upload has nothing to do, because the gate takes the files of a push out of the checkout.

/** A runner that is started again is back by then, in ms; a large file comes without such a pause. */
const WAIT_MS = 5_000;
const SILENCE_MS = 20 * 60_000;
const LINE_MAX_BYTES = 65_520;
const CLOSED =
  'the gate is closed, because the runner of this machine is not running; try again once it runs';

type Message = { event: string; oid: string; size: number };

const say = (message: object) => process.stdout.write(`${JSON.stringify(message)}\n`);
const packet = (line: string) => (Buffer.byteLength(line) + 4).toString(16).padStart(4, '0') + line;
const address = new URL(readFileSync(join(import.meta.dirname, 'address'), 'utf8'));

const open = (until: number) =>
  new Promise<ReturnType<typeof connect>>((resolve, reject) => {
    const socket = connect({ host: address.hostname, port: Number(address.port) });
    socket.once('connect', () => resolve(socket));
    socket.once('error', () => {
      if (Date.now() < until) setTimeout(() => void open(until).then(resolve, reject), 200);
      else reject(new Error(CLOSED));
    });
  });

/** Puts a file's content at `path`. Throws the gate's own words where there is none. */
const download = async ({ oid, size }: Message, path: string) => {
  const socket = await open(Date.now() + WAIT_MS);
  socket.setTimeout(SILENCE_MS, () => socket.destroy(new Error('the gate said nothing for long')));
  socket.write(
    packet(`git-lfs-object ${address.pathname}\0`) + packet(JSON.stringify({ oid, size })),
  );
  const file = createWriteStream(path, { mode: 0o600 });
  let head = Buffer.alloc(0);
  let told = false;
  for await (const part of socket as AsyncIterable<Buffer>) {
    if (told) {
      if (!file.write(part)) await once(file, 'drain');
      continue;
    }
    head = Buffer.concat([head, part]);
    const length =
      head.length < 4 ? LINE_MAX_BYTES : Number.parseInt(head.toString('latin1', 0, 4), 16);
    if (head.length < length) continue;
    const line = head.toString('utf8', 4, length);
    if (line !== 'ok') throw new Error(line.replace(/^ERR /, ''));
    told = true;
    file.write(head.subarray(length));
  }
  await new Promise<void>((resolve) => file.end(() => resolve()));
  if (file.bytesWritten !== size) throw new Error('the gate broke off; try again');
};

// On the file system of the objects: git-lfs moves a file to where it belongs, once it has checked it.
const git = execFileSync('git', ['rev-parse', '--path-format=absolute', '--git-common-dir'], {
  encoding: 'utf8',
});
const place = join(git.trim(), 'lfs', 'tmp');
mkdirSync(place, { recursive: true });

for await (const line of createInterface({ input: process.stdin })) {
  const message = JSON.parse(line) as Message;
  const { event, oid, size } = message;
  if (event === 'terminate') break;
  if (event === 'init') say({});
  else if (event === 'upload') say({ event: 'complete', oid });
  else if (event === 'download') {
    const path = join(place, `${oid}-gate-${process.pid}`);
    try {
      await download(message, path);
      say({ event: 'progress', oid, bytesSoFar: size, bytesSinceLast: size });
      say({ event: 'complete', oid, path });
    } catch (error) {
      rmSync(path, { force: true });
      const reason = error instanceof Error ? error.message : String(error);
      say({ event: 'complete', oid, error: { code: 1, message: reason } });
    }
  }
}
