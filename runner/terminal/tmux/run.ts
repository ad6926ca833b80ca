import { PilothouseError } from '../../../protocol/errors.ts';
import type { TerminalParams, TerminalRan } from '../../../protocol/terminal.ts';
import { capText, readableOutput } from '../look/text.ts';
import { Collector } from '../run/collector.ts';
import { prepareRun, type RunFiles } from '../run/directory.ts';
import { sourcedScript, sourceLine, WINDOW_SCRIPT } from '../run/scripts.ts';
import type { Use } from './clients.ts';
import type { Closer } from './look.ts';
import { listPanes, type PaneFacts } from './panes.ts';
import { targetOf } from './target.ts';
import { type Pane, typeText, writeBytes } from './write.ts';

/** How often it is looked whether the command has ended or its pane is gone, in ms. */
const LOOK_MS = 200;
/** How long the end's mark may come after the exit code, in ms: tmux still reads the output. */
const DRAIN_MS = 1_000;

type Params = Pick<TerminalParams<'terminal_run_command'>, 'command' | 'timeoutMs'>;

/** Runs a command in a new window of the pane's session, which is closed when it has ended. */
export async function runInWindow(
  pane: Pane,
  params: Params,
  { root, shell }: { root: string; shell: string },
): Promise<TerminalRan> {
  const { server, facts } = pane;
  const files = prepareRun(root, params.command);
  const use = await pane.clients.watch(facts);
  try {
    const running = collect(use, files);
    const wrapped = ['/bin/sh', '-c', WINDOW_SCRIPT, 'sh', files.directory, files.id, shell];
    const where = ['-d', '-t', `${facts.sessionId}:`, '-c', facts.directory.replaceAll('#', '##')];
    const made = ['new-window', ...where, '-P', '-F', '#{pane_id}', '--', ...wrapped];
    const id = (await server.demand(made)).toString().trim();
    // Closed by itself in the end, also when nobody is there any more.
    await server.call(['set-option', '-p', '-t', id, 'remain-on-exit', 'off']);
    // Only now: what came meanwhile is taken first, in order.
    running.pane = id;
    const ran = await running.ended(pane, params.timeoutMs);
    if (ran.status !== 'running') await server.call(['kill-pane', '-t', id]);
    return ran;
  } finally {
    use.done();
  }
}

/** Runs a command in the shell that stands at its prompt in a pane, with all that it changes there. */
export async function runInShell(
  pane: Pane,
  look: Closer,
  params: Params,
  { root }: { root: string },
): Promise<TerminalRan> {
  const { shell } = look;
  if (!shell) throw new PilothouseError('terminal_busy');
  const files = prepareRun(root, params.command, (directory, id) =>
    sourcedScript(shell, directory, id),
  );
  const use = await pane.clients.watch(pane.facts);
  try {
    const running = collect(use, files);
    running.pane = pane.facts.pane;
    const typed = await typeText(pane, look, sourceLine(shell, files.directory), false);
    if (typed.receipt !== 'delivered') {
      files.remove();
      throw new PilothouseError('terminal_unsent_text', {
        detail: 'the line changed while it was typed; it was not sent',
      });
    }
    await writeBytes(pane, Buffer.from('\r'));
    return await running.ended(pane, params.timeoutMs);
  } finally {
    use.done();
  }
}

function collect(use: Use, files: RunFiles) {
  const collector = new Collector(files.id);
  const early: { pane: string; data: Buffer }[] = [];
  const running = {
    /** Null until it is known: the output of a new window may come before its id. */
    pane: null as string | null,
    ended: async (pane: Pane, timeoutMs: number): Promise<TerminalRan> => {
      for (const each of early.splice(0)) take(each.pane, each.data);
      const status = await awaitEnd(running.pane ?? '', pane, timeoutMs);
      stop();
      const over = status === 'running' ? null : (collector.exitCode ?? files.exitCode());
      if (status !== 'running') files.remove();
      const { text, omitted } = capText(readableOutput(collector.read()));
      return {
        status,
        exitCode: over,
        receipt: collector.begun || over !== null ? 'delivered' : 'queued',
        text,
        omitted: omitted + collector.omittedBytes,
        target: targetOf(pane.server.name, pane.facts.server, running.pane ?? ''),
      };
    },
  };
  const take = (from: string, data: Buffer): void => {
    if (running.pane === null) early.push({ pane: from, data });
    else if (from === running.pane) collector.feed(data);
  };
  const stop = use.client.onOutput(take);

  async function awaitEnd(id: string, pane: Pane, timeoutMs: number) {
    const end = Date.now() + timeoutMs;
    let drained = Infinity;
    for (let looks = 1; ; looks++) {
      if (collector.exitCode !== null) return 'ended';
      if (files.exitCode() !== null) drained = Math.min(drained, Date.now() + DRAIN_MS);
      if (Date.now() > drained) return 'ended';
      if (Date.now() > end) return 'running';
      if (looks % 10 === 0 && !(await isThere(pane, id))) return 'interrupted';
      await new Promise<void>((resolve) => {
        const timer = setTimeout(done, LOOK_MS);
        const off = use.client.onOutput(() => collector.exitCode !== null && done());
        function done(): void {
          clearTimeout(timer);
          off();
          resolve();
        }
      });
    }
  }
  return running;
}

async function isThere({ server, facts }: Pane, id: string): Promise<boolean> {
  const panes: PaneFacts[] | null = await listPanes(server).catch(() => null);
  // A server that does not answer is not a pane that is gone.
  if (!panes) return true;
  return panes.some((each) => each.server === facts.server && each.pane === id && !each.dead);
}
