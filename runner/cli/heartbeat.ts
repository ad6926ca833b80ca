import WebSocket from 'ws';

/**
 * Asks a socket again and again whether somebody is there, and ends one that did not answer since
 * the last time: a network that is gone closes nothing by itself.
 */
export function endWhenSilent(socket: WebSocket, everyMs: number): void {
  let answered = true;
  const timer = setInterval(() => {
    if (!answered) socket.terminate();
    answered = false;
    if (socket.readyState === WebSocket.OPEN) socket.ping();
  }, everyMs);
  const heard = () => (answered = true);
  socket.on('open', heard);
  socket.on('pong', heard);
  socket.on('message', heard);
  socket.on('close', () => clearInterval(timer));
}
