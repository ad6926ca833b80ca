import { existsSync } from 'node:fs';
import process from 'node:process';

/** How often it asks itself whether it is still of use, in ms, and how often in vain before it ends. */
const LOOK_MS = 5_000;
const LOOKS_ALONE = 180;

export type Stays = {
  /** Times that anybody called. */
  readonly heard: number;
  /** Something that an engine began is under way. */
  readonly busy: boolean;
};

/**
 * Tells the runner that this process listens, and lets it go: it stays for as long as its directory
 * is there and anybody has a use for it.
 */
export function stayWhileUsed(root: string, server: Stays): void {
  process.send?.('listening');
  if (process.channel) process.disconnect();
  let heard = -1;
  let alone = 0;
  setInterval(() => {
    alone = server.heard !== heard || server.busy ? 0 : alone + 1;
    heard = server.heard;
    if (!existsSync(root) || alone > LOOKS_ALONE) process.exit(0);
  }, LOOK_MS);
}
