import type { z } from '@hono/zod-openapi';
import { errorBody } from '../../protocol/errors.ts';
import type { PrincipalKind } from '../access/principal.ts';
import { allow, allowAnyone } from './auth.ts';

/** How each caller proves who it is, in the words of OpenAPI. */
const SECURITY: Record<PrincipalKind, Record<string, string[]>> = {
  host: { hostToken: [] },
  person: { sessionCookie: [] },
  cli: { cliToken: [] },
  runner: { runnerToken: [] },
  decisionKey: { decisionKey: [] },
  mcpKey: { mcpKey: [] },
};

/** The parts of a route that say what it is called and who may call it. */
export function calledBy(operationId: string, ...kinds: readonly PrincipalKind[]) {
  return {
    operationId,
    security: kinds.map((kind) => SECURITY[kind]),
    middleware: kinds.length > 0 ? allow(operationId, ...kinds) : allowAnyone(operationId),
  };
}

export const PERSON_AND_CLI = ['person', 'cli'] as const;

/** An answer of this schema, as OpenAPI describes it. */
export function json<S extends z.ZodType>(schema: S, description: string) {
  return { description, content: { 'application/json': { schema } } };
}

/** A body of this schema, which must be there and must say that it is JSON. */
export function jsonBody<S extends z.ZodType>(schema: S) {
  return { required: true, content: { 'application/json': { schema } } };
}

/** Every operation can also answer an error of the one form. */
export const ERROR_ANSWER = { default: json(errorBody, 'Refused or failed, with the reason') };
