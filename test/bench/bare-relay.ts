/**
 * The baseline: the least that can stand between a producer and a viewer in another place. Sends
 * every frame that comes on `/in` to everybody on `/out`, and does nothing else.
 */
import type { AddressInfo } from 'node:net';
import { WebSocketServer, type WebSocket } from 'ws';

const server = new WebSocketServer({ host: '127.0.0.1', port: 0, perMessageDeflate: false });
const viewers = new Set<WebSocket>();

server.on('connection', (socket, request) => {
  if (request.url === '/out') {
    viewers.add(socket);
    socket.on('close', () => viewers.delete(socket));
    return;
  }
  socket.on('message', (data, isBinary) => {
    for (const viewer of viewers) viewer.send(data, { binary: isBinary });
  });
});
server.on('listening', () => {
  const { port } = server.address() as AddressInfo;
  process.send?.({ url: `ws://127.0.0.1:${port}` });
});
process.on('disconnect', () => process.exit(0));
