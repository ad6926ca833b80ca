import { runCli } from './cli/program.ts';

// Started by a host (the IPC channel says so), this process ends with it, however the host ends.
if (process.channel) {
  process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
  process.channel.unref();
}

process.exitCode = await runCli(process.argv.slice(2));
