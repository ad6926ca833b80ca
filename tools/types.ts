/**
 * Type-checks every room with its own tsconfig, so that a room sees only the types of its own
 * runtime. Exits 1 when any fails.
 */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

const ROOMS = [
  'protocol',
  'workers',
  'runner',
  'console',
  'tools',
  'test',
  'test/workers',
  'test/console',
];

let failed = 0;
for (const room of ROOMS) {
  if (!existsSync(`${room}/tsconfig.json`)) {
    console.error(`types: ${room}/tsconfig.json is missing`);
    failed++;
    continue;
  }
  const result = spawnSync('tsc', ['-p', room], { stdio: 'inherit' });
  console.log(`types: ${room} ${result.status === 0 ? 'ok' : 'failed'}`);
  if (result.status !== 0) failed++;
}
process.exitCode = failed === 0 ? 0 : 1;
