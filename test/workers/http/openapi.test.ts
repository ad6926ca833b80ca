import { beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { errorBody, errorCode, ERRORS } from '../../../protocol/errors.ts';
import { createApp } from '../../../workers/http/app.ts';
import { describeApi } from '../../../workers/http/openapi-document.ts';
import { ask, makeCliToken, startEmpty } from '../support/http.ts';

const parameter = z.object({
  name: z.string(),
  in: z.enum(['path', 'query', 'header', 'cookie']),
  required: z.boolean().optional(),
  schema: z.record(z.string(), z.unknown()),
});
const content = z.record(z.string(), z.object({ schema: z.record(z.string(), z.unknown()) }));
const operation = z.object({
  operationId: z.string(),
  summary: z.string(),
  security: z.array(z.record(z.string(), z.array(z.unknown()))),
  parameters: z.array(parameter).default([]),
  requestBody: z.object({ required: z.literal(true), content }).optional(),
  responses: z.record(
    z.string(),
    z.object({ description: z.string().min(1), content: content.optional() }),
  ),
});
const document = z.object({
  openapi: z.literal('3.1.0'),
  info: z.object({ title: z.string(), version: z.string(), description: z.string() }),
  paths: z.record(
    z.string(),
    z.partialRecord(z.enum(['get', 'post', 'put', 'patch', 'delete']), operation),
  ),
  components: z.object({
    securitySchemes: z.record(z.string(), z.record(z.string(), z.unknown())),
  }),
});
type Operation = z.infer<typeof operation> & { route: string; method: string };

/** The routes of the contract, each with who may call it. */
const CONTRACT: Record<string, string[]> = {
  'get /v1/health': [],
  'post /v1/links': ['hostToken', 'cliToken'],
  'post /v1/sign-in': [],
  'post /v1/sign-out': ['sessionCookie', 'cliToken'],
  'get /v1/me': ['sessionCookie', 'cliToken'],
  'post /v1/cli-tokens': ['hostToken'],
  'post /v1/runners': ['hostToken', 'cliToken'],
  'post /v1/pairings': ['sessionCookie', 'cliToken'],
  'post /v1/pairings/claim': [],
  'get /v1/pairings': ['sessionCookie', 'cliToken'],
  'post /v1/pairings/{runnerId}/withdraw': ['sessionCookie', 'cliToken'],
  'post /v1/runners/{runnerId}/revoke': ['sessionCookie', 'cliToken'],
  'get /v1/push': ['sessionCookie', 'cliToken'],
  'post /v1/push/devices': ['sessionCookie'],
  'post /v1/push/devices/{deviceId}': ['sessionCookie', 'cliToken'],
  'post /v1/push/devices/{deviceId}/remove': ['sessionCookie', 'cliToken'],
  'get /v1/push/digest': ['sessionCookie', 'cliToken'],
  'post /v1/push/digest': ['sessionCookie', 'cliToken'],
  'post /v1/push/webhook': ['sessionCookie', 'cliToken'],
  'post /v1/push/webhook/choices': ['sessionCookie', 'cliToken'],
  'post /v1/push/webhook/test': ['sessionCookie', 'cliToken'],
  'post /v1/push/webhook/remove': ['sessionCookie', 'cliToken'],
  'get /v1/runners': ['sessionCookie', 'cliToken'],
  'get /v1/runners/{runnerId}': ['sessionCookie', 'cliToken'],
  'get /v1/runners/{runnerId}/directories': ['sessionCookie', 'cliToken'],
  'get /v1/runners/{runnerId}/files': ['sessionCookie', 'cliToken'],
  'post /v1/sessions/{sessionId}/images/{imageId}': ['sessionCookie', 'cliToken'],
  'post /v1/launches/{turnId}/images/{imageId}': ['sessionCookie', 'cliToken'],
  'get /v1/launches/{turnId}/images/{imageId}': ['sessionCookie', 'cliToken'],
  'get /v1/sessions/{sessionId}/images/{imageId}': ['sessionCookie', 'cliToken', 'runnerToken'],
  'get /v1/sessions/{sessionId}/files': ['sessionCookie', 'cliToken'],
  'get /v1/runners/{runnerId}/workspace': ['sessionCookie', 'cliToken'],
  'post /v1/runners/{runnerId}/doctor': ['sessionCookie', 'cliToken'],
  'get /v1/runners/{runnerId}/checkouts': ['sessionCookie', 'cliToken'],
  'post /v1/runners/{runnerId}/checkouts/{sessionId}/remove': ['sessionCookie', 'cliToken'],
  'post /v1/runners/{runnerId}/checkouts/{sessionId}/discard': ['sessionCookie', 'cliToken'],
  'get /v1/runners/{runnerId}/engines': ['sessionCookie', 'cliToken'],
  'get /v1/runners/{runnerId}/link': ['runnerToken'],
  'get /v1/budgets': ['sessionCookie', 'cliToken'],
  'get /v1/budgets/versions': ['sessionCookie', 'cliToken'],
  'get /v1/chains': ['sessionCookie', 'cliToken'],
  'post /v1/budgets': ['sessionCookie', 'cliToken'],
  'get /v1/engines': ['sessionCookie', 'cliToken'],
  'get /v1/engines/{engineId}': ['sessionCookie', 'cliToken'],
  'post /v1/engines': ['sessionCookie', 'cliToken'],
  'post /v1/engines/{engineId}/remove': ['sessionCookie', 'cliToken'],
  'get /v1/policy': ['sessionCookie', 'cliToken'],
  'get /v1/policy/versions': ['sessionCookie', 'cliToken'],
  'post /v1/policy': ['sessionCookie', 'cliToken'],
  'get /v1/runners/{runnerId}/terminals/{sessionId}': ['runnerToken'],
  'post /v1/sessions': ['sessionCookie', 'cliToken'],
  'get /v1/sessions': ['sessionCookie', 'cliToken'],
  'get /v1/sessions/{sessionId}': ['sessionCookie', 'cliToken'],
  'get /v1/sessions/{sessionId}/artifact-pack': ['sessionCookie', 'cliToken'],
  'get /v1/sessions/{sessionId}/status': ['sessionCookie', 'cliToken'],
  'get /v1/sessions/{sessionId}/report': ['sessionCookie', 'cliToken'],
  'get /v1/comparisons': ['sessionCookie', 'cliToken'],
  'get /v1/sessions/{sessionId}/entries': ['sessionCookie', 'cliToken'],
  'get /v1/sessions/{sessionId}/socket': ['sessionCookie', 'cliToken'],
  'post /v1/sessions/{sessionId}/instructions': ['sessionCookie', 'cliToken'],
  'post /v1/sessions/{sessionId}/interrupt': ['sessionCookie', 'cliToken'],
  'post /v1/sessions/{sessionId}/stop': ['sessionCookie', 'cliToken'],
  'post /v1/sessions/{sessionId}/retry': ['sessionCookie', 'cliToken'],
  'post /v1/sessions/{sessionId}/compact': ['sessionCookie', 'cliToken'],
  'post /v1/sessions/{sessionId}/restart': ['sessionCookie', 'cliToken'],
  'post /v1/sessions/{sessionId}/breaches/{actId}/override': ['sessionCookie', 'cliToken'],
  'post /v1/sessions/{sessionId}/dismiss': ['sessionCookie', 'cliToken'],
  'post /v1/sessions/{sessionId}/restore': ['sessionCookie', 'cliToken'],
  'post /v1/sessions/{sessionId}/approvals/{requestId}': ['sessionCookie', 'cliToken'],
  'get /v1/sessions/{sessionId}/pilot': ['sessionCookie', 'cliToken'],
  'get /v1/sessions/{sessionId}/pilot/decisions': ['sessionCookie', 'cliToken'],
  'post /v1/sessions/{sessionId}/pilot': ['sessionCookie', 'cliToken'],
  'post /v1/brain-keys': ['sessionCookie', 'cliToken'],
  'get /v1/brain-keys': ['sessionCookie', 'cliToken'],
  'post /v1/brain-keys/{keyId}/price': ['sessionCookie', 'cliToken'],
  'post /v1/brain-keys/{keyId}/remove': ['sessionCookie', 'cliToken'],
  'get /v1/runners/{runnerId}/panes': ['sessionCookie', 'cliToken'],
  'get /v1/runners/{runnerId}/panes/link': ['runnerToken'],
  'get /v1/runners/{runnerId}/panes/records': ['sessionCookie', 'cliToken'],
  'get /v1/runners/{runnerId}/panes/socket': ['sessionCookie', 'cliToken'],
  'post /v1/runners/{runnerId}/panes/drive': ['sessionCookie', 'cliToken'],
  'post /v1/runners/{runnerId}/panes/let-go': ['sessionCookie', 'cliToken'],
  'post /v1/sessions/{sessionId}/takeover': ['sessionCookie', 'cliToken'],
  'post /v1/sessions/{sessionId}/release': ['sessionCookie', 'cliToken'],
  'get /v1/sessions/{sessionId}/terminal': ['sessionCookie', 'cliToken'],
  'get /v1/sessions/{sessionId}/tools/{toolId}/output': ['sessionCookie', 'cliToken'],
  'post /v1/sessions/{sessionId}/land': ['sessionCookie', 'cliToken'],
  'get /v1/sessions/{sessionId}/previews': ['sessionCookie', 'cliToken'],
  'post /v1/sessions/{sessionId}/previews': ['sessionCookie', 'cliToken'],
  'get /v1/sessions/{sessionId}/checkpoints': ['sessionCookie', 'cliToken'],
  'post /v1/sessions/{sessionId}/rewind': ['sessionCookie', 'cliToken'],
  'get /v1/sessions/{sessionId}/changes': ['sessionCookie', 'cliToken'],
  'get /v1/sessions/{sessionId}/changes/patch': ['sessionCookie', 'cliToken'],
  'get /v1/usage': ['sessionCookie', 'cliToken'],
  'post /v1/usage/repair': ['sessionCookie', 'cliToken'],
  'get /v1/usage/summary': ['sessionCookie', 'cliToken'],
  'get /v1/usage/days': ['sessionCookie', 'cliToken'],
  'get /v1/usage/turns': ['sessionCookie', 'cliToken'],
  'get /v1/usage/export': ['sessionCookie', 'cliToken'],
  'get /v1/acts': ['sessionCookie', 'cliToken'],
  'get /v1/acts/export': ['sessionCookie', 'cliToken'],
  'get /v1/approvals': ['sessionCookie', 'cliToken'],
  'get /v1/approvals/export': ['sessionCookie', 'cliToken'],
  'get /v1/access': ['sessionCookie', 'cliToken'],
  'get /v1/access/export': ['sessionCookie', 'cliToken'],
  'get /v1/breaches': ['sessionCookie', 'cliToken'],
  'post /v1/decisions/keys': ['sessionCookie', 'cliToken'],
  'get /v1/decisions/keys': ['sessionCookie', 'cliToken'],
  'post /v1/decisions/keys/{keyId}/revoke': ['sessionCookie', 'cliToken'],
  'post /v1/decisions/reports': ['decisionKey'],
  'get /v1/decisions/repositories': ['sessionCookie', 'cliToken'],
  'get /v1/decisions/reports': ['sessionCookie', 'cliToken'],
  'get /v1/decisions/reports/{reportId}': ['sessionCookie', 'cliToken'],
  'post /v1/github/channels': ['sessionCookie', 'cliToken'],
  'get /v1/github/channels': ['sessionCookie', 'cliToken'],
  'post /v1/github/channels/{channelId}/remove': ['sessionCookie', 'cliToken'],
  'post /v1/github/webhooks/{channelId}': [],
  'get /v1/operators': ['sessionCookie', 'cliToken'],
  'get /v1/operators/{operatorId}': ['sessionCookie', 'cliToken'],
  'post /v1/operators': ['sessionCookie', 'cliToken'],
  'post /v1/operators/{operatorId}/withdraw': ['sessionCookie', 'cliToken'],
  'get /v1/instances': ['sessionCookie', 'cliToken'],
  'get /v1/instances/{instanceId}': ['sessionCookie', 'cliToken'],
  'post /v1/instances': ['sessionCookie', 'cliToken'],
  'post /v1/instances/{instanceId}/changes': ['sessionCookie', 'cliToken'],
  'post /v1/instances/{instanceId}/breaches/{actId}/override': ['sessionCookie', 'cliToken'],
  'get /v1/instances/{instanceId}/history': ['sessionCookie', 'cliToken'],
  'get /v1/instances/{instanceId}/decisions': ['sessionCookie', 'cliToken'],
  'get /v1/gate/requests': ['sessionCookie', 'cliToken'],
  'get /v1/instances/{instanceId}/chat': ['sessionCookie', 'cliToken'],
  'post /v1/instances/{instanceId}/chat': ['sessionCookie', 'cliToken'],
  'post /v1/instances/{instanceId}/chat/stop': ['sessionCookie', 'cliToken'],
  'post /v1/instances/{instanceId}/calls/{callId}/answer': ['sessionCookie', 'cliToken'],
  'post /v1/mcp-keys': ['sessionCookie', 'cliToken'],
  'get /v1/mcp-keys': ['sessionCookie', 'cliToken'],
  'post /v1/mcp-keys/{keyId}/revoke': ['sessionCookie', 'cliToken'],
  'get /v1/openapi.json': ['sessionCookie', 'cliToken'],
  'get /v1/reference': ['sessionCookie', 'cliToken'],
};

let text = '';
let api: z.infer<typeof document>;
let operations: Operation[];
beforeAll(async () => {
  await startEmpty();
  const answer = await ask('GET', '/v1/openapi.json', { bearer: await makeCliToken() });
  text = JSON.stringify(answer.body);
  api = document.parse(answer.body);
  operations = Object.entries(api.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, made]) => ({
      ...made,
      method,
      route: `${method} ${path}`,
    })),
  );
});

