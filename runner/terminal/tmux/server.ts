import { execFile } from 'node:child_process';
import { PilothouseError } from '../../../protocol/errors.ts';
import type { TmuxServer as ServerName } from '../../../protocol/terminal.ts';
import { messageOf } from '../../failure.ts';
import { asArguments, type Words } from './words.ts';

/** Longest that one call of tmux may take, in ms. */
const CALL_MS = 5_000;
const OUTPUT_MAX_BYTES = 64 * 1024 * 1024;

export type TmuxOutput = { ok: boolean; output: Buffer; problem: string };

/**
 * Whether a server is there. `none`: nothing listens, proven. `unknown`: it could not be told, and
 * whoever asks must not act as if it were gone.
 */
export type ServerState = 'there' | 'none' | 'unknown';

/** One tmux server, and how to reach it: the runner's own or the person's default one. */
export class TmuxServer {
  readonly name: ServerName;
  readonly argv: readonly [string, ...string[]];
  readonly env: Readonly<Record<string, string>>;

  constructor(
    name: ServerName,
    argv: readonly [string, ...string[]],
    env: Readonly<Record<string, string>>,
  ) {
    this.name = name;
    this.argv = argv;
    this.env = env;
  }

  /** Calls tmux as a process of its own, with words that are words whatever is in them. */
  call(words: Words | readonly Words[], input: Uint8Array = new Uint8Array()): Promise<TmuxOutput> {
    const commands = words.every((word) => typeof word === 'string') ? [words] : words;
    const [file, ...before] = this.argv;
    return new Promise<TmuxOutput>((resolve) => {
      const child = execFile(
        file,
        [...before, '-u', ...asArguments(...commands)],
        {
          env: this.env,
          encoding: 'buffer',
          timeout: CALL_MS,
          // Asked to end, a client of tmux ends as if all had gone well.
          killSignal: 'SIGKILL',
          maxBuffer: OUTPUT_MAX_BYTES,
        },
        (error, output, problem) => {
          const said = problem.toString().trim();
          const ok = error === null && !child.killed;
          resolve({ ok, output, problem: said || (error?.message ?? '') });
        },
      );
      child.stdin?.on('error', () => undefined);
      child.stdin?.end(input);
    }).catch((error: unknown) => ({
      // More words than the system takes: nothing was started.
      ok: false,
      output: Buffer.alloc(0),
      problem: messageOf(error),
    }));
  }

  /** Calls it and answers what it printed. Throws `terminal_failed` with tmux's own words. */
  async demand(words: Words | readonly Words[], input?: Uint8Array): Promise<Buffer> {
    const { ok, output, problem } = await this.call(words, input);
    if (ok) return output;
    throw new PilothouseError('terminal_failed', { detail: `tmux: ${problem}` });
  }
}

/** What a failed call tells of the server, by tmux's own words. Pure. */
export function serverStateOf({ ok, problem }: Pick<TmuxOutput, 'ok' | 'problem'>): ServerState {
  if (ok) return 'there';
  const none =
    /^no server running on|^error connecting to .*\((No such file or directory|Connection refused)\)/;
  return none.test(problem) ? 'none' : 'unknown';
}

const KEPT =
  /^(HOME|PATH|SHELL|USER|LOGNAME|LANG|LANGUAGE|LC_\w+|TZ|TMPDIR|XDG_\w+|DISPLAY|WAYLAND_DISPLAY|TMUX_TMPDIR)$/;

/**
 * What a tmux server may know of the runner's environment: it hands all of it on to every session,
 * so that it gets no more than says where and in which language it runs.
 */
export function tmuxEnvironment(env: NodeJS.ProcessEnv): Record<string, string> {
  const kept = Object.entries(env).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && KEPT.test(entry[0]),
  );
  return { ...Object.fromEntries(kept), TERM: 'xterm-256color' };
}
