import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { REHEARSAL_EXECUTABLE } from '../../../../runner/engines/rehearsal/preset.ts';
import { scriptSchema, type ScriptInput } from '../../../../runner/engines/rehearsal/script.ts';
import { aDirectory, rehearse } from './rehearse.ts';

type Steps = ScriptInput['turns'][number];
const play = (steps: Steps, rest: Omit<Parameters<typeof rehearse>[0], 'script'> = {}) =>
  rehearse({ script: { turns: [steps] }, ...rest });

describe('scripted steps', () => {
  test('write, edit and read really touch files', async () => {
    const run = await play([
      { do: 'write', path: 'a/b.txt', content: 'one\ntwo\n' },
      { do: 'edit', path: 'a/b.txt', find: 'two', replace: '$& three' },
      { do: 'bash', command: 'cat a/b.txt' },
    ]);
    expect(run.of('tool/ended').at(-1)?.output.text).toBe('one\n$& three');
    expect(run.of('tool/ended').flatMap((event) => event.files.map((file) => file.change))).toEqual(
      ['created', 'edited'],
    );
  });

  test('an edit that finds nothing fails as a tool, not as a turn', async () => {
    const run = await play([
      { do: 'write', path: 'a', content: 'x' },
      { do: 'edit', path: 'a', find: 'y', replace: 'z' },
    ]);
    expect(run.of('tool/ended').map((event) => event.outcome)).toEqual(['ok', 'failed']);
    expect(run.of('turn/ended')[0]?.outcome).toBe('ok');
  });

  test('a failing command tells its status', async () => {
    const run = await play([{ do: 'bash', command: 'echo no; exit 3' }]);
    expect(run.of('tool/ended')[0]).toMatchObject({ outcome: 'failed', exitCode: 3 });
  });

  test('an answer may change what is run', async () => {
    const run = await play([{ do: 'bash', command: 'touch wanted', ask: true }], {
      answer: () => ({ decision: 'allow' }),
    });
    expect(existsSync(join(run.directory, 'wanted'))).toBe(true);
  });

  test('accept_edits asks for commands and not for edits', async () => {
    const run = await play(
      [
        { do: 'write', path: 'a', content: 'x', ask: true },
        { do: 'bash', command: 'true', ask: true },
      ],
      {
        approvals: 'accept_edits',
        answer: () => ({ decision: 'allow' }),
      },
    );
    expect(run.of('approval/requested').map((event) => event.request.toolName)).toEqual(['Bash']);
  });

  test('a question waits for its answer', async () => {
    const run = await play(
      [{ do: 'question', question: 'Which?', options: [{ label: 'A' }, { label: 'B' }] }],
      {
        answer: () => ({ decision: 'allow', answers: { 'Which?': 'B' } }),
      },
    );
    expect(run.of('approval/requested')[0]?.request).toMatchObject({ kind: 'question' });
    expect(run.of('tool/ended')[0]?.output.text).toContain('"Which?":"B"');
  });

  test('a subagent’s words and calls name it', async () => {
    const run = await play([
      { do: 'subagent', description: 'look', text: 'looking', command: 'echo found' },
    ]);
    const [outer, inner] = run.of('tool/started');
    expect(inner?.parentToolId).toBe(outer?.toolId);
    expect(run.of('text/completed')[0]?.parentToolId).toBe(outer?.toolId);
  });

  test('thinking and narration are told apart', async () => {
    const run = await play([
      { do: 'thinking', text: 'hm' },
      { do: 'thinking', text: 'now this', narration: true },
    ]);
    expect(run.of('text/completed').map((event) => event.kind)).toEqual(['thinking', 'narration']);
  });

  test('garbage and unknown lines are told and survived', async () => {
    const run = await play([
      { do: 'garbage' },
      { do: 'raw', line: { type: 'novelty' } },
      { do: 'text', text: 'still here' },
    ]);
    expect(run.of('notice/raised').map((event) => event.code)).toEqual([
      'line_unreadable',
      'lines_unknown',
    ]);
    expect(run.of('turn/ended')[0]?.outcome).toBe('ok');
  });

  test('a flood arrives whole and in order', async () => {
    const run = await play([{ do: 'flood', count: 20_000, text: 'ab' }]);
    const deltas = run.items.flatMap((item) => (item.kind === 'delta' ? [item.delta] : []));
    expect(deltas).toHaveLength(20_000);
    expect(deltas.every((delta, index) => delta.offset === index * 2)).toBe(true);
  });

  test('a huge output is cut in the event and whole on the machine', async () => {
    const run = await play([{ do: 'output', bytes: 2_000_000 }]);
    expect(run.of('tool/ended')[0]?.output.truncated?.bytes).toBe(2_000_000);
    expect(run.items.find((item) => item.kind === 'output')).toMatchObject({
      text: expect.stringMatching(/^0123/),
    });
  });

  test('a failure of the provider ends the turn as failed', async () => {
    const run = await play([
      { do: 'failure', error: 'overloaded', status: 529, retries: 2, retryMs: 5 },
      { do: 'text', text: 'never said' },
    ]);
    expect(run.of('turn/ended')[0]).toMatchObject({
      outcome: 'failed',
      error: { code: 'overloaded' },
    });
    expect(run.of('notice/raised')).toHaveLength(2);
    expect(run.of('text/completed')).toEqual([]);
  });

  test('a background command outlives its call', async () => {
    const run = await play([
      { do: 'bash', command: 'sleep 0.2; git push nowhere', background: true },
      { do: 'wait', ms: 600 },
    ]);
    expect(run.of('tool/ended')[0]?.exitCode).toBeNull();
    expect(run.of('act/ended').map((event) => event.outcome)).toEqual(['not_done']);
  });
});

