import { dirname } from 'node:path';
import process from 'node:process';
import { keyPath } from '../lasting/files.ts';
import { stayWhileUsed } from '../lasting/stay.ts';
import { readOrMakeKey } from '../lasting/tokens.ts';
import { Egress, portFilesIn } from './server.ts';

// A process of its own, because engines outlive their runner, and so does what they reach.

const [, , root = ''] = process.argv;
process.chdir(root);
const egress = new Egress({
  root,
  portFiles: portFilesIn(dirname(root)),
  key: readOrMakeKey(keyPath(root)),
  env: process.env,
  ended: () => void egress.close().then(() => process.exit(0)),
});
await egress.listen();
stayWhileUsed(root, egress);
