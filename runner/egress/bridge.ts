import { once } from 'node:events';
import { closeSync, existsSync, readdirSync, watch, writeSync } from 'node:fs';
import { connect, createServer } from 'node:net';

// What a closed session runs first: on its own loopback, where nobody else is, it listens on each
// port that a socket beside it is named by, and leads whoever calls there to that socket. Copied as
// it is to where the session sees it, so that it holds nothing but plain JavaScript, which starts
// at once.

const here = import.meta.dirname;
const open = new Set();

const leadAll = () =>
  Promise.all(
    readdirSync(here)
      .filter((name) => /^\d+$/.test(name) && !open.has(name))
      .map(async (name) => {
        open.add(name);
        const server = createServer({ allowHalfOpen: true }, (near) => {
          const far = connect({ path: `${here}/${name}`, allowHalfOpen: true });
          near.on('error', () => far.destroy());
          far.on('error', () => near.destroy());
          near.on('close', () => far.destroy());
          far.on('close', () => near.destroy());
          near.pipe(far);
          far.pipe(near);
        });
        await once(server.listen(Number(name), '127.0.0.1'), 'listening');
      }),
  );

// The way in: while the runner listens beside these sockets, calls wait with it. It answers one with a
// port and an address in a line, and has who listens there, after a sign.
const offers = new Set();
const offerAll = () => {
  while (offers.size < 4 && existsSync(`${here}/inward`)) {
    const near = connect({ path: `${here}/inward`, allowHalfOpen: true });
    offers.add(near);
    let asked = '';
    near.on('data', function hear(chunk) {
      asked += chunk.toString('latin1');
      if (!asked.includes('\n')) return;
      near.off('data', hear).pause();
      offers.delete(near);
      offerAll();
      const [port, host] = asked.trim().split(' ');
      const far = connect({ port: Number(port), host, allowHalfOpen: true }, () => {
        near.write('+');
        near.pipe(far);
        far.pipe(near);
      });
      far.on('error', () => near.destroy());
      far.on('close', () => near.destroy());
      near.on('close', () => far.destroy());
    });
    // Nobody listens there any more: whoever does next is another file.
    near.on('error', () => near.destroy());
    near.on('close', () => offers.delete(near));
  }
};

// It ends with the engine, whose pid it is told, and not before: one that is told to end still has a
// last word to its model. A seal stands for as long as anybody is in it, so that it must not stay.
const engine = Number(process.argv[2]);
const endWithEngine = () => {
  try {
    process.kill(engine, 0);
  } catch {
    process.exit(0);
  }
};
process.on('SIGINT', endWithEngine);
process.on('SIGTERM', endWithEngine);
process.on('SIGHUP', endWithEngine);
setInterval(endWithEngine, 100);

await leadAll();
// A gate that had to take another port has another socket; a port that the session took is its own.
watch(here, () => {
  void leadAll().catch(endWithEngine);
  offerAll();
});
offerAll();
// Whoever starts it waits for these words, and for the end of them.
writeSync(3, 'open');
closeSync(3);
