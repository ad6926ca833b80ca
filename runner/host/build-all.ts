import { Failure } from '../failure.ts';
import { buildParts, CONSOLE_PART, WORKER_PART } from './build.ts';
import { PRODUCT_ROOT } from './layout.ts';

// `npm run build`: what a start would build, without the start.
try {
  await buildParts(PRODUCT_ROOT, [WORKER_PART, CONSOLE_PART]);
} catch (error) {
  if (!(error instanceof Failure)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = error.exitCode;
}
