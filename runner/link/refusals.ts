import type { RefusalReason } from '../../protocol/version.ts';

/** What a refusal means for the person at this machine, and what to do about it. */
export function sentenceOfRefusal(reason: RefusalReason): string {
  switch (reason) {
    case 'runner_too_old':
      return 'This runner is older than the server understands, so it was not let in. Update Pilothouse on this machine and start the runner again.';
    case 'server_too_old':
      return 'The server is older than this runner understands, so the runner was not let in. Update Pilothouse where the server runs, then start the runner again.';
    case 'unauthorized':
      return 'The server does not accept this runner’s token, so nothing can be launched here. Its access was taken back, or it was paired anew elsewhere: press “Pair again” on its page in the console, then run `pilothouse runner pair`.';
    case 'revoked':
      return 'This runner’s access was taken back, so it ends its engines and stops. Press “Pair again” on its page in the console if that was not meant.';
    case 'replaced':
      return 'Another process connected as this runner and took its place, so this one stops. Stop the other one first if this is the one to keep.';
    case 'protocol_error':
      return 'The server could not read what this runner sent and closed the connection. It connects again by itself; if this repeats, both sides need the same version of Pilothouse.';
    default:
      return reason satisfies never;
  }
}
