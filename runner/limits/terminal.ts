import type { TerminalBackend } from '../../protocol/terminal.ts';
import { KEEP_MINUTES, type LimitsFile } from './schema.ts';

/** What this machine opens of its terminals, whoever asks. Nothing is open that is not named. */
export type TerminalLimits = {
  backends: readonly TerminalBackend[];
  /** The person's default tmux server too, not only sessions that the runner made. */
  defaultServer: boolean;
  /** How names of the person's own tmux sessions must begin; null is any. */
  prefixes: readonly string[] | null;
  /** Variables of the runner that a session of its own may be given. */
  variables: readonly string[];
  /** Where kitty listens; null is where the runner's environment says. */
  kittySocket: string | null;
  /** Persons may watch what is open from the console or another machine, and type there. */
  watch: boolean;
  drive: boolean;
  /** How long a session of ours is kept after its program ended, in ms. */
  keepMs: number;
};

/** The part of limits.toml about terminals; without it none is open. */
export function terminalLimitsOf(
  file: LimitsFile['terminal'],
  real: (path: string) => string,
): TerminalLimits {
  return {
    backends: file?.backends ?? [],
    defaultServer: file?.default_server ?? false,
    prefixes: file?.prefixes ?? null,
    variables: file?.variables ?? [],
    kittySocket: file?.kitty_socket === undefined ? null : real(file.kitty_socket),
    watch: file?.watch ?? true,
    drive: file?.drive ?? true,
    keepMs: Math.round((file?.keep_minutes ?? KEEP_MINUTES) * 60_000),
  };
}
