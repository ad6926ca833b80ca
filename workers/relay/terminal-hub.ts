import { parseFrame } from '../../protocol/codec.ts';
import { type ErrorCode, ERRORS, parseErrorCode } from '../../protocol/errors.ts';
import { PING, PONG } from '../../protocol/runner-frames.ts';
import {
  encodeKeys,
  type HostFrame,
  INPUT_FRAME_BYTES,
  machineFrame,
  OUTPUT_FRAME_BYTES,
  type TerminalFrame,
  viewerFrame,
  type ViewerFrame,
} from '../../protocol/terminal-frames.ts';
import { REFUSALS } from '../../protocol/version.ts';
import { isCredentialLive } from '../access/credentials.ts';
import { openDatabase } from '../db/client.ts';
import type { Env } from '../env.ts';
import { MACHINE_HEADER, VIEWER_HEADER, viewerIdentity } from '../lib/calls.ts';
import { sha256Hex } from '../lib/crypto.ts';
import { describeFault, log } from '../lib/logger.ts';
import { TerminalViewer } from './terminal-viewers.ts';

/** The tag of the machine's socket; viewers have the other. */
const MACHINE = 'machine';
const VIEWER = 'viewer';

/** Whose terminal it is, and what its owner decides. */
export type HubOwner = {
  /** Facts that stand in each line of the log about it. */
  facts: Record<string, string>;
  /** The epoch under which the key of this hash drives; null when it does not. Throws when it cannot be told. */
  epochOf(keyHash: string | null): Promise<number | null>;
  /** Why nobody types into it at all now; null where somebody may. Absent: somebody always may. */
  whyNoKeys?(): Promise<ErrorCode | null>;
  /** A window has said what it wants. */
  attached?(viewer: TerminalViewer): void;
  /** A window is gone. */
  left?(viewer: TerminalViewer): void;
  /** Keys are about to go to the machine: what has to be kept of them is kept now. */
  typed?(viewer: TerminalViewer, bytes: number): void;
  /** The machine's connection opened or was lost. */
  machine?(connected: boolean): void;
  /** The machine shows it no more. */
  ended?(code: ErrorCode): void;
};

/**
 * A live terminal: the machine's socket on one side, windows on the other, and nothing kept. Who
 * drives is its owner's word; the machine checks the epoch again.
 */
export class TerminalHub {
  readonly #ctx: DurableObjectState;
  readonly #env: Env;
  readonly #owner: HubOwner;
  readonly #viewers = new Map<WebSocket, TerminalViewer>();

  constructor(ctx: DurableObjectState, env: Env, owner: HubOwner) {
    this.#ctx = ctx;
    this.#env = env;
    this.#owner = owner;
    ctx.setWebSocketAutoResponse(new WebSocketRequestResponsePair(PING, PONG));
    for (const socket of ctx.getWebSockets(VIEWER)) {
      const viewer = TerminalViewer.wake(socket);
      if (viewer) this.#viewers.set(socket, viewer);
    }
  }

