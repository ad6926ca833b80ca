import { describe, expect, it } from 'vitest';
import { commandId, instanceId } from '../../../protocol/ids.ts';
import type { TerminalAnswer } from '../../../protocol/terminal.ts';
import { serveTerminal, type TerminalCommand } from '../../../runner/operate/serve.ts';

const TARGET = 'tmux:own:1.1:%1';
const command = {
  id: commandId.parse('cmd_1'),
  method: 'terminal/call',
  params: {
    call: { tool: 'terminal_send_text', params: { target: TARGET, text: 'go', enter: true } },
    scope: { backends: ['tmux'], prefixes: [], only: null },
    drive: { instanceId: instanceId.parse('ins_1'), callId: 'call' },
    watch: { policy: {}, sources: [], acts: [], approved: false },
  },
} as unknown as TerminalCommand;

/** What the meter is told around a write that the door answers so. */
async function told(write: () => TerminalAnswer, held = false): Promise<string[]> {
  const steps: string[] = [];
  const panes = [{ target: TARGET, agent: { engine: 'claude', pid: 1 } }];
  const rooms = {
    door: async ({ tool }: { tool: string }) => {
      if (tool === 'terminal_list') return { ok: true, value: { panes } } as TerminalAnswer;
      steps.push('door');
      return write();
    },
    secrets: () => [],
    handed: () => void steps.push('handed'),
    meter: {
      begin: async () => void steps.push('begin'),
      written: () => void steps.push('written'),
      cancel: () => void steps.push('cancel'),
    },
    writes: {
      begin: async () => void steps.push('looked at'),
      written: () => void steps.push('seen'),
      cancel: () => void steps.push('unseen'),
      isHeld: () => held,
    },
  };
  await serveTerminal(command, rooms).catch(() => steps.push('thrown'));
  return steps;
}

describe('a write to a coding agent', () => {
  it('is followed from just before it, and counts as one once the terminal took it', async () => {
    const answer = { ok: true, value: {} } as TerminalAnswer;
    expect(await told(() => answer)).toEqual([
      'looked at',
      'begin',
      'handed',
      'door',
      'written',
      'seen',
    ]);
  });

  it('that is refused, or breaks, was none', async () => {
    const refused = { ok: false, code: 'terminal_gone', message: 'gone' } as TerminalAnswer;
    expect(await told(() => refused)).toEqual([
      'looked at',
      'begin',
      'handed',
      'door',
      'cancel',
      'unseen',
    ]);
    const broken = () => {
      throw new Error('the door broke');
    };
    expect(await told(broken)).toEqual([
      'looked at',
      'begin',
      'handed',
      'door',
      'cancel',
      'unseen',
      'thrown',
    ]);
  });

  it('is none where what it did before is a breach that the cloud does not know yet', async () => {
    const answer = { ok: true, value: {} } as TerminalAnswer;
    expect(await told(() => answer, true)).toEqual(['looked at', 'unseen']);
  });
});
