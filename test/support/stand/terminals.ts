import type { MockWorld } from '../../../console/mock/world.ts';
import { LOCAL_ACTOR } from '../../../protocol/ids.ts';
import type { ChatEvent } from '../../../protocol/operator-chat.ts';
import type { InstanceDetail } from '../../../protocol/operator-http.ts';
import { aUsage } from '../protocol-builders.ts';
import { NOON } from './noon.ts';

/** The terminal of the harbour that is watched and that an operator works in. */
export const PANE = 'tmux:default:812.1700000000:%3';
const MINUTE_MS = 60_000;
const MOST_MS = 60 * MINUTE_MS;

const SCREEN = [
  '\x1b[32msentinel@laptop\x1b[0m:\x1b[34m~/harbour\x1b[0m$ npm test',
  '',
  ' \x1b[32m✓\x1b[0m tide.test.ts (12)',
  ' \x1b[32m✓\x1b[0m charts.test.ts (31)',
  ' \x1b[31m✗\x1b[0m buoys.test.ts (7) \x1b[31m1 failed\x1b[0m',
  '',
  '   \x1b[31mAssertionError\x1b[0m: expected 6 to be 7',
  '   at buoys.test.ts:44:22',
  '',
  '\x1b[32msentinel@laptop\x1b[0m:\x1b[34m~/harbour\x1b[0m$ ',
].join('\r\n');

const TALK: ChatEvent[] = [
  {
    type: 'said',
    text: 'Watch the tests, and run them again when they fail.',
    actorId: LOCAL_ACTOR,
  },
  {
    type: 'answered',
    text: 'One test of the buoys fails. I run it again alone.',
    calls: [
      { callId: 'chat.2.0', toolCallId: 'a', name: 'tmux_capture_pane', input: { target: PANE } },
    ],
    usage: aUsage({ provenance: 'estimated' }),
    upTo: 1,
  },
  {
    type: 'called',
    callId: 'chat.2.0',
    outcome: 'done',
    rule: null,
    text: '1 failed',
    omitted: 0,
    tokens: 184,
  },
];

/** A terminal with a run of tests, and an operator in it that waits for a yes. */
export function fillTerminals(world: MockWorld): void {
  const { operators } = world;
  const pane = { target: PANE, backend: 'tmux', session: 'build', title: 'build' } as const;
  const front = { program: 'bash', directory: '/home/sentinel/harbour', state: 'shell' } as const;
  const size = { columns: 80, rows: 24 };
  world.panes = [{ ...pane, ...front, size, agent: null, ours: false, shown: 'live' }];
  world.paneScreen = SCREEN;
  const { instance } = operators.answer(
    'POST',
    '/v1/instances',
    {
      operatorId: 'opr_tmux',
      runnerId: world.runners[0]?.runnerId,
      agreedVersion: 1,
      name: 'test watcher',
      boundTarget: { target: PANE, label: 'build' },
      brain: { keyId: 'bky_1', model: 'claude-opus-5-5' },
    },
    NOON,
  ) as InstanceDetail;
  operators.chats.add(...TALK);
  operators.chats.state = 'waiting';
  operators.chats.requests.push({
    callId: 'chat.4.0',
    instanceId: instance.id,
    actor: { kind: 'agent', id: instance.id },
    tool: 'tmux_run_command',
    risk: 'run',
    target: PANE,
    params: { target: PANE, command: 'npm test -- buoys' },
    rule: 'consent',
    reason: 'you are asked before it runs a command',
    at: NOON - 2 * MINUTE_MS,
    expiresAt: NOON - 2 * MINUTE_MS + MOST_MS,
  });
}
