import { existsSync } from 'node:fs';
import process from 'node:process';
import { keyPath } from './files.ts';
import { ModelGate } from './server.ts';
import { readOrMakeKey } from './tokens.ts';

// A process of its own, because engines outlive their runner: their calls go on while there is none,
// as far as they were granted.

/** How often it asks itself whether it is still of use, in ms, and how often in vain before it ends. */
const LOOK_MS = 5_000;
const LOOKS_ALONE = 180;

const [, , root = ''] = process.argv;
const gate = new ModelGate({
  root,
  key: readOrMakeKey(keyPath(root)),
  env: process.env,
  now: Date.now,
  ended: () => void gate.close().then(() => process.exit(0)),
});
await gate.listen();
process.send?.('listening');
if (process.channel) process.disconnect();

let heard = -1;
let alone = 0;
setInterval(() => {
  alone = gate.heard !== heard || gate.busy ? 0 : alone + 1;
  heard = gate.heard;
  if (!existsSync(root) || alone > LOOKS_ALONE) process.exit(0);
}, LOOK_MS);
