import { html, raw } from 'hono/html';
import type { HtmlEscapedString } from 'hono/utils/html';
import { ERRORS } from '../../protocol/errors.ts';
import type { ApiDocument } from './openapi-document.ts';

const STYLE = `
:root { color-scheme: light dark; --line: color-mix(in srgb, currentColor 18%, transparent); }
body { font: 16px/1.55 system-ui, sans-serif; max-width: 60rem; margin: 0 auto; padding: 2rem 1.25rem 6rem; }
h1 { font-size: 1.75rem; } h2 { font-size: 1.05rem; margin: 0; font-family: ui-monospace, monospace; }
section { border-top: 1px solid var(--line); padding: 1.25rem 0; }
pre { overflow-x: auto; padding: .75rem; border: 1px solid var(--line); border-radius: .375rem; font-size: .8125rem; }
code { font-family: ui-monospace, monospace; } .quiet { opacity: .75; } .method { font-weight: 700; }
table { border-collapse: collapse; width: 100%; } td, th { text-align: left; vertical-align: top; padding: .3rem .75rem .3rem 0; border-bottom: 1px solid var(--line); }
nav { columns: 2 20rem; } nav a { display: block; }
summary { cursor: pointer; }
`;

type Operation = {
  operationId?: string;
  summary?: string;
  description?: string;
  security?: readonly Record<string, readonly string[]>[];
  parameters?: readonly { name: string; in: string; required?: boolean; schema?: unknown }[];
  requestBody?: { content?: Record<string, { schema?: unknown }> };
  responses?: Record<
    string,
    { description?: string; content?: Record<string, { schema?: unknown }> }
  >;
};

/** The API as one page to read: no script, nothing fetched from anywhere. */
export function renderReference(
  document: ApiDocument,
): HtmlEscapedString | Promise<HtmlEscapedString> {
  const operations = listOperations(document);
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${document.info.title} API</title>
        <style>
          ${raw(STYLE)}
        </style>
      </head>
      <body>
        <main>
          <h1>${document.info.title} API ${document.info.version}</h1>
          <p>${document.info.description ?? ''}</p>
          <p class="quiet">
            The same as a document for programs: <a href="/v1/openapi.json">openapi.json</a>.
          </p>
          <nav aria-label="Operations">
            ${operations.map(({ id, method, path }) => html`<a href="#${id}"><span class="method">${method}</span> ${path}</a>`)}
          </nav>
          ${operations.map(renderOperation)}
          <section id="errors">
            <h2>Errors</h2>
            <p>Every refusal has one form, and its code is what to branch on.</p>
            <table>
              <thead>
                <tr>
                  <th>Code</th>
                  <th>Status</th>
                  <th>Meaning</th>
                </tr>
              </thead>
              <tbody>
                ${Object.entries(ERRORS).map(
                  ([code, facts]) =>
                    html`<tr>
                      <td><code>${code}</code></td>
                      <td>${facts.status}</td>
                      <td>${facts.sentence}</td>
                    </tr>`,
                )}
              </tbody>
            </table>
          </section>
        </main>
      </body>
    </html>`;
}

type Listed = { id: string; method: string; path: string; operation: Operation };

function listOperations(document: ApiDocument): Listed[] {
  return Object.entries(document.paths ?? {}).flatMap(([path, item]) =>
    Object.entries(item as Record<string, Operation>).map(([method, operation]) => ({
      id: operation.operationId ?? `${method}-${path}`,
      method: method.toUpperCase(),
      path,
      operation,
    })),
  );
}

function renderOperation({ id, method, path, operation }: Listed) {
  const callers = (operation.security ?? []).flatMap((scheme) => Object.keys(scheme));
  const body = operation.requestBody?.content?.['application/json']?.schema;
  const parameters = operation.parameters ?? [];
  return html`<section id="${id}">
    <h2><span class="method">${method}</span> ${path}</h2>
    <p>${operation.summary ?? ''}. ${operation.description ?? ''}</p>
    <p class="quiet">
      Called with: ${callers.length > 0 ? callers.join(', ') : 'nothing; anybody may call it'}.
    </p>
    ${
      parameters.length > 0
        ? html`<table>
            <thead>
              <tr>
                <th>Parameter</th>
                <th>In</th>
                <th>Form</th>
              </tr>
            </thead>
            <tbody>
              ${parameters.map(
                (parameter) =>
                  html`<tr>
                    <td><code>${parameter.name}</code></td>
                    <td>${parameter.in}</td>
                    <td><code>${JSON.stringify(parameter.schema)}</code></td>
                  </tr>`,
              )}
            </tbody>
          </table>`
        : ''
    }
    ${
      body
        ? html`<details>
            <summary>Request body</summary>
            <pre>${JSON.stringify(body, null, 2)}</pre>
          </details>`
        : ''
    }
    ${Object.entries(operation.responses ?? {})
      .filter(([status]) => status !== 'default')
      .map(([status, answer]) => {
        const schema = answer.content?.['application/json']?.schema;
        return html`<details>
          <summary>${status}: ${answer.description ?? ''}</summary>
          ${schema ? html`<pre>${JSON.stringify(schema, null, 2)}</pre>` : ''}
        </details>`;
      })}
  </section>`;
}
