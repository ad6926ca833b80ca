import { type SQLWrapper, sql } from 'drizzle-orm';
import { operatorInstances, sessions } from '../db/schema.ts';

/** What a session is about, beside a join with it, or what the operator of an instance is called. */
export const titleOfDoer = (doer: SQLWrapper) => sql<string | null>`coalesce(${sessions.title}, (
  SELECT json_extract(instance.body, '$.name') FROM ${operatorInstances} AS instance
  WHERE instance.instance_id = ${doer} ORDER BY instance.revision DESC LIMIT 1
))`;
