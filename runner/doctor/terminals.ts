import type { DoctorFinding } from '../../protocol/machine.ts';
import type { TerminalCapabilities } from '../../protocol/terminal.ts';
import { shellWord } from '../../protocol/shell-word.ts';
import { installCommand, type Packages } from '../host/packages.ts';

/** What is found of the terminals of this machine, without touching any that is closed. */
export type TerminalFacts = {
  capabilities: readonly TerminalCapabilities[];
  /** The socket of the runner's own server, where something holds it and does not answer. */
  deafSocket: string | null;
  /** Version of the running server, where it is another than the program's. */
  olderServer: string | null;
  /** Sessions of ours whose program has ended. */
  ended: number;
};

const CHECK = 'terminals';

const NAMES = { tmux: 'tmux', kitty: 'kitty', iterm2: 'iTerm2' } as const;
const remedyOf = (backend: keyof typeof NAMES, packages: Packages): string =>
  ({
    tmux: `tmux 3.3 or newer: ${installCommand(packages, 'tmux')}`,
    kitty:
      "`printf 'allow_remote_control socket-only\\nlisten_on unix:%s/.cache/kitty.sock\\n' ~ >> ~/.config/kitty/kitty.conf`, restart kitty, and name the socket as `kitty_socket` in limits.toml.",
    iterm2:
      packages === 'brew'
        ? '`open -a iTerm`, and allow the runner to control it when macOS asks.'
        : 'Only a Mac has iTerm2: take `"iterm2"` out of `backends` under `[terminal]` in limits.toml.',
  })[backend];

/** The findings on the terminals that limits.toml opens; null where they cannot be read. */
export function checkTerminals(facts: TerminalFacts | null, packages: Packages): DoctorFinding[] {
  // A file that cannot be read is a finding of its own.
  if (facts === null) return [];
  const { capabilities, deafSocket, olderServer, ended } = facts;
  if (capabilities.length === 0)
    return [ok('No terminal is open to operators; `[terminal]` in limits.toml opens one.')];
  return [
    ...capabilities.map(({ backend, available, version, note }) => {
      const name = NAMES[backend];
      const check = `${CHECK} ${backend}`;
      if (!available)
        return {
          ...warn(`${name} cannot be reached. ${note ?? ''}`.trim(), remedyOf(backend, packages)),
          check,
        };
      const said = `${name}${version ? ` ${version}` : ''} is open to operators.`;
      return { ...ok(note ? `${said} ${note}` : said), check };
    }),
    ...(deafSocket
      ? [
          warn(
            'The tmux server of the runner does not answer.',
            `\`${packages === 'brew' ? 'lsof' : 'fuser -v'} ${shellWord(deafSocket)}\` says who holds its socket: end that by its pid, then \`rm ${shellWord(deafSocket)}\`.`,
          ),
        ]
      : []),
    ...(olderServer
      ? [
          warn(
            `The running tmux server is ${olderServer}, and tmux was replaced since.`,
            'No command can without ending what runs in it: close its sessions when their work is done; the next one starts the newer server.',
          ),
        ]
      : []),
    ...(ended > 0
      ? [
          ok(
            `${ended === 1 ? 'One session has' : `${ended} sessions have`} ended and will be closed; \`keep_minutes\` says when.`,
          ),
        ]
      : []),
  ].map((finding, index, all) =>
    // Checks are told apart by their names.
    all.findIndex(({ check }) => check === finding.check) === index
      ? finding
      : { ...finding, check: `${finding.check} ${index}` },
  );
}

const ok = (message: string): DoctorFinding => ({
  check: CHECK,
  status: 'ok',
  message,
  remedy: null,
});
const warn = (message: string, remedy: string): DoctorFinding => ({
  check: CHECK,
  status: 'warning',
  message,
  remedy,
});
