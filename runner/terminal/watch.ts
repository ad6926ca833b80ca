import { type ErrorCode, PilothouseError } from '../../protocol/errors.ts';
import type { PaneList } from '../../protocol/panes.ts';
import { backendOf } from '../../protocol/terminal.ts';
import type { TerminalLimits } from '../limits/terminal.ts';
import type { ShownTerminal } from '../shown-terminal.ts';
import { decideCall, decidePane, decideWatch, type Reach } from './decide-reach.ts';
import { executeTerminalCall } from './execute.ts';
import type { Terminals } from './registry.ts';

/** A terminal that is shown to persons. */
export type WatchedTerminal = ShownTerminal & {
  /** What forbids showing it by now; null is nothing. */
  forbidden(): ErrorCode | null;
  close(): void;
};

/** The terminals that a person may watch from the console. Throws what keeps the list from being read. */
export async function listWatchable(
  limits: TerminalLimits,
  terminals: Terminals,
): Promise<PaneList> {
  const { watch, drive } = limits;
  if (!watch) return { panes: [], watch, drive: false };
  const call = { tool: 'terminal_list', params: { backend: null } };
  const answer = await executeTerminalCall(call, limits, terminals);
  if (!answer.ok) throw new PilothouseError(answer.code, { detail: answer.message });
  const panes = 'panes' in answer.value ? answer.value.panes : [];
  const live = new Set([terminals.tmux.backend]);
  return {
    watch,
    drive,
    panes: panes.flatMap((pane) =>
      'backend' in pane
        ? [{ ...pane, shown: live.has(pane.backend) ? ('live' as const) : ('polled' as const) }]
        : [],
    ),
  };
}

/**
 * Opens a terminal for persons to watch, and to type into where `drive` asks. The machine's limits
 * are asked before anything is touched, of the terminal that was found, and again for each key.
 */
export async function watchTerminal(
  target: string,
  drive: boolean,
  limits: () => TerminalLimits,
  terminals: Terminals,
): Promise<WatchedTerminal> {
  const now = limits();
  demand(decideWatch(now, drive));
  demand(
    decideCall(now, { tool: 'terminal_capture', params: { target, history: 0, search: null } }),
  );
  const backend = backendOf(target);
  const connector = [terminals.tmux, ...terminals.others].find((each) => each.backend === backend);
  if (!connector) throw new PilothouseError('terminal_unavailable');
  const found = await connector.find(target);
  demand(decidePane(now, found));
  if (drive && !connector.drivable)
    throw new PilothouseError('terminal_unsupported', {
      detail: `${backend} can be watched from here, not typed into`,
    });
  const shown = await connector.watch(target);
  const refusal = (drives: boolean): ErrorCode | null => {
    try {
      const limited = limits();
      const pane = { backend, target, session: shown.session };
      const reach = [decideWatch(limited, drives), decidePane(limited, pane)].find(
        ({ allowed }) => !allowed,
      );
      return reach && !reach.allowed ? reach.code : null;
    } catch {
      // A file that cannot be read allows nothing.
      return 'limits_unreadable';
    }
  };
  return {
    get size() {
      return shown.size;
    },
    show: (viewer) => shown.show(viewer),
    readScreen: (then) => shown.readScreen(then),
    hold: (held) => shown.hold(held),
    write: (keys) => (refusal(true) === null ? shown.write(keys) : keys.byteLength),
    resize: (size) => shown.resize(size),
    forbidden: () => refusal(false),
    close: () => shown.close(),
  };
}

function demand(reach: Reach): void {
  if (!reach.allowed) throw new PilothouseError(reach.code, { detail: reach.detail });
}
