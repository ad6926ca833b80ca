import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { AGENT_METHODS, CLIENT_METHODS, PROTOCOL_VERSION } from '@agentclientprotocol/sdk';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { openingLine } from '../../../../runner/engines/acp/encode.ts';
import { replay, TALKS } from '../talks/replay.ts';

const schemas = z.looseObject({ $defs: z.record(z.string(), z.looseObject({})) });
const path = createRequire(import.meta.url).resolve(
  '@agentclientprotocol/sdk/schema/v1/schema.json',
);
const official = schemas.parse(JSON.parse(readFileSync(path, 'utf8')));
// Its keywords of its own (`x-method`) and widths of numbers are for generators.
const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: false });
ajv.addSchema(official, 'acp');

const line = z.object({
  id: z.union([z.string(), z.number()]).optional(),
  method: z.string().optional(),
  params: z.unknown().optional(),
  result: z.unknown().optional(),
  error: z.unknown().optional(),
});

/** What the official schema of a definition has against a value. */
function faultsOf(name: string, value: unknown): string[] {
  const validate = ajv.getSchema(`acp#/$defs/${name}`);
  if (!validate) throw new Error(`${name} is not in the schema`);
  return validate(value) ? [] : (validate.errors ?? []).map((fault) => `${name} ${fault.message}`);
}

/** The definition of what a client sends by this method. */
const definitionOf = (method: string): string | undefined =>
  Object.entries(official.$defs).find(
    ([name, of]) => of['x-method'] === method && /(Request|Notification)$/.test(name),
  )?.[0];

/** Every line that was written to a real agent, as the parser writes it today. */
const written = TALKS.filter(({ folder }) => folder.includes('-acp-')).flatMap((talk) =>
  readdirSync(`test/fixtures/engines/${talk.folder}`).flatMap((name) =>
    replay({ ...talk, name }).written.map((each) => line.parse(each)),
  ),
);
/** Methods that begin with `_` are nobody's: they are there to be refused. */
const asked = written.filter(({ method }) => method && !method.startsWith('_'));

describe('what is written to an agent', () => {
  test('is what the official schema allows, line by line', () => {
    const methods = new Set(asked.map(({ method = '' }) => method));
    expect([...methods].toSorted()).toEqual([
      'initialize',
      'session/cancel',
      'session/load',
      'session/new',
      'session/prompt',
      'session/resume',
    ]);
    const faults = asked.flatMap(({ method = '', params }) =>
      faultsOf(definitionOf(method) ?? method, params),
    );
    expect(faults).toEqual([]);
    // And the schema does hold what is written to something.
    expect(faultsOf('PromptRequest', { sessionId: 1, prompt: 'go' })).not.toEqual([]);
  });

  test('as an answer to what it asks is one too', () => {
    const answers = written.filter(({ method, result }) => !method && result !== undefined);
    expect(answers.length).toBeGreaterThan(5);
    const faults = answers.flatMap(({ result }) => faultsOf('RequestPermissionResponse', result));
    expect(faults).toEqual([]);
  });

  test('has the names and the version that the official package has', () => {
    const known: readonly string[] = Object.values(AGENT_METHODS);
    expect(asked.filter(({ method = '' }) => !known.includes(method))).toEqual([]);
    expect(Object.values(CLIENT_METHODS)).toEqual(
      expect.arrayContaining(['session/update', 'session/request_permission']),
    );
    const opening = openingLine();
    expect(opening.kind === 'write' && JSON.parse(opening.line)).toMatchObject({
      params: { protocolVersion: PROTOCOL_VERSION },
    });
  });
});
