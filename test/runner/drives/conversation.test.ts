import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { placeOf, usedBetween } from '../../../runner/drives/conversation.ts';

const ID = '6d1c2c0e-0000-4000-8000-000000000001';
const answer = (id: string, output: number, model = 'claude-opus-5-5') =>
  `${JSON.stringify({
    type: 'assistant',
    message: { id, model, content: [], usage: { input_tokens: 10, output_tokens: output } },
  })}\n`;
const tokens = (inputTokens: number, outputTokens: number) => ({ inputTokens, outputTokens });

let projects: string;
let own: string;
beforeEach(() => {
  projects = mkdtempSync(join(tmpdir(), 'pilothouse-conversation-'));
  mkdirSync(join(projects, '-work'));
  own = join(projects, '-work', `${ID}.jsonl`);
});
afterEach(() => rmSync(projects, { recursive: true }));

const place = async () => (await placeOf({ projects, sessionId: ID })) ?? {};

it('counts each message once, and none that had begun before', async () => {
  writeFileSync(own, answer('msg_1', 1));
  const from = await place();
  // The rest of a message that had begun, and one whose count grows from line to line.
  appendFileSync(own, answer('msg_1', 40) + answer('msg_2', 1) + answer('msg_2', 7));
  expect(await usedBetween(from, await place())).toMatchObject([tokens(10, 7)]);
});

it('counts the agents that it sent out, by model, and says where there is no price', async () => {
  writeFileSync(own, '');
  const from = await place();
  appendFileSync(own, answer('msg_1', 5));
  const directory = join(projects, '-work', ID, 'subagents');
  mkdirSync(directory, { recursive: true });
  writeFileSync(join(directory, 'agent-1.jsonl'), answer('msg_9', 3, 'some-model'));
  expect(await usedBetween(from, await place())).toMatchObject([
    { model: 'claude-opus-5-5', ...tokens(10, 5), microUsd: expect.any(Number) },
    { model: 'some-model', ...tokens(10, 3), microUsd: null },
  ]);
});

it('tells nothing of a file that was cut, or is a link to another', async () => {
  writeFileSync(own, answer('msg_1', 5));
  const from = await place();
  writeFileSync(own, '');
  expect(await usedBetween(from, await place())).toBeNull();
  rmSync(own);
  writeFileSync(join(projects, 'elsewhere'), answer('msg_2', 5));
  symlinkSync(join(projects, 'elsewhere'), own);
  expect(await usedBetween({}, await place())).toBeNull();
});

it('takes neither an answer that no model gave nor a line that is not whole', async () => {
  writeFileSync(own, answer('msg_1', 5, '<synthetic>') + answer('msg_2', 5).slice(0, -9));
  expect(await usedBetween({}, await place())).toEqual([]);
});
