import { expect, test } from 'vitest';
import type { EngineItem } from '../../../runner/engines/engine.ts';
import { codex } from '../../../runner/engines/codex/preset.ts';
import { codexAppServer } from '../../../runner/engines/codex/app-server/preset.ts';
import { gemini } from '../../../runner/engines/gemini/preset.ts';
import { geminiAcp } from '../../../runner/engines/gemini/acp.ts';
import { aProcess as aQwenProcess } from './qwen/harness.ts';
import { opencode } from '../../../runner/engines/opencode/preset.ts';
import { aTalk } from './acp/harness.ts';
import { aConversation, anEngineLaunch, ENGINE_SESSION, FIRST, result } from './harness.ts';

const EARLIER = { resume: true, engineSessionId: ENGINE_SESSION };
const ENDED = { exitCode: 1, signal: null, expected: false };

/** Each engine's own words, as the real ones of the table in docs/engines.md said them. */
const LOST: readonly (readonly [engine: string, items: () => readonly EngineItem[]])[] = [
  [
    'claude',
    () => {
      const conversation = aConversation(anEngineLaunch(EARLIER));
      conversation.instruct('go');
      const errors = [`No conversation found with session ID: ${ENGINE_SESSION}`];
      const subtype = 'error_during_execution';
      conversation.line(result({}, { is_error: true, subtype, errors }));
      conversation.exit({ exitCode: 1, signal: null });
      return conversation.items;
    },
  ],
  [
    'codex',
    () => {
      const { state } = codex.open(anEngineLaunch(EARLIER));
      const held = codex.encodeInstruction(state, { turnId: FIRST, text: 'go' }, 1);
      const stderrTail = [
        `Error: thread/resume: thread/resume failed: no rollout found for thread id ${ENGINE_SESSION} (code -32600)`,
        '',
        'Stack backtrace:',
        '   0: <unknown>',
      ];
      return codex.exit(held.state, { ...ENDED, stderrTail }, 2).items;
    },
  ],
  [
    'codex, asking',
    () => {
      const { state } = codexAppServer.open(anEngineLaunch(EARLIER));
      const message = `no rollout found for thread id ${ENGINE_SESSION}`;
      const answer = { id: 'thread', error: { code: -32_600, message } };
      return codexAppServer.parse(state, JSON.stringify(answer), 1).items;
    },
  ],
  ...['No previous sessions found for this project.', 'Invalid session identifier "x".'].map(
    (words) =>
      [
        `gemini: ${words}`,
        () => {
          const { state } = gemini.open(anEngineLaunch(EARLIER));
          const held = gemini.encodeInstruction(state, { turnId: FIRST, text: 'go' }, 1);
          const stderrTail = [`\u001B[31mError resuming session: ${words}\u001B[0m`];
          return gemini.exit(held.state, { ...ENDED, exitCode: 42, stderrTail }, 2).items;
        },
      ] as const,
  ),
  [
    'qwen',
    () => {
      const stderrTail = [
        `No saved session found with ID ${ENGINE_SESSION}. Run \`qwen --resume\`.`,
      ];
      return aQwenProcess(EARLIER)
        .instruct()
        .exit({ ...ENDED, stderrTail }).items;
    },
  ],
  ...(
    [
      [
        'gemini, asking',
        geminiAcp,
        {
          code: -32_603,
          message: 'Internal error',
          data: { details: 'No previous sessions found for this project.' },
        },
      ],
      [
        'opencode',
        opencode,
        {
          code: -32_603,
          message: 'Internal error: OpenCode service failure',
          data: { service: 'session' },
        },
      ],
      [
        'any agent, by the protocol’s own code',
        opencode,
        { code: -32_002, message: 'Resource not found' },
      ],
    ] as const
  ).map(
    ([name, engine, error]) =>
      [
        name,
        () =>
          aTalk({ engine, launch: EARLIER })
            .answers('initialize', { agentCapabilities: { loadSession: true } })
            .fails('session', error).items,
      ] as const,
  ),
];

test.each(LOST)(
  'a conversation that %s does not know is told as that, and as no turn',
  (_, run) => {
    const items = run();
    const errors = items.flatMap((item) => (item.kind === 'fatal' ? [item.error] : []));
    expect(errors).toMatchObject([{ code: 'conversation_lost' }]);
    expect(errors[0]?.message).toMatch(
      /begins a new one that is told the record.*\(The engine says/,
    );
    const types = items.flatMap((item) => (item.kind === 'event' ? [item.event.type] : []));
    expect(types.filter((type) => type.startsWith('turn/'))).toEqual([]);
  },
);

test('an agent that cannot begin a new conversation has lost none', () => {
  const talk = aTalk().answers('initialize', {});
  const { items } = talk.fails('session', { code: -32_603, message: 'thread not found' });
  expect(items.at(-1)).toMatchObject({ kind: 'fatal', error: { code: 'unknown' } });
});
