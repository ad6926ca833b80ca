/**
 * The program that a coding agent runs when it asks for leave. It brings the question to the
 * runner, waits for what a person says, and tells the agent. Where nobody answers it says nothing,
 * and the agent's own dialog stands. It imports nothing: it runs wherever the agent does.
 */
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';

/** How often a runner that is not there is looked for, and for how long, in ms. */
const AGAIN_MS = 250;
/** The most that it waits in all, in ms: longer than any question stands. */
const LAST_MS = 65 * 60_000;

const [socketPath = '', goneMs = '60000', engine = ''] = process.argv.slice(2);
const id = `ask.${randomBytes(16).toString('hex')}`;
const token = process.env['PILOTHOUSE_ASK'] ?? '';
const parent = process.ppid;
// OpenCode's plugin goes on: a second line says that the answer was taken, and none that it was not.
const lines = engine === 'opencode' ? createInterface({ input: process.stdin }) : null;
let taken = false;
lines?.on('close', () => {
  if (!taken) process.exit(0);
});
const hook = lines ? String((await once(lines, 'line'))[0]) : await text(process.stdin);
const end = Date.now() + LAST_MS;
let heardAt = Date.now();

process.on('SIGTERM', () => process.exit(0));
setInterval(() => {
  const alone = process.ppid !== parent || Date.now() > end;
  if (alone || Date.now() - heardAt > Number(goneMs)) process.exit(0);
}, 1_000);
ask();

function ask(): void {
  const socket = connect(socketPath);
  let received = '';
  socket.setEncoding('utf8');
  socket.on('connect', () => {
    socket.write(`${JSON.stringify({ token, id, engine, pid: process.pid, hook })}\n`);
  });
  socket.on('data', (chunk: string) => {
    received += chunk;
    // An empty line says that the runner has the question.
    heardAt = Number.POSITIVE_INFINITY;
    const answer = received
      .split('\n')
      .slice(0, -1)
      .find((line) => line !== '');
    if (answer !== undefined) finish(answer);
  });
  socket.on('error', () => undefined);
  socket.on('close', () => {
    if (heardAt === Number.POSITIVE_INFINITY) heardAt = Date.now();
    setTimeout(ask, AGAIN_MS);
  });

  function finish(line: string): void {
    const { behavior, message } = JSON.parse(line) as { behavior: string; message: string };
    if (behavior === 'none') process.exit(0);
    const decision = behavior === 'allow' ? { behavior } : { behavior, message };
    const output = { hookSpecificOutput: { hookEventName: 'PermissionRequest', decision } };
    const tell = () => {
      taken = true;
      socket.write('taken\n', () => process.exit(0));
    };
    // The agent has it before the runner is told so.
    process.stdout.write(`${JSON.stringify(output)}\n`, () => {
      if (lines) lines.once('line', tell);
      else tell();
    });
  }
}
