import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { installEngine } from '../../tools/engines/install.ts';
import { billOf } from '../support/model-api/bill.ts';
import {
  CANARY_KEY,
  claudeEnv,
  startRawClaude,
  type Line,
} from '../support/model-api/raw-claude.ts';
import { runs, says, type Script } from '../support/model-api/script.ts';
import { startModelApi, type ModelApi } from '../support/model-api/server.ts';

/** Proves the loopback model API against the real claude, with nothing of the product between. */
let executable = '';
const home = mkdtempSync(join(tmpdir(), 'claude-home-'));
const apis: ModelApi[] = [];

beforeAll(() => {
  executable = installEngine('claude');
});
afterEach(async () => {
  for (const api of apis.splice(0)) await api.close();
});
afterAll(() => rmSync(home, { recursive: true, force: true }));

async function start(script: Script, args: string[] = []) {
  const api = await startModelApi(script);
  apis.push(api);
  const claude = startRawClaude(executable, args, { cwd: home, env: claudeEnv(home, api.url) });
  return { api, claude };
}

const isResult = (line: Line) => line.type === 'result';

describe('the loopback model API', () => {
  it('plays a conversation to the real claude, whose figures are what was served', async () => {
    const { api, claude } = await start({
      first: [says('One.')],
      second: [runs('echo hi'), says('Two.')],
    });
    claude.say('first');
    expect(await claude.waitFor(isResult)).toMatchObject({ result: 'One.' });
    claude.say('second');
    const last = await claude.waitFor(isResult);
    expect(last).toMatchObject({ result: 'Two.' });
    expect(await claude.end()).toBe(0);
    expect(api.served).toHaveLength(3);
    expect(Math.round(Number(last['total_cost_usd']) * 1e6)).toBe(billOf(api.served));
  });

  it('sees the key that the engine was given', async () => {
    const { api, claude } = await start({ hello: [says('Hi.')] });
    claude.say('hello');
    await claude.waitFor(isResult);
    await claude.end();
    expect(api.seen.find((entry) => entry.request)?.apiKey).toBe(CANARY_KEY);
  });

  it('can refuse', async () => {
    const { claude } = await start({
      hello: [{ kind: 'error', status: 400, type: 'invalid_request_error', message: 'no' }],
    });
    claude.say('hello');
    expect(await claude.waitFor(isResult)).toMatchObject({ is_error: true, api_error_status: 400 });
    await claude.end();
  });
});
