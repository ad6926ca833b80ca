import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { qwenBooks } from '../../../../runner/engines/qwen/books.ts';
import { lookThrough } from '../../../../runner/sessions/books-look.ts';
import { ENGINE_SESSION } from '../harness.ts';
import { aProcess, used } from './harness.ts';

const answered = (model: string) =>
  JSON.stringify({
    type: 'system',
    subtype: 'ui_telemetry',
    systemPayload: {
      uiEvent: {
        'event.name': 'qwen-code.api_response',
        model,
        input_token_count: 400,
        output_token_count: 50,
        cached_content_token_count: 300,
      },
    },
  });

let home: string;
const chats = () => join(home, 'projects', '-work', 'chats');
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'pilothouse-qwen-'));
  mkdirSync(chats(), { recursive: true });
});
afterEach(() => rmSync(home, { recursive: true }));

const write = (...lines: string[]) =>
  writeFileSync(join(chats(), `${ENGINE_SESSION}.jsonl`), `${lines.join('\n')}\n`);
const read = () =>
  qwenBooks.read(
    lookThrough((path) => path),
    { engineSessionId: ENGINE_SESSION, directory: '/work' },
    { QWEN_HOME: home },
  );
const state = () => aProcess().begin().says('One.').ends(used(1)).state();

it('takes what was asked in a terminal for the least, from its own figures, and goes on from there', async () => {
  write(answered('gpt-5.4-mini'));
  const before = await read();
  write(answered('gpt-5.4-mini'), 'no json qwen-code.api_response', answered('gpt-5.4'), '{}');
  const settled = qwenBooks.settle(state(), before, await read());
  expect(settled.usage).toBe('unsettled');
  expect(settled.entries).toMatchObject([
    {
      model: 'gpt-5.4',
      provenance: 'unsettled',
      microUsd: 1_075,
      inputTokens: 100,
      cacheReadTokens: 300,
    },
  ]);
  expect(settled.state?.counted).toEqual({ input: 800, output: 100, cached: 600 });
});

it('says that nothing was asked where nothing is written down', async () => {
  write(answered('gpt-5.4-mini'));
  const settled = qwenBooks.settle(state(), await read(), await read());
  expect(settled).toMatchObject({ usage: 'none', entries: [] });
});

it('says that it does not know where there is no file, or figures went backward', async () => {
  const none = await read();
  write(answered('gpt-5.4-mini'));
  const one = await read();
  for (const settled of [
    qwenBooks.settle(state(), none, none),
    qwenBooks.settle(
      state(),
      { models: { 'gpt-5.4-mini': { input: 900, output: 90, cached: 0 } } },
      one,
    ),
  ]) {
    expect(settled).toMatchObject({ usage: 'unsettled', state: { counted: null } });
    expect(settled.entries).toMatchObject([{ provenance: 'unsettled', microUsd: null }]);
  }
});
