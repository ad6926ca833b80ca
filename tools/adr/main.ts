import { runAdr } from './cli/program.ts';

// Set, not exited with: what was printed to a pipe has to arrive.
process.exitCode = await runAdr(process.argv.slice(2));
