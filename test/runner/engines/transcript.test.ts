import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { engineEvent } from '../../../protocol/engine-event.ts';
import { EVENT_TEXT_MAX_BYTES } from '../../../protocol/text.ts';
import { aConversation, assistant, figures, result, toolResult, toolUse } from './harness.ts';

describe('texts', () => {
  const stream = (event: Record<string, unknown>) => ({ type: 'stream_event', uuid: 's', event });
  const delta = (index: number, piece: string, type = 'text_delta') =>
    stream({
      type: 'content_block_delta',
      index,
      delta: type === 'text_delta' ? { type, text: piece } : { type, thinking: piece },
    });

  test('arrive as deltas whose offsets join, under the id of the finished block', () => {
    const conversation = aConversation().begin();
    conversation.line(stream({ type: 'message_start', message: { id: 'm', model: 'x' } }));
    conversation.line(delta(0, 'hmm', 'thinking_delta'));
    conversation.line(
      assistant([{ type: 'thinking', thinking: 'hmm' }], {
        message: { id: 'm', model: 'x', content: [{ type: 'thinking', thinking: 'hmm' }] },
      }),
    );
    for (const piece of ['Hel', 'lo', ' 🚀']) conversation.line(delta(1, piece));
    conversation.line(
      assistant([], {
        message: { id: 'm', model: 'x', content: [{ type: 'text', text: 'Hello 🚀' }] },
      }),
    );
    const deltas = conversation.items.flatMap((item) =>
      item.kind === 'delta' ? [item.delta] : [],
    );
    expect(deltas.map((each) => [each.blockId, each.kind, each.offset, each.text])).toEqual([
      ['m/0', 'thinking', 0, 'hmm'],
      ['m/1', 'answer', 0, 'Hel'],
      ['m/1', 'answer', 3, 'lo'],
      ['m/1', 'answer', 5, ' 🚀'],
    ]);
    expect(conversation.of('text/completed').map((event) => event.blockId)).toEqual(['m/0', 'm/1']);
  });

  test.each([
    ['by its index', { narration_block_indexes: [0] }, 'x'],
    ['by its signature', {}, Buffer.from('\u0002\u0009narration\u0001').toString('base64')],
  ])('tagged as narration %s are shown as such', (_how, change, signature) => {
    const conversation = aConversation().begin();
    conversation.line(assistant([{ type: 'thinking', thinking: 'now I look', signature }], change));
    expect(conversation.of('text/completed')[0]?.kind).toBe('narration');
  });

  test('that the provider keeps to itself are left out', () => {
    const conversation = aConversation().begin();
    conversation.line(assistant([{ type: 'thinking', thinking: '', signature: 'abc' }]));
    expect(conversation.of('text/completed')).toEqual([]);
  });
});

describe('tool calls', () => {
  const run = (content: unknown, detail: unknown, failed = false, command = 'git push') => {
    const conversation = aConversation().begin();
    conversation.line(toolUse('t', 'Bash', { command }));
    conversation.line(toolResult('t', content, detail, failed));
    return { conversation, ended: conversation.of('tool/ended')[0] };
  };

  test('end with output, status and the time that they took', () => {
    expect(run('ok', { stdout: 'ok' }).ended).toMatchObject({
      outcome: 'ok',
      exitCode: 0,
      output: { text: 'ok', truncated: null },
      durationMs: 1000,
    });
  });

  test('tell the status of a failed command', () => {
    expect(run('Exit code 128\nno remote', 'Error: Exit code 128', true).ended).toMatchObject({
      outcome: 'failed',
      exitCode: 128,
    });
  });

  test('keep head and tail of a long output, and hand the whole to the machine', () => {
    const long = Array.from({ length: 10_000 }, (_, line) => `line ${line}`).join('\n');
    const { conversation, ended } = run(long, { stdout: long });
    expect(Buffer.byteLength(ended?.output.text ?? '')).toBeLessThanOrEqual(
      EVENT_TEXT_MAX_BYTES + 16,
    );
    expect(ended?.output.text).toMatch(/^line 0\n[^]*line 9999$/);
    expect(ended?.output.truncated?.bytes).toBe(Buffer.byteLength(long));
    expect(conversation.items.find((item) => item.kind === 'output')).toEqual({
      kind: 'output',
      toolId: 't',
      text: long,
    });
  });

  test.each([
    ['git push', false, 'done'],
    ['git push', true, 'not_done'],
    ['git push; ls', false, 'unknown'],
    ['git push && ls', true, 'unknown'],
    ['git push || true', false, 'unknown'],
  ])('%s (failed: %s) leaves the push %s', (command, failed, outcome) => {
    const { conversation } = run('x', failed ? 'Error' : { stdout: 'x' }, failed, command);
    expect(conversation.of('act/ended')[0]?.outcome).toBe(outcome);
    expect(conversation.of('act/seen')[0]?.act).toMatchObject({
      kind: 'push',
      witness: 'stream',
      toolId: 't',
    });
  });

  test('refused by the engine’s own rules are denied, not failed', () => {
    const conversation = aConversation().begin();
    conversation.line(toolUse('t', 'Bash', { command: 'git push' }));
    conversation.line({
      type: 'system',
      subtype: 'permission_denied',
      tool_name: 'Bash',
      tool_use_id: 't',
    });
    conversation.line(toolResult('t', 'denied', 'Error: denied', true));
    expect(conversation.of('tool/ended')[0]?.outcome).toBe('denied');
    expect(conversation.of('act/ended')[0]?.outcome).toBe('not_done');
  });

  test('in the background settle their acts when the command ends', () => {
    const { conversation } = run('running', { stdout: '', backgroundTaskId: 'b1' });
    expect(conversation.of('act/ended')).toEqual([]);
    conversation.line({
      type: 'system',
      subtype: 'task_notification',
      tool_use_id: 't',
      status: 'completed',
    });
    expect(conversation.of('act/ended').map((event) => event.outcome)).toEqual(['done']);
  });

  test('without a result end unknown with the turn; a subagent’s go on', () => {
    const conversation = aConversation().begin();
    conversation.line(toolUse('own', 'Read', { file_path: '/a' }));
    conversation.line({
      ...toolUse('sub', 'Read', { file_path: '/b' }),
      parent_tool_use_id: 'agent',
    });
    conversation.line(result(figures(1)));
    expect(conversation.of('tool/ended').map((event) => event.toolId)).toEqual(['own']);
    conversation.line(toolResult('sub', 'b', {}));
    expect(conversation.of('tool/ended').map((event) => event.toolId)).toEqual(['own', 'sub']);
  });

  test('that change files show them as diffs', () => {
    const conversation = aConversation().begin();
    const hunk = {
      oldStart: 2,
      oldLines: 2,
      newStart: 2,
      newLines: 3,
      lines: [' a', '-b', '+c', '+d'],
    };
    conversation.line(toolUse('e', 'Edit', { file_path: '/r/x' }));
    conversation.line(
      toolResult('e', 'updated', {
        filePath: '/r/x',
        originalFile: 'a\nb',
        structuredPatch: [hunk],
      }),
    );
    conversation.line(toolUse('w', 'Write', { file_path: '/r/y' }));
    conversation.line(
      toolResult('w', 'created', {
        type: 'create',
        filePath: '/r/y',
        content: 'one\ntwo',
        structuredPatch: [],
        originalFile: null,
      }),
    );
    const files = conversation.of('tool/ended').flatMap((event) => event.files);
    expect(files.map(({ patch, ...rest }) => ({ ...rest, patch: patch.text }))).toEqual([
      {
        path: '/r/x',
        change: 'edited',
        additions: 2,
        deletions: 1,
        patch: '@@ -2,2 +2,3 @@\n a\n-b\n+c\n+d',
      },
      {
        path: '/r/y',
        change: 'created',
        additions: 2,
        deletions: 0,
        patch: '@@ -0,0 +1,2 @@\n+one\n+two\n\\ No newline at end of file',
      },
    ]);
  });
});

