import { beforeEach, describe, expect, it } from 'vitest';
import { ask, makeCliToken, startEmpty } from '../support/http.ts';

describe('the reference', () => {
  let cli: string;
  beforeEach(async () => {
    await startEmpty();
    cli = await makeCliToken();
  });

  it('is an OpenAPI document with every operation named and secured', async () => {
    const { body } = await ask('GET', '/v1/openapi.json', { bearer: cli });
    expect(body).toMatchObject({
      openapi: '3.1.0',
      paths: {
        '/v1/sessions': {
          post: {
            operationId: 'sessions.launch',
            security: [{ sessionCookie: [] }, { cliToken: [] }],
          },
        },
      },
    });
  });

  it('is a page that names every address and every error, and runs no script', async () => {
    const document = (await ask('GET', '/v1/openapi.json', { bearer: cli })).body as {
      paths: Record<string, unknown>;
    };
    const page = String((await ask('GET', '/v1/reference', { bearer: cli })).body);
    const paths = Object.keys(document.paths);
    expect(paths.length).toBeGreaterThan(20);
    expect(paths.filter((path) => !page.includes(path))).toEqual([]);
    expect(page).toContain('approval_expired');
    // An address of somebody else's may be named in it, and nothing is loaded from there.
    expect(page).not.toMatch(/<script|(?:src|href|url)\s*[=(]\s*["']?(?:https?:)?\/\//i);
  });
});
