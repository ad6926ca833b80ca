import { randomBytes } from 'node:crypto';
import { PilothouseError } from '../../../protocol/errors.ts';
import { SCREEN_MAX_CHARS } from '../../../protocol/terminal-frames.ts';
import type { TerminalSize } from '../../../protocol/takeover.ts';
import type { ControlClient } from '../tmux/control-client.ts';
import type { TmuxServer } from '../tmux/server.ts';
import { drawPane, hasBehind, MODE_FORMAT, withoutHistory } from './draw.ts';

/** Lines above the screen that somebody who comes can scroll back to. */
const HISTORY_LINES = 1_000;

/**
 * Reads a pane's screen at an exact place of the output that a client hears: `boundary` is called
 * there. The text goes through buffers of tmux's and processes of their own, because in an answer of
 * control mode a pane could end the answer by looking like its end. Throws `terminal_failed`.
 */
export async function captureAt(
  server: TmuxServer,
  client: ControlClient,
  pane: string,
  boundary: () => void,
): Promise<{ data: string; size: TerminalSize }> {
  const name = `pilothouse-${randomBytes(12).toString('hex')}`;
  const parts = [`${name}-history`, `${name}-screen`, `${name}-behind`] as const;
  const into = (part: string, ...words: string[]) =>
    ['capture-pane', '-e', '-N', '-b', part, '-t', pane].concat(words);
  try {
    const [modes] = await client.runAll(
      [
        ['display-message', '-p', '-t', pane, MODE_FORMAT],
        into(parts[0], '-S', `-${HISTORY_LINES}`, '-E', '-1'),
        into(parts[1]),
        // Without a full-screen program there is nothing behind, which is no fault.
        into(parts[2], '-a', '-q'),
      ],
      boundary,
    );
    const state = Buffer.concat(modes ?? []).toString();
    const read = async (part: string) =>
      (await server.demand(['save-buffer', '-b', part, '-'])).toString();
    const [history, screen, behind] = await Promise.all([
      read(parts[0]),
      read(parts[1]),
      // Of nothing tmux makes no buffer.
      hasBehind(state) ? read(parts[2]) : '',
    ]);
    const drawn = drawPane({ modes: state, history, screen, behind });
    if (drawn.data.length <= SCREEN_MAX_CHARS) return drawn;
    const visible = drawPane({ modes: withoutHistory(state), history: '', screen, behind });
    if (visible.data.length <= SCREEN_MAX_CHARS) return visible;
    throw new PilothouseError('terminal_too_large', { detail: 'the screen' });
  } finally {
    void server.call(parts.map((part) => ['delete-buffer', '-b', part]));
  }
}
