import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { adrReport } from '../../../../protocol/adr-report.ts';
import { REPORT_MAX_BYTES } from '../../../../protocol/decisions.ts';
import { postReport } from '../../../../tools/adr/post/post-report.ts';
import { aFinding, aReport } from '../../../support/adr-reports.ts';
import { AdrRepository } from '../../../support/adr-repository.ts';

type Asked = { method?: string; url?: string; headers: IncomingHttpHeaders; body: string };
type Reply = { status: number; body?: unknown; headers?: Record<string, string> };

const KEY = 'phd_secret-key';
const ID = `drp_${'a'.repeat(26)}`;
const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
  vi.unstubAllEnvs();
});

/** A peer on a real socket that answers in this order and repeats its last answer. */
async function answering(...replies: Reply[]) {
  const asked: Asked[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => (body += String(chunk)));
    request.on('end', () => {
      asked.push({ method: request.method!, url: request.url!, headers: request.headers, body });
      const reply = replies[Math.min(asked.length, replies.length) - 1];
      response.writeHead(reply?.status ?? 500, reply?.headers);
      response.end(typeof reply?.body === 'string' ? reply.body : JSON.stringify(reply?.body));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(() => server.close());
  return { instance: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked };
}

const post = (instance: string, report = aReport()) =>
  postReport(report, {
    instance,
    branch: 'main',
    gitBranch: null,
    env: { PILOTHOUSE_DECISIONS_KEY: KEY },
    waitsMs: [1, 1],
    timeoutMs: 2_000,
  });

const KEPT = { status: 200, body: { outcome: 'kept', reportId: ID } };

describe('a report', () => {
  it('is posted whole, with the key as a bearer', async () => {
    const { instance, asked } = await answering(KEPT);
    expect(await post(instance)).toMatchObject({ ok: true });
    expect(asked).toHaveLength(1);
    expect(asked[0]).toMatchObject({
      method: 'POST',
      url: '/v1/decisions/reports?branch=main',
    });
    expect(asked[0]?.headers.authorization).toBe(`Bearer ${KEY}`);
    expect(adrReport.parse(JSON.parse(asked[0]?.body ?? ''))).toEqual(aReport());
  });
  it('is posted again after an answer that may pass, and told when it does not', async () => {
    const passing = await answering({ status: 503, body: {} }, KEPT);
    expect(await post(passing.instance)).toMatchObject({ ok: true });
    expect(passing.asked).toHaveLength(2);
    const lasting = await answering({ status: 503, body: {} });
    const { ok, message } = await post(lasting.instance);
    expect([ok, lasting.asked.length]).toEqual([false, 3]);
    expect(message).toContain('answered 503, 3 times in a row');
  });
  it('is not posted again when the instance refuses it, and its words are told', async () => {
    const error = { code: 'unauthenticated', message: 'This key is not known.' };
    const { instance, asked } = await answering({ status: 401, body: { error } });
    const { ok, message } = await post(instance);
    expect([ok, asked.length]).toEqual([false, 1]);
    expect(message).toContain('401');
  });
  it('is not sent on to where a redirect points, and neither is the key', async () => {
    const other = await answering(KEPT);
    const { instance } = await answering({ status: 307, headers: { location: other.instance } });
    expect(await post(instance)).toMatchObject({ ok: false });
    expect(other.asked).toEqual([]);
  });
  it('is not called posted because something else answers there', async () => {
    const { instance } = await answering({ status: 200, body: '<html>Welcome</html>' });
    expect(await post(instance)).toMatchObject({ ok: false });
  });
  it('that is too large to be kept is not sent', async () => {
    const { instance, asked } = await answering(KEPT);
    const problems = [aFinding({ message: 'x'.repeat(REPORT_MAX_BYTES) })];
    expect(await post(instance, aReport({ problems }))).toMatchObject({ ok: false });
    expect(asked).toEqual([]);
  });
  it('that nobody takes is told with the reason', async () => {
    const { instance } = await answering(KEPT);
    for (const close of closing.splice(0)) close();
    const { ok, message } = await post(instance);
    expect(ok).toBe(false);
    expect(message).toMatch(/did not answer.*The verdict above stands/);
  });
  it('never shows the key', async () => {
    for (const reply of [KEPT, { status: 401, body: {} }, { status: 503, body: {} }]) {
      // oxlint-disable-next-line no-await-in-loop -- one peer at a time
      const { message } = await post((await answering(reply)).instance);
      expect(message).not.toContain(KEY);
    }
  });
});

describe('check --post', () => {
  const run = async (instance: string, rule: string) => {
    using repository = new AdrRepository();
    repository.write('docs/adr/0001-a.md', record(rule));
    repository.write('src/a.ts', 'export const a = 1;\n');
    repository.commit();
    return repository.adr('check', '--format', 'json', '--post', instance, '--branch', 'main');
  };

  it.each([
    [0, 'b'],
    [1, 'a'],
  ])('keeps the exit code %i, whether the post succeeds or not', async (exitCode, text) => {
    vi.stubEnv('PILOTHOUSE_DECISIONS_KEY', KEY);
    const good = await run((await answering(KEPT)).instance, text);
    expect(good).toMatchObject({ exitCode, stderr: `The report was posted (${ID}).\n` });
    const bad = await run((await answering({ status: 403, body: {} })).instance, text);
    expect(bad.exitCode).toBe(exitCode);
    expect(bad.stderr).toMatch(/^Warning: The report was not posted: the instance answered 403/);
    expect(adrReport.parse(JSON.parse(bad.stdout)).exitCode).toBe(exitCode);
  });
  it('warns and keeps the verdict where there is no key, as in a build of a fork', async () => {
    vi.stubEnv('PILOTHOUSE_DECISIONS_KEY', undefined);
    const { instance, asked } = await answering(KEPT);
    const { exitCode, stderr } = await run(instance, 'b');
    expect([exitCode, asked.length]).toEqual([0, 0]);
    expect(stderr).toContain('no key is set');
  });
});

const record = (text: string) => `---
status: accepted
date: 2026-10-01
enforcement:
  - { id: no-text, kind: forbid, reason: It is forbidden here., paths: ['src/**'], text: 'const ${text}' }
---

# 0001. No text

## Context and problem

A test.

## Decision

No text.
`;
