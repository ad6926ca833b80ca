import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { ClaudeWorld } from '../e2e/claude-world.ts';
import { CodexWorld } from '../e2e/codex-world.ts';
import { GeminiWorld } from '../e2e/gemini-world.ts';
import { OpencodeWorld } from '../e2e/opencode-world.ts';
import { aPng, imageHashesIn, sha256Of } from '../support/images.ts';
import { CANARY_KEY } from '../support/model-api/raw-claude.ts';
import { says, type Script } from '../support/model-api/script.ts';

/** What the real engines do with an image of an instruction: its very bytes reach the model. */
const SCRIPT: Script = { begin: [says('Begun.')], 'what is this': [says('A square.')] };

type AnyWorld = ClaudeWorld | CodexWorld | GeminiWorld | OpencodeWorld;
let world: AnyWorld;
afterEach(() => world.stop());

const ENGINES: [string, () => Promise<AnyWorld>, string[]][] = [
  ['claude, sealed', () => ClaudeWorld.start(SCRIPT, CANARY_KEY), ['--grade', 'sealed']],
  ['codex', () => CodexWorld.start(SCRIPT, CANARY_KEY), ['--approvals', 'bypass']],
  ['codex, app-server', () => CodexWorld.start(SCRIPT, CANARY_KEY), ['--approvals', 'ask']],
  ['gemini, sealed', () => GeminiWorld.start(SCRIPT), ['--grade', 'sealed']],
  ['gemini, acp', () => GeminiWorld.start(SCRIPT), ['--approvals', 'ask']],
  ['opencode', () => OpencodeWorld.start(SCRIPT), []],
];

describe('an image of an instruction', () => {
  it.each(ENGINES)('reaches the model of %s', async (_, start, options) => {
    world = await start();
    const id = await world.launch('begin', ...options);
    await world.untilTurns(id, 1);
    const png = aPng(32);
    writeFileSync(join(world.repository, 'square.png'), png);
    const said = await world.cli('sessions', 'say', id, 'what is this', '--image', 'square.png');
    expect([said.exitCode, said.stderr]).toEqual([0, '']);
    const { view } = await world.untilTurns(id, 2);
    expect(view.turns[1]).toMatchObject({
      outcome: 'ok',
      images: [{ type: 'image/png', bytes: png.length, sha256: sha256Of(png) }],
    });
    const seen = world.api.seen.flatMap(({ request }) => imageHashesIn(request));
    expect(seen).toContain(sha256Of(png));
  });
});
