import { describe, expect, it } from 'vitest';
import {
  instanceId,
  LOCAL_ACCOUNT,
  LOCAL_ACTOR,
  operatorId,
  runnerId,
} from '../../../protocol/ids.ts';
import { TERMINAL_RISKS, terminalCall } from '../../../protocol/terminal.ts';
import { driveOf } from '../../../workers/gate/drive.ts';
import type { Executed } from '../../../workers/gate/execute.ts';
import type { DecisionRow } from '../../../workers/gate/record.ts';
import { sha256Hex } from '../../../workers/lib/crypto.ts';
import { PANE } from '../support/operators.ts';

const UNKNOWN: Executed = { status: 'unknown', message: 'it may have been done' };
const done = (value: unknown) => ({ status: 'done', value }) as Executed;

/** The drive that a call comes to, after what became of it. */
async function drive(tool: string, params: object, became: Executed) {
  const call = terminalCall.parse({ tool, params });
  const row: DecisionRow = {
    accountId: LOCAL_ACCOUNT,
    actorId: LOCAL_ACTOR,
    instanceId: instanceId.parse('ins_1'),
    callId: 'one',
    step: 0,
    operatorId: operatorId.parse('opr_watcher'),
    runnerId: runnerId.parse('run_1'),
    tool: call.tool,
    target: PANE,
    at: 1,
    actor: { kind: 'agent', id: 'chat' },
    definitionVersion: 1,
    risk: TERMINAL_RISKS[call.tool],
    callSha256: 'a',
    callBytes: 1,
    effect: 'allow',
    rule: null,
    reason: '',
    acts: [],
    aiCli: 'claude',
    expiresAt: null,
    seenSha256: null,
  };
  return driveOf(row, call, became);
}
const onPane = (params: object) => ({ target: PANE, ...params });
const RAN = {
  status: 'ended',
  exitCode: 0,
  receipt: 'delivered',
  text: 'x'.repeat(999),
  omitted: 0,
  target: PANE,
};

describe('the drive that a write is put down as', () => {
  it('says how much was sent and that nobody meters it', async () => {
    const sent = { receipt: 'delivered', bytes: 41, sha256: 'of-the-machine' };
    const made = await drive('tmux_send_keys', onPane({ keys: ['C-c'] }), done(sent));
    expect(made).toMatchObject({
      callId: 'one',
      target: PANE,
      aiCli: 'claude',
      bytes: 41,
      sha256: 'of-the-machine',
      receipt: 'delivered',
      metering: 'unmetered',
      microUsd: null,
    });
  });

  it.each([
    ['terminal_send_text', { text: 'grüße' }, 'grüße', 7],
    ['terminal_send_keys', { keys: ['C-c', 'Enter'] }, 'C-c Enter', 9],
    ['tmux_run_command', { command: 'npm test' }, 'npm test', 8],
    ['terminal_run_command', { command: 'ls' }, 'ls', 2],
  ])(
    'counts %s by its own bytes where the machine’s answer is lost',
    async (tool, params, text, bytes) => {
      const made = await drive(tool, onPane(params), UNKNOWN);
      expect(made).toMatchObject({ bytes, sha256: await sha256Hex(text), receipt: 'unknown' });
    },
  );

  it.each([
    [['npm', 'start'], 'npm start'],
    [undefined, ''],
  ])('of a new session is what it was started with: %j', async (argv, text) => {
    const made = await drive(
      'tmux_create_session',
      { name: 'build', directory: '/code', ...(argv && { argv }) },
      done({ target: 'tmux:own:1.2:$1' }),
    );
    expect(made).toMatchObject({
      bytes: text.length,
      sha256: await sha256Hex(text),
      receipt: 'delivered',
    });
  });

  it('counts the command that was run, and not what it wrote', async () => {
    const made = await drive(
      'tmux_run_command',
      onPane({ command: 'cat log' }),
      done({ ...RAN, receipt: 'queued' }),
    );
    expect(made).toMatchObject({ bytes: 7, receipt: 'queued' });
  });

  it.each([
    ['tmux_capture_pane', {}],
    ['tmux_kill_session', {}],
  ])('is none where nothing was typed: %s', async (tool, params) => {
    expect(await drive(tool, onPane(params), done({}))).toBeNull();
    expect(await drive(tool, onPane(params), UNKNOWN)).toBeNull();
  });

  it('is none where the machine refused', async () => {
    const refused: Executed = { status: 'refused', code: 'terminal_busy', message: 'busy' };
    expect(await drive('tmux_run_command', onPane({ command: 'ls' }), refused)).toBeNull();
  });
});