describe('lines that are not as expected', () => {
  test('garbage is told three times, then counted', () => {
    const conversation = aConversation().begin();
    for (let index = 0; index < 50; index++) conversation.raw('not JSON');
    conversation.line(result(figures(1)));
    expect(conversation.of('notice/raised').map((event) => event.code)).toEqual([
      'line_unreadable',
      'line_unreadable',
      'line_unreadable',
      'lines_unreadable',
    ]);
    expect(conversation.of('notice/raised').at(-1)?.message).toContain('50 lines');
  });

  test('unknown kinds are counted and told once a turn', () => {
    const conversation = aConversation().begin();
    for (let index = 0; index < 3; index++) conversation.line({ type: 'brand_new' });
    conversation.line({ type: 'system', subtype: 'newer' });
    conversation.line(result(figures(1)));
    expect(conversation.of('notice/raised').map((event) => event.message)).toEqual([
      'Lines of the engine that this version does not know were ignored: brand_new ×3, system/newer ×1.',
    ]);
  });

  test('no line whatever makes the parser throw, or make an event that the protocol refuses', () => {
    const id = fc.constantFrom('t', '__proto__', 'constructor', '', 'x'.repeat(300));
    const line = fc.oneof(
      fc.string(),
      fc.json(),
      fc
        .record({
          type: fc.constantFrom(
            'assistant',
            'user',
            'system',
            'result',
            'stream_event',
            'control_request',
            'control_response',
            'control_cancel_request',
            'command_lifecycle',
            'rate_limit_event',
            'conversation_reset',
            'constructor',
            '__proto__',
          ),
        })
        .chain((base) =>
          fc
            .dictionary(
              fc.constantFrom(
                'subtype',
                'message',
                'event',
                'request',
                'request_id',
                'response',
                'uuid',
                'modelUsage',
                'is_error',
                'session_id',
                'rate_limit_info',
              ),
              fc.anything({ withBigInt: false }),
            )
            .map((rest) => JSON.stringify({ ...rest, ...base }) ?? ''),
        ),
      id.map((name) => JSON.stringify(toolUse(name, name, { command: 'git push' }))),
      id.map((name) =>
        JSON.stringify(
          toolResult(name, [{ type: 'text', text: name }, null, 3], { stdout: 1 }, true),
        ),
      ),
      fc.integer({ min: -2, max: 3 }).map((times) => JSON.stringify(result(figures(times)))),
    );
    fc.assert(
      fc.property(fc.array(line, { maxLength: 30 }), (lines) => {
        const conversation = aConversation().begin();
        for (const each of lines) conversation.raw(each);
        conversation.exit();
        for (const event of conversation.events()) engineEvent.parse(event);
        const started = conversation.of('turn/started').length;
        expect(conversation.of('turn/ended')).toHaveLength(started);
        expect(conversation.of('tool/ended')).toHaveLength(conversation.of('tool/started').length);
      }),
      { numRuns: 400 },
    );
  });
});
