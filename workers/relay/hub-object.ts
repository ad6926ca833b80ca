import { DurableObject } from 'cloudflare:workers';
import type { Env } from '../env.ts';
import { answerClose } from './attachment.ts';
import type { TerminalHub } from './terminal-hub.ts';

/** An object whose sockets are all of one terminal: its machine's, and those of who looks on. */
export abstract class HubObject extends DurableObject<Env> {
  /** Of the constructor's making: there before any socket speaks. */
  protected abstract readonly hub: TerminalHub;

  /** The machine's access was taken back: it shows nothing more, and nobody types into it. */
  async revoked(): Promise<void> {
    this.hub.revoke();
  }

  override async fetch(request: Request): Promise<Response> {
    return this.hub.accept(request);
  }

  override async webSocketMessage(socket: WebSocket, message: string | ArrayBuffer): Promise<void> {
    await this.hub.hear(socket, message);
  }

  override async webSocketClose(socket: WebSocket, code: number): Promise<void> {
    answerClose(socket, code);
    this.hub.left(socket);
  }

  override async webSocketError(socket: WebSocket): Promise<void> {
    this.hub.left(socket);
  }
}
