import { afterEach, describe, expect, it, vi } from 'vitest';
import { PilothouseError } from '../../../protocol/errors.ts';
import { MCP_SCOPES } from '../../../protocol/mcp.ts';
import { answerCall, answerWith, refuseWith } from '../../../workers/http/mcp/answer.ts';
import { CONTROL_TOOLS } from '../../../workers/http/mcp/control-tools.ts';

const logged: string[] = [];
afterEach(() => {
  logged.length = 0;
  vi.restoreAllMocks();
});
const listen = () =>
  vi.spyOn(console, 'error').mockImplementation((line: unknown) => {
    logged.push(String(line));
  });
const failing = (fault: unknown) =>
  answerCall(() => Promise.reject(fault instanceof Error ? fault : new Error(String(fault))));

describe('the answer to a call of a tool', () => {
  it('is its value as JSON, whatever the value is', async () => {
    for (const value of [{ items: [] }, null, 'text', [1, 2]]) {
      const { content, isError } = await answerCall(async () => answerWith(value));
      expect(content).toEqual([{ type: 'text', text: JSON.stringify(value) }]);
      expect(isError).toBeUndefined();
    }
  });

  it('is a failed call with the code and what to do, where it was refused', async () => {
    listen();
    expect(await failing(new PilothouseError('runner_offline', { runnerId: 'run_1' }))).toEqual({
      content: [
        {
          type: 'text',
          text: `runner_offline: ${new PilothouseError('runner_offline').message}`,
        },
      ],
      isError: true,
    });
    expect(logged).toEqual([]);
  });

  it('tells a client nothing of a fault, and the log all of it', async () => {
    listen();
    const answer = await failing(new Error('SQLITE: no such table: secrets'));
    expect(JSON.stringify(answer)).not.toMatch(/SQLITE|secrets/);
    expect(answer).toMatchObject({ isError: true });
    expect(logged).toHaveLength(1);
    expect(JSON.parse(logged[0] ?? '')).toMatchObject({
      operation: 'mcp.fault',
      fault: 'Error: SQLITE: no such table: secrets',
    });
  });

  it('catches what is thrown before anything is awaited', async () => {
    const thrower = () => {
      throw new PilothouseError('session_not_found');
    };
    expect(await answerCall(thrower)).toMatchObject({ isError: true });
  });

  it('is a sentence where nothing was done', () => {
    expect(refuseWith('Ask the person.')).toEqual({
      content: [{ type: 'text', text: 'Ask the person.' }],
      isError: true,
    });
  });
});

describe('the tools of the control plane', () => {
  const parse = (tool: string, said: unknown) => CONTROL_TOOLS[tool]?.input.safeParse(said).success;
  const launch = {
    runnerId: 'run_1',
    engineId: 'claude',
    directory: '/code',
    objective: 'Fix the test',
  };

  it('are each of one scope, and every scope opens one', () => {
    const scopes = Object.values(CONTROL_TOOLS).map(({ scope }) => scope);
    expect(new Set(scopes)).toEqual(new Set(MCP_SCOPES));
    expect(CONTROL_TOOLS['stop_session']?.scope).toBe('destructive');
    expect(CONTROL_TOOLS['launch_session']?.scope).toBe('runtime');
  });

  it.each<[string, unknown, boolean]>([
    ['say', { sessionId: 'ses_1', text: 'go on' }, true],
    ['say', { sessionId: 'ses_1', text: 'go on', turnId: 'trn_1' }, true],
    ['say', { sessionId: 'ses_1', text: ' \n' }, false],
    ['say', { sessionId: 'run_1', text: 'go on' }, false],
    ['say', { text: 'go on' }, false],
    ['stop_session', { sessionId: 'ses_1' }, true],
    ['stop_session', {}, false],
    ['session_status', { sessionId: '../ses_1' }, false],
    ['launch_session', launch, true],
    ['launch_session', { ...launch, objective: '' }, false],
    ['launch_session', { ...launch, budgetMicroUsd: -1 }, false],
    ['launch_session', { ...launch, runnerId: undefined }, false],
    ['usage_summary', { by: 'model' }, true],
    ['usage_summary', { by: 'moon' }, false],
    ['list_acts', { kind: 'push' }, true],
    ['list_acts', { kind: 'nuke' }, false],
  ])('%s takes %j: %s', (tool, said, takes) => {
    expect(parse(tool, said)).toBe(takes);
  });

  it('launch nothing that asks less of a person than the policy does', () => {
    const loosening = {
      approvals: 'bypass',
      pilot: { goal: 'all of it' },
      policy: { mode: 'merge' },
      grade: 'none',
    };
    const tool = CONTROL_TOOLS['launch_session'];
    const input = Object(tool?.input.parse({ ...launch, ...loosening }));
    expect(Object.keys(loosening).filter((part) => part in input)).toEqual([]);
    expect(input).toMatchObject(launch);
  });
});
