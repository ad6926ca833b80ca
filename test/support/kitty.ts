import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { askKitty } from '../../runner/terminal/kitty/remote.ts';
import { endProcessesOf } from './processes.ts';
import { until } from './until.ts';

/** A real kitty on a screen that nobody sees, listening on a socket in a directory of its own. */
export class RealKitty {
  readonly directory = mkdtempSync(join(tmpdir(), 'pilothouse-kitty-'));
  readonly socket = join(this.directory, 'sock');
  readonly #children: ChildProcess[] = [];

  /** `secret` is in the environment of its windows. */
  async start(secret: string): Promise<void> {
    const screen = spawn('Xvfb', ['-displayfd', '3', '-screen', '0', '900x700x24'], {
      stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
    });
    this.#children.push(screen);
    const display = await new Promise<string>((resolve, reject) => {
      screen.stdio[3]?.once('data', (data: Buffer) => resolve(data.toString().trim()));
      screen.once('error', reject);
    });
    const words = ['--config', 'NONE', '-o', 'allow_remote_control=socket-only'];
    const shell = ['-o', 'shell_integration=disabled', '--listen-on', `unix:${this.socket}`];
    const kitty = spawn('kitty', [...words, ...shell, 'bash', '--norc'], {
      stdio: 'ignore',
      env: {
        HOME: this.directory,
        PATH: process.env['PATH'],
        DISPLAY: `:${display}`,
        LANG: 'C.UTF-8',
        LIBGL_ALWAYS_SOFTWARE: '1',
        A_SECRET: secret,
      },
    });
    this.#children.push(kitty);
    await until('kitty', () => askKitty(this.socket, 'ls', {}).catch(() => null), {
      withinMs: 60_000,
    });
  }

  close(): void {
    for (const child of this.#children.splice(0).toReversed()) child.kill('SIGKILL');
    endProcessesOf(this.directory);
    rmSync(this.directory, { recursive: true, force: true });
  }
}