describe('ends of the process', () => {
  test('a crash with a status', async () => {
    const run = await play([
      { do: 'text', text: 'a' },
      { do: 'crash', exitCode: 9, stderr: 'boom' },
    ]);
    expect(run.exitCode).toBe(9);
    expect(run.of('turn/ended')[0]).toMatchObject({
      outcome: 'failed',
      error: { message: expect.stringContaining('boom') },
    });
  });

  test('a crash by a signal leaves the turn killed, and its figures in no total', async () => {
    const run = await play([
      { do: 'text', text: 'a' },
      { do: 'crash', signal: 'SIGKILL' },
    ]);
    expect(run.signal).toBe('SIGKILL');
    expect(run.of('turn/ended')[0]).toMatchObject({ outcome: 'killed', usage: 'unsettled' });
    expect(
      run.of('usage/recorded').flatMap((event) => event.entries.map((entry) => entry.provenance)),
    ).toEqual(['rehearsal']);
  });

  test('one malformed line on its input, as with the real engine', async () => {
    const run = await play([{ do: 'wait', ms: 5_000 }], { raw: ['{"type":"user",'] });
    expect(run.exitCode).toBe(1);
    expect(run.stderr.join()).toContain('Error parsing');
  });

  test('start-up: a slow start, a death, a mistake in the script', async () => {
    const slow = await rehearse({
      script: { startUp: { delayMs: 300 }, turns: [[{ do: 'text', text: 'late' }]] },
    });
    expect(slow.of('turn/ended')[0]?.outcome).toBe('ok');
    const dead = await rehearse({
      script: { startUp: { exitCode: 4, stderr: 'cannot' }, turns: [[]] },
    });
    expect([dead.exitCode, dead.stderr]).toEqual([4, ['cannot']]);
    const wrong = join(await aDirectory(), 'wrong.json');
    await writeFile(wrong, JSON.stringify({ turns: [[{ do: 'text', text: 'x', colour: 'red' }]] }));
    const refused = spawnSync(process.execPath, [REHEARSAL_EXECUTABLE, '--script', wrong], {
      encoding: 'utf8',
      input: '',
    });
    expect(refused.status).not.toBe(0);
    expect(refused.stderr).toContain('turns.0.0');
  });
});

describe('interrupts', () => {
  const cases: readonly [when: string, steps: Steps, at: string][] = [
    ['while a command runs', [{ do: 'bash', command: 'sleep 30' }], 'tool/started'],
    [
      'while it waits for an answer',
      [{ do: 'bash', command: 'true', ask: true }],
      'approval/requested',
    ],
    ['while it says nothing', [{ do: 'text', text: 'a' }, { do: 'silence' }], 'text/completed'],
  ];

  test.each(cases)('%s end the turn, and the next one runs', async (_when, steps, at) => {
    let asked = false;
    const run = await rehearse({
      script: { turns: [steps, [{ do: 'text', text: 'after' }]] },
      instructions: ['go', 'and again'],
      on: (item, interrupt) => {
        if (asked || item.kind !== 'event' || item.event.type !== at) return;
        asked = true;
        setTimeout(interrupt, 50);
      },
    });
    expect(run.of('turn/ended').map((event) => event.outcome)).toEqual(['interrupted', 'ok']);
    expect(run.of('tool/ended').every((event) => event.outcome === 'interrupted')).toBe(true);
    expect(run.of('approval/resolved').every((event) => event.resolution === 'withdrawn')).toBe(
      true,
    );
  });
});

describe('the script’s form', () => {
  test.each([
    [{ turns: [] }],
    [{ turns: [[{ do: 'dance' }]] }],
    [{ turns: [[{ do: 'wait', ms: -1 }]] }],
    [{ turns: [[{ do: 'text' }]] }],
    [{ turns: [[]], more: 1 }],
  ])('%j is refused', (script) => {
    expect(scriptSchema.safeParse(script).success).toBe(false);
  });
});
