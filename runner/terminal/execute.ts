import { PilothouseError } from '../../protocol/errors.ts';
import {
  backendOf,
  TERMINAL_TEXT_MAX,
  terminalCall,
  type TerminalAnswer,
  type TerminalCall,
  type TerminalPane,
  type TerminalSession,
  type TerminalTool,
  type TerminalValue,
} from '../../protocol/terminal.ts';
import type { TerminalScope } from '../../protocol/terminal-command.ts';
import type { TerminalLimits } from '../limits/terminal.ts';
import type { AgentStart, Connector } from './connector.ts';
import { decideCall, decidePane, decideScope, type Reach } from './decide-reach.ts';
import type { Terminals } from './registry.ts';

/**
 * The one way from a call to a terminal. The machine's own limits are asked twice, whatever was
 * decided elsewhere: by the words of the call before anything is touched, and of the terminal that
 * was found. Never throws for what a call can cause.
 */
export async function executeTerminalCall(
  call: unknown,
  limits: TerminalLimits,
  terminals: Terminals,
  scope: TerminalScope | null = null,
  start: AgentStart | null = null,
): Promise<TerminalAnswer> {
  try {
    const parsed = parseCall(call);
    demand(decideCall(limits, parsed));
    return { ok: true, value: await carryOut(parsed, limits, terminals, { scope, start }) };
  } catch (error) {
    if (!(error instanceof PilothouseError)) throw error;
    return { ok: false, code: error.code, message: error.message };
  }
}

function parseCall(call: unknown): TerminalCall {
  const text = (call as { params?: { text?: unknown } } | null)?.params?.text;
  // Told by its size alone: nothing else of it needs to be right.
  if (typeof text === 'string' && text.length > TERMINAL_TEXT_MAX)
    throw new PilothouseError('terminal_too_large', {
      detail: `${text.length} characters; ${TERMINAL_TEXT_MAX} at most`,
    });
  const parsed = terminalCall.safeParse(call);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const detail = issue && `${issue.path.join('.')}: ${issue.message}`;
  throw new PilothouseError('bad_request', { detail });
}

async function carryOut(
  call: TerminalCall,
  limits: TerminalLimits,
  { tmux, others }: Terminals,
  { scope, start }: { scope: TerminalScope | null; start: AgentStart | null },
): Promise<TerminalValue[TerminalTool]> {
  const open = [tmux, ...others].filter(({ backend }) => limits.backends.includes(backend));
  const isOpen = (pane: TerminalPane, asked: string = pane.target) =>
    decidePane(limits, pane).allowed && decideScope(scope, pane, asked).allowed;
  const { tool, params } = call;
  switch (tool) {
    case 'tmux_list_sessions': {
      const sessions = await tmux.listSessions(limits.defaultServer);
      return { sessions: sessions.flatMap((session) => cutSession(session, scope, isOpen)) };
    }
    case 'tmux_create_session':
      demand(decideScope(scope, { backend: 'tmux', session: params.name }, null));
      return tmux.create(params, start);
    case 'terminal_list': {
      const chosen = open.filter(({ backend }) => (params.backend ?? backend) === backend);
      const lists = await Promise.all(
        chosen.map((each) =>
          each.list(limits.defaultServer).catch((error: unknown) => {
            // Of all kinds, those that are not here have none; of one that was named, it is told.
            if (params.backend === null && isUnavailable(error)) return [];
            throw error;
          }),
        ),
      );
      const bound = await boundPanes(scope, () => tmux.listSessions(limits.defaultServer));
      const askedFor = (pane: TerminalPane) =>
        bound?.has(pane.target) ? (scope?.only ?? pane.target) : pane.target;
      return { panes: lists.flat().filter((pane) => isOpen(pane, askedFor(pane))) };
    }
    default: {
      const connector = open.find(({ backend }) => backend === backendOf(params.target));
      if (!connector) throw new PilothouseError('terminal_unavailable');
      const found = await connector.find(params.target);
      demand(decidePane(limits, found));
      demand(decideScope(scope, found, params.target));
      return touch(begunBy(start, call), connector, tmux);
    }
  }
}

/** A session is shown whole or not at all; of one with the bound pane, that pane is shown. */
function cutSession(
  session: TerminalSession,
  scope: TerminalScope | null,
  isOpen: (pane: TerminalPane, asked: string) => boolean,
): TerminalSession[] {
  const { target, panes } = session;
  const only = scope?.only ?? null;
  if (!panes.every((pane) => isOpen(pane, only ?? pane.target))) return [];
  if (only === null || only === target) return [session];
  const bound = panes.filter((pane) => pane.target === only);
  return bound.length > 0 ? [{ ...session, panes: bound }] : [];
}

/** The panes of the session that an operator is bound to; null where it is bound to none. */
async function boundPanes(
  scope: TerminalScope | null,
  listSessions: () => Promise<TerminalSession[]>,
): Promise<Set<string> | null> {
  if (!scope?.only?.includes(':$')) return null;
  const session = (await listSessions()).find(({ target }) => target === scope.only);
  return new Set(session?.panes.map(({ target }) => target));
}

type Touching = Extract<TerminalCall, { params: { target: string } }>;

/** A command in a window or a session of ours, begun so that an agent in it asks through its hooks. */
function begunBy(start: AgentStart | null, call: Touching): Touching {
  if (call.tool !== 'tmux_run_command' && call.tool !== 'terminal_run_command') return call;
  const { target, where, command } = call.params;
  const ours = where === 'window' || target.startsWith('tmux:own:');
  const hooked = ours ? start?.line(command) : null;
  return hooked ? { ...call, params: { ...call.params, command: hooked } } : call;
}

async function touch(
  { tool, params }: Touching,
  connector: Connector,
  tmux: Terminals['tmux'],
): Promise<TerminalValue[TerminalTool]> {
  switch (tool) {
    case 'tmux_capture_pane':
    case 'terminal_capture':
      return connector.capture(params);
    case 'tmux_run_command':
    case 'terminal_run_command':
      return connector.run(params);
    case 'terminal_send_text':
      return connector.sendText(params);
    case 'tmux_send_keys':
    case 'terminal_send_keys':
      return connector.sendKeys(params);
    case 'tmux_kill_session':
      await tmux.kill(params.target);
      return { closed: true };
    case 'terminal_close':
      await connector.close(params.target);
      return { closed: true };
    default:
      return tool satisfies never;
  }
}

const isUnavailable = (error: unknown): boolean =>
  error instanceof PilothouseError && error.code === 'terminal_unavailable';

function demand(reach: Reach): void {
  if (!reach.allowed) throw new PilothouseError(reach.code, { detail: reach.detail });
}
