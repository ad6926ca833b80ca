import { beforeAll, describe, expect, it } from 'vitest';
import { ERRORS } from '../../../protocol/errors.ts';
import { createApp } from '../../../workers/http/app.ts';
import { describeApi, type ApiDocument } from '../../../workers/http/openapi-document.ts';
import { renderReference } from '../../../workers/http/reference-page.ts';
import { ask, makeCliToken, signIn, startEmpty } from '../support/http.ts';

const api = describeApi(createApp(), '1.2.3');
let page = '';
beforeAll(async () => {
  page = String(await renderReference(api));
});

/** What a text looks like inside the page. */
const escaped = (text: string) =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
const operations = Object.entries(api.paths ?? {}).flatMap(([path, methods]) =>
  Object.entries(methods as Record<string, { operationId: string; summary: string }>).map(
    ([method, made]) => ({ path, method, ...made }),
  ),
);

describe('the reference page', () => {
  it('has a section for every operation, with its method, path and summary', () => {
    expect(operations.length).toBeGreaterThan(25);
    for (const { path, method, operationId, summary } of operations) {
      const from = page.indexOf(`<section id="${operationId}">`);
      expect({ operationId, there: from >= 0 }).toEqual({ operationId, there: true });
      const section = page.slice(from, page.indexOf('</section>', from));
      expect(section).toContain(`<span class="method">${method.toUpperCase()}</span> ${path}`);
      expect(section).toContain(escaped(summary));
    }
  });

  it('links to every section, and to nothing that is not there', () => {
    const targets = [...page.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id ?? '');
    expect(targets.toSorted()).toEqual(operations.map(({ operationId }) => operationId).toSorted());
    for (const id of targets) expect(page.split(`id="${id}"`)).toHaveLength(2);
  });

  it('says of each who may call it, in words where anybody may', () => {
    const section = (id: string) =>
      page.slice(page.indexOf(`<section id="${id}">`)).split('</section>')[0];
    expect(section('health.read')).toContain('nothing; anybody may call it');
    expect(section('cliTokens.make')).toMatch(/Called with: hostToken\./);
    expect(section('sessions.launch')).toMatch(/Called with: sessionCookie, cliToken\./);
  });

  it.each(Object.entries(ERRORS))('explains the error %s', (code, { status, sentence }) => {
    const row = page.slice(page.indexOf(`<td><code>${code}</code></td>`)).split('</tr>')[0] ?? '';
    expect(row).toContain(`<td>${status}</td>`);
    expect(row).toContain(escaped(sentence));
  });

  it('is whole HTML in a language, fit for a small screen', () => {
    expect(page).toMatch(/^<!doctype html>\s*<html lang="en">/);
    expect(page).toContain('name="viewport"');
    expect(page.match(/<h1>/g)).toHaveLength(1);
    expect(page).toContain('Pilothouse API 1.2.3');
    for (const tag of ['section', 'table', 'details', 'pre', 'main', 'nav'])
      expect(page.split(`<${tag}`).length).toBe(page.split(`</${tag}>`).length);
  });

  it('fetches nothing from anywhere and runs no script', () => {
    expect(page).not.toMatch(/<script|<link|<img|<iframe|\bsrc=|@import|url\(|\bon\w+="/i);
  });

  it('takes what is in a document for text, whatever it says', async () => {
    const evil = '<script>alert("1")</script>';
    const operation = {
      operationId: 'x.y',
      summary: evil,
      description: evil,
      security: [{ [evil]: [] }],
      parameters: [{ name: evil, in: 'query', schema: { description: evil } }],
      responses: { 200: { description: evil } },
    };
    const document = { ...api, paths: { [`/${evil}`]: { get: operation } } } as unknown;
    const rendered = String(await renderReference(document as ApiDocument));
    expect(rendered).not.toContain('<script');
    expect(rendered.split('&lt;script').length).toBeGreaterThan(5);
  });

  it('may be of an API without any operation', async () => {
    const rendered = String(await renderReference({ ...api, paths: {} }));
    expect(rendered).toContain('id="errors"');
  });
});

describe('the reference as it is served', () => {
  it('is HTML for a person and for a command line, under the policy that forbids scripts', async () => {
    await startEmpty();
    for (const options of [{ bearer: await makeCliToken() }, { cookie: await signIn() }]) {
      const { status, headers, body } = await ask('GET', '/v1/reference', options);
      expect(status).toBe(200);
      expect(headers.get('content-type')).toMatch(/^text\/html/);
      expect(headers.get('content-security-policy')).toContain("script-src 'self'");
      expect(String(body)).toContain('<h1>Pilothouse API');
    }
  });
});
