import process from 'node:process';
import { keyPath } from '../lasting/files.ts';
import { stayWhileUsed } from '../lasting/stay.ts';
import { readOrMakeKey } from '../lasting/tokens.ts';
import { ModelGate } from './server.ts';

// A process of its own, because engines outlive their runner: their calls go on while there is none,
// as far as they were granted.

const [, , root = ''] = process.argv;
const gate = new ModelGate({
  root,
  key: readOrMakeKey(keyPath(root)),
  env: process.env,
  now: Date.now,
  ended: () => void gate.close().then(() => process.exit(0)),
});
await gate.listen();
stayWhileUsed(root, gate);
