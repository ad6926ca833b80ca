import { buildParts, CONSOLE_PART, WORKER_PART } from './build.ts';
import { PRODUCT_ROOT } from './layout.ts';

// `npm run build`: what a start would build, without the start.
await buildParts(PRODUCT_ROOT, [WORKER_PART, CONSOLE_PART]);
