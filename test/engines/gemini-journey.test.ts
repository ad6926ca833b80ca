import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { actPage, usagePage } from '../../protocol/http.ts';
import { GeminiWorld } from '../e2e/gemini-world.ts';
import { geminiBillOf, geminiTokensOf } from '../support/model-api/gemini-bill.ts';
import { calls, says, type Script } from '../support/model-api/script.ts';
import { until } from '../support/until.ts';

/** The real gemini, driven by the real product, against a model API on loopback. */
let world: GeminiWorld;
const start = async (script: Script, apiKey?: string | null) => {
  world = await GeminiWorld.start(script, apiKey);
  return world;
};
afterEach(() => world.stop());

const runs = (command: string) => calls('run_shell_command', { command, description: 'run it' });

const rows = async (id: string, atLeast: number) =>
  until('the ledger to follow the record', async () => {
    const { items } = await world.get(usagePage, `/v1/usage?sessionId=${id}`);
    return items.length >= atLeast ? items : null;
  });

describe('a Coder session with the real gemini', () => {
  it('works, pushes, and records the push as an act; two turns cost what the API served', async () => {
    await start({
      'say bye': [
        runs('sed -i s/hello/bye/ a.txt && git commit -qam bye'),
        runs('git push -q origin HEAD:refs/heads/feature'),
        says('Pushed it.'),
      ],
      'what did you do': [says('I said bye.')],
    });
    const settings = readFileSync(join(world.own, 'settings.json'));
    const id = await world.launch('say bye');
    const first = await world.untilTurns(id, 1);
    expect(first.view.turns[0]).toMatchObject({ outcome: 'ok', usage: 'recorded' });
    await world.cli('sessions', 'say', id, 'what did you do');
    const { view } = await world.untilTurns(id, 2);
    expect(view.turns[1]).toMatchObject({ outcome: 'ok', usage: 'recorded' });

    // One conversation: the second process was told what the first had done.
    const asked = world.api.seen.map(({ request }) => JSON.stringify(request));
    expect(asked.at(-1)).toMatch(/say bye.*Pushed it.*what did you do/);

    const entries = await rows(id, 4);
    const sum = (of: 'inputTokens' | 'outputTokens' | 'cacheReadTokens' | 'microUsd') =>
      entries.reduce((total, entry) => total + (entry[of] ?? 0), 0);
    expect(new Set(entries.map(({ model }) => model)).size).toBe(2);
    expect(geminiTokensOf(world.api.served)).toMatchObject({
      inputTokens: sum('inputTokens'),
      outputTokens: sum('outputTokens'),
      cacheReadTokens: sum('cacheReadTokens'),
    });
    expect(sum('microUsd')).toBe(
      geminiBillOf(world.api.served.slice(0, 4)) + geminiBillOf(world.api.served.slice(4)),
    );
    expect(entries.every((row) => row.payer === 'api-key' && row.provenance === 'estimated')).toBe(
      true,
    );

    const acts = await until('the act’s outcome', async () => {
      const { items } = await world.get(actPage, '/v1/acts');
      return items.some(({ outcome }) => outcome !== null) ? items : null;
    });
    expect(acts).toMatchObject([{ kind: 'push', outcome: 'done', witness: 'stream' }]);
    expect(world.git('ls-remote', 'origin', 'refs/heads/feature')).toMatch(/^[0-9a-f]{40}/);
    expect(readFileSync(join(world.own, 'settings.json'))).toEqual(settings);
    expect(readdirSync(world.own)).not.toContain('trustedFolders.json');
  });
});
