import { enableCompileCache } from 'node:module';
import { fileURLToPath } from 'node:url';

// Compiled code is kept beside what is built: it halves the time to load Miniflare.
enableCompileCache(fileURLToPath(new URL('../dist/compiled', import.meta.url)));

// Started by a host (the IPC channel says so), this process ends with it, however the host ends.
if (process.channel) {
  process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
  process.channel.unref();
  // A killed host reads no more. A word that nobody hears must not keep the engines from ending.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
}

// Loaded only now, so that the cache holds it too.
const { runCli } = await import('./cli/program.ts');
const exitCode = await runCli(process.argv.slice(2));
// What is left open by now only says goodbye to somebody who may not answer.
process.stdout.write('', () => process.exit(exitCode));
