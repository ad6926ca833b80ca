import { drizzle } from 'drizzle-orm/d1';
import * as schema from './schema.ts';

/** Drizzle over the Worker's D1 binding. Made per request: it holds no connection. */
export function openDatabase(d1: D1Database) {
  return drizzle(d1, { schema });
}

export type Database = ReturnType<typeof openDatabase>;
