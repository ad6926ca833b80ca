import type { RelayFrame } from '../../protocol/runner-frames.ts';
import { PROTOCOL_VERSION, REFUSALS, type RefusalReason } from '../../protocol/version.ts';
import { writeAttachment } from './attachment.ts';

/** What each refusal means for the person who reads the runner's log, and what to do. */
const SENTENCES: Record<RefusalReason, string> = {
  runner_too_old: `This runner speaks an older protocol than the server (version ${PROTOCOL_VERSION}). Update Pilothouse on this machine.`,
  server_too_old: `This runner speaks a newer protocol than the server (version ${PROTOCOL_VERSION}). Update the server.`,
  unauthorized:
    'The token is not this runner’s. Register the runner again with `pilothouse runner start`.',
  revoked:
    'The token was replaced or withdrawn. Register the runner again with `pilothouse runner start`.',
  replaced:
    'Another process connected as this runner. Only one may run; stop the other if it is not wanted.',
  protocol_error:
    'A frame was not in the expected form. The connection was closed; nothing acknowledged is lost.',
};

/** Tells a runner why its connection ends, and ends it. */
export function refuseSocket(
  socket: WebSocket,
  reason: RefusalReason,
  detail: string | null = null,
): void {
  const message = detail ? `${SENTENCES[reason]} (${detail})` : SENTENCES[reason];
  writeAttachment(socket, { state: 'ended', heardAt: 0 });
  sendFrame(socket, { type: 'refused', reason, message });
  socket.close(REFUSALS[reason].closeCode, reason);
}

/** Sends a frame; false when the socket is gone, which its own close event reports. */
export function sendFrame(socket: WebSocket, frame: RelayFrame): boolean {
  try {
    socket.send(JSON.stringify(frame));
    return true;
  } catch {
    return false;
  }
}
