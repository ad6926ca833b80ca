import { openDatabase } from '../db/client.ts';
import type { RunReader } from '../reports/read.ts';
import type { AppContext } from './context.ts';

/** Reads runs for the one who asks, as they are now. */
export function runReader(context: AppContext): RunReader {
  const { accountId } = context.get('principal');
  const database = openDatabase(context.env.DB);
  return { env: context.env, database, accountId, nowMs: Date.now() };
}
