import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { parseJson } from '../../runner/json.ts';
import { installEngine } from '../../tools/engines/install.ts';
import { CodexWorld, codexConfig } from '../e2e/codex-world.ts';
import { runs, says, type Script } from '../support/model-api/script.ts';
import { startResponsesApi } from '../support/model-api/responses.ts';
import { until } from '../support/until.ts';

const KEY = 'sk-canary-70b1d2c43f5e4a98';
const add = (path: string) =>
  runs(`apply_patch <<'EOF'\n*** Begin Patch\n*** Add File: ${path}\n+new\n*** End Patch\nEOF`);
/** An edit of the work, an edit of what git would run, and a command. */
const SCRIPT: Script = {
  'do all': [add('new.txt'), add('.git/note'), runs('touch made.txt'), says('Done.')],
};

describe('the two modes in which the real codex asks', () => {
  let world: CodexWorld;
  beforeAll(async () => void (world = await CodexWorld.start(SCRIPT, KEY)), 180_000);
  afterAll(() => world?.stop());

  it.each([
    ['ask', ['apply_patch', 'apply_patch', 'shell']],
    // An edit of `.git` is none of the work: git would run it.
    ['accept_edits', ['apply_patch', 'shell']],
  ] as const)('are told apart: in %s it asks for %j', async (mode, tools) => {
    const id = await world.launch('do all', '--approvals', mode, '--grade', 'open');
    await world.approveUntilEnd(id);
    const { view } = await world.untilTurns(id, 1);
    expect(view.turns[0]).toMatchObject({ outcome: 'ok' });
    const asked = await world.events(id, 'approval/requested');
    expect(asked.map(({ request }) => request.toolName)).toEqual(tools);
  });
});

const told = z.looseObject({
  id: z.union([z.string(), z.number()]).optional(),
  method: z.string().optional(),
  result: z.looseObject({ thread: z.looseObject({ id: z.string() }).optional() }).optional(),
});

/** What codex itself asks for under a policy and a sandbox of its own, with nothing of ours between. */
async function askedUnder(approvalPolicy: string, sandbox: string): Promise<string[]> {
  const home = mkdtempSync(join(tmpdir(), 'codex-modes-'));
  const api = await startResponsesApi({
    'do it': [add('new.txt'), runs('touch made.txt'), says('Done.')],
  });
  mkdirSync(join(home, '.codex'));
  writeFileSync(join(home, '.codex', 'config.toml'), codexConfig(api.url));
  const child = spawn(installEngine('codex'), ['app-server'], {
    cwd: home,
    env: { PATH: process.env['PATH'], HOME: home, OPENAI_API_KEY: KEY },
  });
  const send = (message: object) =>
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  const asked: string[] = [];
  let done = false;
  createInterface({ input: child.stdout }).on('line', (line) => {
    const { id, method, result } = told.parse(parseJson(line));
    if (id === 'initialize')
      send({
        id: 'thread',
        method: 'thread/start',
        params: { cwd: home, approvalPolicy, approvalsReviewer: 'user', model: 'gpt-5.5' },
      });
    else if (id === 'thread')
      send({
        id: 'turn',
        method: 'turn/start',
        params: {
          threadId: result?.thread?.id,
          input: [{ type: 'text', text: 'do it' }],
          sandboxPolicy: { type: sandbox },
        },
      });
    else if (id !== undefined && method !== undefined) {
      asked.push(method);
      send({ id, result: { decision: 'accept' } });
    } else if (method === 'turn/completed') done = true;
  });
  const clientInfo = { name: 'test', title: 'Test', version: '1' };
  send({ id: 'initialize', method: 'initialize', params: { clientInfo, capabilities: null } });
  await until('the turn to end', () => done, { withinMs: 120_000 });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.stdin.end();
  await ended;
  await api.close();
  rmSync(home, { recursive: true, force: true });
  return asked;
}

describe('codex by itself has no policy for the second of them', () => {
  const [EDIT, COMMAND] = ['fileChange', 'commandExecution'].map(
    (what) => `item/${what}/requestApproval`,
  );

  it('asks for each edit where it asks for commands, also where its sandbox would let it edit', async () => {
    expect(await askedUnder('untrusted', 'workspaceWrite')).toEqual([EDIT, COMMAND]);
  });

  it('asks for no command where it lets edits through', async () => {
    expect(await askedUnder('on-request', 'dangerFullAccess')).toEqual([]);
  });
});
