import { connect } from 'node:net';

// What git runs in a session to reach the gate: host and port are its arguments. Copied as it is to
// where the session sees it, so that it holds nothing but plain JavaScript.

/** A runner that is started again is back by then, in ms. */
const WAIT_MS = 5_000;
const CLOSED =
  'The gate is closed, because the runner of this machine is not running. Nothing was pushed or fetched. Try again once it runs; `pilothouse runner doctor` says what keeps it.\n';

const [, , host = '', port = ''] = process.argv;
const until = Date.now() + WAIT_MS;

const open = () => {
  const socket = connect({ host, port: Number(port) });
  const fail = () => {
    if (Date.now() < until) setTimeout(open, 200);
    else {
      process.stderr.write(CLOSED);
      process.exitCode = 1;
    }
  };
  socket.once('error', fail);
  socket.once('connect', () => {
    socket.off('error', fail);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => process.stdin.destroy());
    // git has said all it has to say long before it has heard all; the gate ends the connection.
    process.stdin.pipe(socket, { end: false });
    socket.pipe(process.stdout);
  });
};
open();