describe('the document of the API', () => {
  it('has exactly the routes of the contract, and who may call each', () => {
    const described = Object.fromEntries(
      operations.map(({ route, security }) => [route, security.flatMap(Object.keys)]),
    );
    expect(described).toEqual(CONTRACT);
  });

  it('has exactly the routes that are served', () => {
    const served = createApp()
      .routes.filter(({ path, method }) => path.startsWith('/v1/') && method !== 'ALL')
      .map(({ path, method }) => `${method.toLowerCase()} ${path.replaceAll(/:(\w+)/g, '{$1}')}`);
    expect([...new Set(served)].toSorted()).toEqual(Object.keys(CONTRACT).toSorted());
  });

  it('names every operation once, by area and verb', () => {
    const ids = operations.map(({ operationId }) => operationId);
    expect(new Set(ids).size).toBe(ids.length);
    for (const id of ids) expect(id).toMatch(/^[a-z][A-Za-z]*\.[a-z][A-Za-z]*$/);
  });

  it('says of every operation what it does, as a sentence without its full stop', () => {
    for (const { route, summary } of operations)
      expect({ route, summary }).toEqual({
        route,
        summary: expect.stringMatching(/^[A-Z].+[^.]$/),
      });
  });

  it('says how each caller proves who it is', () => {
    const named = new Set(operations.flatMap(({ security }) => security.flatMap(Object.keys)));
    expect([...named].toSorted()).toEqual(Object.keys(api.components.securitySchemes).toSorted());
    for (const scheme of Object.values(api.components.securitySchemes))
      expect(['apiKey', 'http']).toContain(scheme['type']);
  });

  it('has a success and the one form of error for every operation', () => {
    for (const { route, responses } of operations) {
      const statuses = Object.keys(responses);
      expect({ route, statuses }).toEqual({
        route,
        statuses: [expect.stringMatching(/^(101|20[0-2])$/), 'default'],
      });
      const schema = responses['default']?.content?.['application/json']?.schema ?? {};
      expect(JSON.stringify(schema)).toContain('requestId');
    }
  });

  it('describes every part of a path as one that is needed', () => {
    for (const { route, parameters } of operations) {
      const inPath = [...route.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      const described = parameters.filter((one) => one.in === 'path');
      expect({ route, names: described.map(({ name }) => name) }).toEqual({ route, names: inPath });
      for (const one of described) expect(one.required).toBe(true);
    }
  });

  it('describes the form of every id by its prefix', () => {
    const ids = operations.flatMap(({ parameters }) =>
      parameters.filter(({ name }) =>
        /^(runner|session|request|key|report|operator|instance)Id$/.test(name),
      ),
    );
    expect(ids.length).toBeGreaterThan(15);
    // An act is a session's or an operator's: one of two forms.
    const forms = ids.flatMap(
      ({ schema }) => (schema['anyOf'] as object[] | undefined) ?? [schema],
    );
    for (const form of forms)
      expect(form).toMatchObject({
        pattern: expect.stringMatching(/^\^(run|ses|apr|dky|drp|bky|opr|ins|mky|img)_/),
      });
  });

  it('has a body for what changes something by words, and none for reading', () => {
    const reading = operations.filter(({ method }) => method === 'get');
    expect(reading.filter(({ requestBody }) => requestBody !== undefined)).toEqual([]);
    const withBody = operations.filter(({ requestBody }) => requestBody !== undefined);
    const types = withBody.flatMap(({ requestBody }) => Object.keys(requestBody?.content ?? {}));
    expect(new Set(types)).toEqual(new Set(['application/json', 'application/octet-stream']));
    expect(withBody.map(({ route }) => route)).toEqual([
      'post /v1/links',
      'post /v1/sign-in',
      'post /v1/cli-tokens',
      'post /v1/runners',
      'post /v1/pairings',
      'post /v1/pairings/claim',
      'post /v1/engines',
      'post /v1/budgets',
      'post /v1/runners/{runnerId}/panes/drive',
      'post /v1/runners/{runnerId}/panes/let-go',
      'post /v1/policy',
      'post /v1/sessions',
      'post /v1/sessions/{sessionId}/instructions',
      'post /v1/sessions/{sessionId}/images/{imageId}',
      'post /v1/launches/{turnId}/images/{imageId}',
      'post /v1/sessions/{sessionId}/approvals/{requestId}',
      'post /v1/sessions/{sessionId}/pilot',
      'post /v1/brain-keys',
      'post /v1/brain-keys/{keyId}/price',
      'post /v1/sessions/{sessionId}/takeover',
      'post /v1/sessions/{sessionId}/release',
      'post /v1/sessions/{sessionId}/land',
      'post /v1/sessions/{sessionId}/rewind',
      'post /v1/sessions/{sessionId}/previews',
      'post /v1/push/devices',
      'post /v1/push/devices/{deviceId}',
      'post /v1/push/digest',
      'post /v1/push/webhook',
      'post /v1/push/webhook/choices',
      'post /v1/sessions/{sessionId}/breaches/{actId}/override',
      'post /v1/decisions/keys',
      'post /v1/decisions/reports',
      'post /v1/github/channels',
      'post /v1/operators',
      'post /v1/instances',
      'post /v1/instances/{instanceId}/changes',
      'post /v1/instances/{instanceId}/breaches/{actId}/override',
      'post /v1/instances/{instanceId}/calls/{callId}/answer',
      'post /v1/instances/{instanceId}/chat',
      'post /v1/mcp-keys',
    ]);
  });

  it('knows every error code that there is', () => {
    const codes = errorCode.options;
    expect(codes.filter((code) => !text.includes(`"${code}"`))).toEqual([]);
    expect(codes.length).toBe(Object.keys(ERRORS).length);
  });

  it('points at nothing that is not in it', () => {
    const references = [...text.matchAll(/"\$ref":"#\/([^"]+)"/g)].map(([, path]) => path ?? '');
    const missing = references.filter((path) => {
      let at: unknown = JSON.parse(text);
      for (const key of path.split('/')) at = Object(at)[key];
      return at === undefined;
    });
    expect(missing).toEqual([]);
  });

  it('says in which units time and money are', () => {
    expect(api.info.description).toMatch(/Unix milliseconds/);
    expect(api.info.description).toMatch(/integer millionths of a US dollar/);
  });

  it('has the version of what serves it, and is the same each time', () => {
    const app = createApp();
    expect(describeApi(app, '9.9.9').info.version).toBe('9.9.9');
    expect(JSON.stringify(describeApi(app, '1'))).toBe(
      JSON.stringify(describeApi(createApp(), '1')),
    );
  });
});

describe('an error answer', () => {
  it('is of the form that the document has', async () => {
    const answer = await ask('GET', '/v1/openapi.json');
    expect(errorBody.parse(answer.body).error.code).toBe('unauthenticated');
    expect(answer.status).toBe(ERRORS.unauthenticated.status);
  });
});
