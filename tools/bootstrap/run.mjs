import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { join } from 'node:path';
import { commandNameOf } from './command-name.mjs';
import { NODE, TOP } from './install.mjs';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/**
 * What a command line starts, and with which arguments. `adr` is a tool of its own: it is used
 * in repositories that have nothing to do with sessions, and the runner knows nothing of it.
 * @param {readonly string[]} args
 */
export function entryOf(args) {
  return args[0] === 'adr'
    ? { file: join(TOP, 'tools', 'adr', 'main.ts'), args: args.slice(1) }
    : { file: join(TOP, 'runner', 'main.ts'), args: [...args] };
}

/**
 * Runs the product's own entry on its own Node and ends as it ends. A terminal sends Ctrl-C to the
 * whole foreground group, so the child has it already; a signal sent to this process alone is
 * passed on.
 * @param {readonly string[]} args
 */
export function runPilothouse(args) {
  const entry = entryOf(args);
  const command = commandNameOf(process.env.PATH);
  const child = spawn(NODE, ['--disable-warning=ExperimentalWarning', entry.file, ...entry.args], {
    stdio: 'inherit',
    env: { ...process.env, PILOTHOUSE_COMMAND: command, PILOTHOUSE_ADR_NAME: `${command} adr` },
  });
  for (const signal of SIGNALS) {
    process.on(signal, () => {
      if (signal !== 'SIGINT' || !process.stdin.isTTY) child.kill(signal);
    });
  }
  child.on('error', (error) => {
    console.error(
      `Pilothouse could not be started (${error.message}). Run \`npm start\` once to install it.`,
    );
    process.exitCode = 1;
  });
  child.on('exit', (code, signal) => {
    process.exitCode = signal ? 128 + constants.signals[signal] : (code ?? 1);
  });
}
