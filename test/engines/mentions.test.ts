import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { foundFiles, mentionFile, mentionsOf } from '../../protocol/find-files.ts';
import { ClaudeWorld } from '../e2e/claude-world.ts';
import { CodexWorld } from '../e2e/codex-world.ts';
import { GeminiWorld } from '../e2e/gemini-world.ts';
import { CANARY_KEY } from '../support/model-api/raw-claude.ts';
import { says, type Script } from '../support/model-api/script.ts';

/** What the real engines do with a file that the composer puts into an instruction. */
const NAME = 'notes (for you).md';
const CONTENT = 'the sentinel of the notes';
const SCRIPT: Script = { 'read this': [says('Read.')] };

let world: ClaudeWorld | CodexWorld | GeminiWorld;
afterEach(() => world.stop());

const STARTS = {
  claude: () => ClaudeWorld.start(SCRIPT, CANARY_KEY),
  gemini: () => GeminiWorld.start(SCRIPT),
  codex: () => CodexWorld.start(SCRIPT, CANARY_KEY),
} as const;

/** The requests that reached the model after an instruction which names the file. */
async function ask(engineId: keyof typeof STARTS): Promise<string> {
  world = await STARTS[engineId]();
  writeFileSync(join(world.repository, NAME), `${CONTENT}\n`);
  world.git('add', '.');
  world.git('commit', '-qm', 'notes');
  const mention = mentionFile(NAME, mentionsOf({ engineId }));
  const id = await world.launch(`read this: ${mention}`);
  await world.untilTurns(id, 1);
  const found = await world.get(foundFiles, `/v1/sessions/${id}/files?query=notes`);
  expect(found.files).toEqual([NAME]);
  return JSON.stringify(world.api.seen.map(({ request }) => request));
}

describe('a file in an instruction', () => {
  it.each(['claude', 'gemini'] as const)('is read in by %s with the instruction', async (id) => {
    expect(await ask(id)).toContain(CONTENT);
  });

  it('is a path like any other word to codex', async () => {
    const asked = await ask('codex');
    expect(asked).toContain(NAME);
    expect(asked).not.toContain(CONTENT);
  });
});