  /** Windows that have said what they want. */
  get attached(): TerminalViewer[] {
    return [...this.#viewers.values()].filter((viewer) => viewer.attached);
  }

  /** Whether the machine shows it now. */
  get connected(): boolean {
    return this.#machines().length > 0;
  }

  /** From here on the lease is of this epoch, or nobody's: whoever drove before only watches. */
  leaseChanged(epoch: number | null): void {
    for (const viewer of this.#viewers.values())
      if (viewer.epoch !== null && viewer.epoch !== epoch) viewer.demote();
    this.#tellDriver();
  }

  /** Tells the machine, if it is there. */
  tell(frame: HostFrame): void {
    this.#tell(frame);
  }

  /** Tells every window. */
  show(frame: TerminalFrame): void {
    for (const viewer of this.attached) viewer.send(frame);
  }

  /** Closes every window with the reason: connecting again by itself does not help. */
  end(code: ErrorCode, sentence: string = ERRORS[code].sentence): void {
    for (const viewer of this.#viewers.values()) viewer.fail('revoked', code, sentence);
  }

  /** Ends both sides: what the machine would show, and who would look on. */
  revoke(): void {
    this.end('runner_revoked');
    for (const machine of this.#ctx.getWebSockets(MACHINE))
      machine.close(REFUSALS.revoked.closeCode, 'revoked');
  }

  accept(request: Request): Response {
    const { 0: client, 1: server } = new WebSocketPair();
    if (request.headers.get(MACHINE_HEADER) !== null) this.#connect(server);
    else {
      const identity = viewerIdentity.parse(
        JSON.parse(request.headers.get(VIEWER_HEADER) ?? 'null'),
      );
      this.#ctx.acceptWebSocket(server, [VIEWER]);
      this.#viewers.set(server, TerminalViewer.open(server, identity, Date.now()));
    }
    return new Response(null, { status: 101, webSocket: client });
  }

  async hear(socket: WebSocket, message: string | ArrayBuffer): Promise<void> {
    const viewer = this.#viewers.get(socket);
    if (!viewer) return this.#hearMachine(socket, message);
    await viewer.inTurn(() => this.#hearFrame(viewer, message));
  }

  async #hearFrame(viewer: TerminalViewer, message: string | ArrayBuffer): Promise<void> {
    this.#checkCredential(viewer);
    if (typeof message !== 'string') return this.#keys(viewer, message);
    const parsed = parseFrame(viewerFrame, message);
    if (parsed.kind === 'unknown') return;
    if (parsed.kind === 'invalid')
      return viewer.fail('protocol_error', 'bad_request', parsed.reason);
    await this.#hearViewer(viewer, parsed.value);
  }

  /** The machine's new terminal replaces an earlier one. */
  #connect(server: WebSocket): void {
    for (const earlier of this.#ctx.getWebSockets(MACHINE))
      earlier.close(REFUSALS.replaced.closeCode, 'replaced');
    this.#ctx.acceptWebSocket(server, [MACHINE]);
    for (const viewer of this.#viewers.values()) {
      viewer.flow.reset();
      if (viewer.attached) viewer.send({ type: 'machine', connected: true });
    }
    this.#tellDriver(server);
    this.#owner.machine?.(true);
    this.#askScreens(server);
  }

  /** A socket has ended. */
  left(socket: WebSocket): void {
    const viewer = this.#viewers.get(socket);
    if (viewer) {
      this.#viewers.delete(socket);
      if (viewer.epoch !== null) this.#tellDriver();
      if (this.attached.length === 0) this.#tell({ type: 'quiet' });
      return this.#owner.left?.(viewer);
    }
    const [current] = this.#machines(socket);
    if (current) return;
    for (const each of this.#viewers.values()) {
      each.flow.reset();
      if (each.attached) each.send({ type: 'machine', connected: false });
    }
    this.#owner.machine?.(false);
  }

  #hearMachine(socket: WebSocket, message: string | ArrayBuffer): void {
    const [current] = this.#machines();
    if (socket !== current) return;
    if (typeof message !== 'string') return this.#output(socket, message);
    const parsed = parseFrame(machineFrame, message);
    if (parsed.kind === 'invalid') {
      log('warn', 'terminal.frame', { ...this.#owner.facts, reason: parsed.reason });
      socket.close(REFUSALS.protocol_error.closeCode, 'protocol_error');
    }
    if (parsed.kind !== 'valid') return;
    const frame = parsed.value;
    switch (frame.type) {
      case 'screen': {
        const { viewer: id, columns, rows, data } = frame;
        const viewer = this.attached.find((each) => each.id === id);
        viewer?.send({ type: 'screen', columns, rows, data });
        return viewer?.flow.shown();
      }
      case 'size':
        for (const viewer of this.attached) viewer.send(frame);
        return;
      case 'dropped':
        for (const viewer of this.attached) if (viewer.epoch !== null) viewer.send(frame);
        return;
      case 'resync':
        for (const viewer of this.attached) viewer.flow.reset();
        return this.#askScreens();
      case 'ended':
        return this.#owner.ended?.(parseErrorCode(frame.code));
      default:
        frame satisfies never;
    }
  }

  #output(machine: WebSocket, bytes: ArrayBuffer): void {
    if (bytes.byteLength > OUTPUT_FRAME_BYTES)
      return machine.close(REFUSALS.protocol_error.closeCode, 'protocol_error');
    for (const viewer of this.attached) {
      this.#checkCredential(viewer);
      if (viewer.flow.takes(bytes.byteLength)) viewer.sendRaw(bytes);
    }
    this.#askScreens();
    if (bytes.byteLength > 0) this.#tell({ type: 'ack', bytes: bytes.byteLength });
  }

  async #hearViewer(viewer: TerminalViewer, frame: ViewerFrame): Promise<void> {
    switch (frame.type) {
      case 'attach': {
        const hash = frame.key === null ? null : await sha256Hex(frame.key);
        const before = viewer.attached ? viewer.epoch : undefined;
        viewer.attach(await this.#owner.epochOf(hash));
        // Who asks for what it has, as a window does that was put away, is shown all of it again.
        if (before === viewer.epoch) viewer.flow.reset();
        const { connected } = this;
        viewer.send({ type: 'attached', driving: viewer.epoch !== null, connected });
        this.#owner.attached?.(viewer);
        if (viewer.epoch !== null && frame.size)
          this.#tell({ type: 'resize', epoch: viewer.epoch, size: frame.size });
        this.#tellDriver();
        return this.#askScreens();
      }
      case 'resize':
        if (viewer.epoch !== null)
          this.#tell({ type: 'resize', epoch: viewer.epoch, size: frame.size });
        return;
      case 'ack':
        viewer.flow.acked(frame.bytes);
        return this.#askScreens();
      default:
        frame satisfies never;
    }
  }

  async #keys(viewer: TerminalViewer, bytes: ArrayBuffer): Promise<void> {
    if (bytes.byteLength > INPUT_FRAME_BYTES)
      return viewer.fail('protocol_error', 'payload_too_large', ERRORS.payload_too_large.sentence);
    if (bytes.byteLength === 0) return;
    const [machine] = this.#machines();
    if (viewer.epoch === null || !machine) {
      const code = (await this.#owner.whyNoKeys?.()) ?? null;
      if (code) return viewer.send({ type: 'failed', code, message: ERRORS[code].sentence });
      return viewer.send({ type: 'dropped', bytes: bytes.byteLength });
    }
    this.#owner.typed?.(viewer, bytes.byteLength);
    machine.send(encodeKeys(viewer.epoch, new Uint8Array(bytes)));
  }

  /** A credential that was withdrawn sees and types nothing for longer than the check takes. */
  #checkCredential(viewer: TerminalViewer): void {
    const credential = viewer.credentialToCheck(Date.now());
    if (credential === null) return;
    this.#ctx.waitUntil(this.#endUnlessLive(viewer, credential));
  }

  async #endUnlessLive(viewer: TerminalViewer, credential: string): Promise<void> {
    try {
      if (await isCredentialLive(openDatabase(this.#env.DB), credential, Date.now())) return;
      viewer.fail('unauthorized', 'unauthenticated', ERRORS.unauthenticated.sentence);
    } catch (fault) {
      const facts = { ...this.#owner.facts, fault: describeFault(fault) };
      log('warn', 'terminal.credential', facts);
    }
  }

  #askScreens(machine = this.#machines()[0]): void {
    if (!machine) return;
    for (const viewer of this.attached)
      if (viewer.flow.wantsScreen()) this.#tell({ type: 'show', viewer: viewer.id }, machine);
  }

  #tellDriver(machine = this.#machines()[0]): void {
    const present = this.attached.some((viewer) => viewer.epoch !== null);
    this.#tell({ type: 'driver', present }, machine);
  }

  #tell(frame: HostFrame, machine = this.#machines()[0]): void {
    machine?.send(JSON.stringify(frame));
  }

  #machines(except: WebSocket | null = null): WebSocket[] {
    const open = (socket: WebSocket) => socket.readyState === WebSocket.OPEN;
    return this.#ctx.getWebSockets(MACHINE).filter((socket) => socket !== except && open(socket));
  }
}
