import type { TmuxServer } from './server.ts';

/** The oldest with what is relied on: client flags of control mode, bracketed paste, user options. */
export const TMUX_MIN = [3, 3] as const;

/** Parses `tmux -V` (`tmux 3.3a`, `tmux next-3.5`); null for what names no version. */
export function parseTmuxVersion(
  output: string,
): { text: string; numbers: [number, number] } | null {
  const match = /tmux (?:next-|openbsd-)?((\d+)\.(\d+)\w*)/.exec(output);
  if (!match?.[1]) return null;
  return { text: match[1], numbers: [Number(match[2]), Number(match[3])] };
}

/** What is wrong with a version, as a sentence; null is nothing. */
export function tmuxProblem(version: ReturnType<typeof parseTmuxVersion>): string | null {
  if (!version) return 'tmux is not installed.';
  const [major, minor] = version.numbers;
  const old = major < TMUX_MIN[0] || (major === TMUX_MIN[0] && minor < TMUX_MIN[1]);
  return old ? `tmux ${version.text} is older than ${TMUX_MIN.join('.')}.` : null;
}

/** Asks the program for its version. */
export async function readTmuxVersion(
  servers: readonly TmuxServer[],
): Promise<{ version: string | null; problem: string | null }> {
  const output = (await servers[0]?.call(['-V']))?.output.toString() ?? '';
  const version = parseTmuxVersion(output);
  return { version: version?.text ?? null, problem: tmuxProblem(version) };
}
