import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { randomBytes } from 'node:crypto';
import { controlTokenOf } from '../../../runner/lasting/tokens.ts';
import { journalPath } from '../../../runner/model-gate/files.ts';
import { readCalls } from '../../../runner/model-gate/journal.ts';
import { ModelGate } from '../../../runner/model-gate/server.ts';
import type { GatedSession } from '../../../runner/model-gate/session.ts';
import { placeholderOf } from '../../../runner/model-gate/tokens.ts';

export const REAL_KEY = 'sk-ant-real-5f1e0c7a9d3b4e6288';

/** A gate in this process, and one who calls it as an engine does. */
export async function openGateRoom(env: NodeJS.ProcessEnv = {}) {
  const root = mkdtempSync(join(tmpdir(), 'pilothouse-gate-'));
  const key = randomBytes(32);
  let ended = 0;
  const gate = new ModelGate({ root, key, env, now: () => 5, ended: () => (ended += 1) });
  const url = `http://127.0.0.1:${await gate.listen()}`;
  const control = (path: string, method: string, body?: unknown, token = controlTokenOf(key)) =>
    fetch(`${url}/control/${path}`, {
      method,
      headers: { authorization: `Bearer ${token}` },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
  return {
    gate,
    url,
    control,
    ended: () => ended,
    placeholder: (sessionId: string) => placeholderOf(key, sessionId),
    put: (sessionId: string, upstream: string, over: Partial<GatedSession> = {}) =>
      control(sessionId, 'PUT', {
        protocol: 'anthropic',
        upstream,
        headers: { 'x-api-key': REAL_KEY },
        grantMicroUsd: null,
        ...over,
      }),
    calls: (sessionId: string) => readCalls(journalPath(root, sessionId), 0).entries,
    ask: (
      sessionId: string,
      body: unknown,
      {
        path = '/v1/messages',
        key: given = placeholderOf(key, sessionId),
        ...init
      }: AskOptions = {},
    ) =>
      fetch(`${url}/s/${sessionId}${path}`, {
        method: 'POST',
        headers: { 'x-api-key': given, 'content-type': 'application/json' },
        body: JSON.stringify(body),
        ...init,
      }),
    close: async () => {
      await gate.close();
      rmSync(root, { recursive: true });
    },
  };
}

type AskOptions = { path?: string; key?: string } & RequestInit;

export const asks = (text: string, over: object = {}) => ({
  model: 'claude-sonnet-4-5',
  max_tokens: 1_000,
  messages: [{ role: 'user', content: text }],
  tools: [{ name: 'Bash' }],
  ...over,
});
