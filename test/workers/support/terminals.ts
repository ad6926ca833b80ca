import type { SessionId } from '../../../protocol/ids.ts';
import {
  type HostFrame,
  hostFrame,
  type TerminalFrame,
  terminalFrame,
  viewerFrame,
} from '../../../protocol/terminal-frames.ts';
import type { RegisteredRunner } from './http.ts';
import { openSocket, TestSocket } from './socket.ts';

/** A window on a session's terminal: what it was told, and the output that it was sent. */
export class TerminalWindow extends TestSocket<TerminalFrame> {
  get text(): string {
    return new TextDecoder().decode(Uint8Array.from(this.binary.flatMap((part) => [...part])));
  }

  /** Opens a window that has said what it wants, and was told what it is. */
  static async attached(
    sessionId: SessionId,
    bearer: string,
    key: string | null,
  ): Promise<TerminalWindow> {
    return TerminalWindow.open(`/v1/sessions/${sessionId}/terminal`, bearer, key);
  }

  /** The same at any address that shows a terminal. */
  static async open(path: string, bearer: string, key: string | null): Promise<TerminalWindow> {
    const { status, socket } = await openSocket(path, { bearer });
    if (!socket) throw new Error(`the terminal was refused with ${status}`);
    const window = new TerminalWindow(socket, (text) => terminalFrame.parse(JSON.parse(text)));
    window.send(viewerFrame.parse({ type: 'attach', key, size: null }));
    const { driving } = await window.next('attached');
    if (driving !== (key !== null)) {
      window.socket.close(1000);
      await window.closed();
      throw new Error('the window is not what its key says');
    }
    return window;
  }

  type(text: string): void {
    this.socket.send(new TextEncoder().encode(text));
  }
}

/** The machine's end of a terminal: speaks the protocol over a real socket, runs nothing. */
export class TerminalMachine extends TestSocket<HostFrame> {
  static async connect(runner: RegisteredRunner, sessionId: SessionId): Promise<TerminalMachine> {
    return TerminalMachine.open(runner, `terminals/${sessionId}`);
  }

  /** The machine's end of any terminal that it may show. */
  static async open(runner: RegisteredRunner, below: string): Promise<TerminalMachine> {
    const path = `/v1/runners/${runner.runnerId}/${below}`;
    const { status, socket } = await openSocket(path, { bearer: runner.token });
    if (!socket) throw new Error(`the machine’s terminal was refused with ${status}`);
    return new TerminalMachine(socket, (text) => hostFrame.parse(JSON.parse(text)));
  }

  output(text: string): void {
    this.socket.send(new TextEncoder().encode(text));
  }
}
