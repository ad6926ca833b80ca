import { PilothouseError } from '../../../protocol/errors.ts';
import { ControlClient } from './control-client.ts';
import { listPanes, type PaneFacts } from './panes.ts';
import type { TmuxServer } from './server.ts';

/** How long a client stays attached after its last use, in ms. */
const LINGER_MS = 30_000;

export type Use = { client: ControlClient; done(): void };
type Held = { client: Promise<ControlClient>; uses: number; timer: NodeJS.Timeout | null };

/**
 * The clients in control mode of one server: one that gives commands and gets no output, and one
 * for each session that somebody watches. Each is attached when it is needed.
 */
export class ControlClients {
  readonly #server: TmuxServer;
  readonly #held = new Map<string, Held>();

  constructor(server: TmuxServer) {
    this.#server = server;
  }

  /** A client that gets the output of the pane's session. */
  watch(pane: PaneFacts): Promise<Use> {
    demandAttach(pane);
    return this.#use(`${pane.server} ${pane.sessionId}`, pane.sessionId, true);
  }

  /** A client for commands to any pane of the server; null where none may attach. */
  async command(near: PaneFacts): Promise<Use | null> {
    const held = this.#held.get(near.server);
    if (held && !(await held.client).ended) return this.#use(near.server, near.sessionId, false);
    const session = [near, ...(await listPanes(this.#server))].find(mayAttach);
    return session ? this.#use(near.server, session.sessionId, false) : null;
  }

  stop(): void {
    for (const [key, held] of this.#held) this.#drop(key, held);
  }

  async #use(key: string, session: string, output: boolean): Promise<Use> {
    const held = await this.#hold(key, session, output);
    held.uses += 1;
    if (held.timer) clearTimeout(held.timer);
    let done = false;
    return {
      client: await held.client,
      done: () => {
        if (done) return;
        done = true;
        held.uses -= 1;
        if (held.uses > 0) return;
        held.timer = setTimeout(() => this.#drop(key, held), LINGER_MS);
        held.timer.unref();
      },
    };
  }

  async #hold(key: string, session: string, output: boolean): Promise<Held> {
    const known = this.#held.get(key);
    const ended = await known?.client.then(
      ({ ended }) => ended,
      () => true,
    );
    if (known && ended === false) return known;
    const newer = this.#held.get(key);
    // Somebody else attached while this one looked.
    if (newer && newer !== known) return newer;
    const { argv, env } = this.#server;
    const client = ControlClient.attach({ argv, env, session, output });
    const held: Held = { client, uses: 0, timer: null };
    this.#held.set(key, held);
    client.then(
      ({ closed }) => void closed.then(() => this.#forget(key, held)),
      () => this.#forget(key, held),
    );
    return held;
  }

  #drop(key: string, held: Held): void {
    if (held.timer) clearTimeout(held.timer);
    this.#forget(key, held);
    held.client.then(
      (client) => client.close(),
      () => undefined,
    );
  }

  #forget(key: string, held: Held): void {
    if (this.#held.get(key) === held) this.#held.delete(key);
  }
}

/** A session that ends with its last client would end when ours leaves. */
const mayAttach = (pane: PaneFacts): boolean => !pane.endsUnattached || pane.attached > 0;

function demandAttach(pane: PaneFacts): void {
  if (mayAttach(pane)) return;
  throw new PilothouseError('terminal_unsupported', {
    detail: 'tmux says destroy-unattached: the session would end with whoever looks on',
  });
}
