import { execFileSync } from 'node:child_process';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { installEngine } from '../../tools/engines/install.ts';
import { billOf, PRICED_MODELS } from '../support/model-api/bill.ts';
import type { Line } from '../support/model-api/raw-claude.ts';
import { runs, says, type Script } from '../support/model-api/script.ts';
import { control, isResult, startRun, type Run, type RunOptions } from './recording/run.ts';
import { play, SCENARIOS, WAITS, type Scenario } from './recording/scenarios.ts';

/** What the real claude does on its own protocol, with nothing of the product in between. */
const running: Run[] = [];

beforeAll(() => void installEngine('claude'));
afterEach(async () => {
  for (const { claude, api, workspace } of running.splice(0)) {
    claude.kill('SIGKILL');
    await claude.exited;
    await api.close();
    workspace.remove();
  }
});

async function start(script: Script, options: RunOptions = {}): Promise<Run> {
  const run = await startRun(script, options);
  running.push(run);
  return run;
}

async function playNamed(name: string): Promise<{ run: Run; lines: Line[]; last: Line }> {
  const run = await play(SCENARIOS[name] as Scenario);
  const last = run.claude.lines.findLast(isResult);
  if (!last) throw new Error(`${name} ended without a result`);
  return { run, lines: run.claude.lines, last };
}

const microUsd = (line: Line) => Math.round(Number(line['total_cost_usd']) * 1e6);
const text = (value: unknown) => JSON.stringify(value);
const kinds = (lines: readonly Line[]) => lines.map((line) => line.type);

describe('a turn of the real claude', () => {
  it('streams its text in pieces, between the echo of the instruction and the result', async () => {
    const { lines, run, last } = await playNamed('text-turns');
    const deltas = lines
      .map((line) => (line['event'] as { delta?: { text?: string } } | undefined)?.delta?.text)
      .filter((piece) => piece !== undefined);
    expect(deltas.join('')).toBe('A short answer.Another answer.');
    const echo = lines.findIndex((line) => line['isReplay'] === true);
    expect(echo).toBeGreaterThan(-1);
    expect(kinds(lines).indexOf('stream_event')).toBeGreaterThan(echo);
    expect(kinds(lines).indexOf('result')).toBeGreaterThan(kinds(lines).indexOf('stream_event'));
    expect(microUsd(last)).toBe(billOf(run.api.served));
  });

  it('tells the state of each instruction under the id that it was sent with', async () => {
    const { claude } = await start({ hello: [says('Hi.')] });
    const sent = claude.say('hello');
    await claude.waitFor((line) => line['state'] === 'completed');
    const states = claude.lines
      .filter((line) => line.type === 'command_lifecycle' && line['command_uuid'] === sent)
      .map((line) => line['state']);
    expect(states).toEqual(['queued', 'started', 'completed']);
    expect(claude.lines.find((line) => line['isReplay'])?.['uuid']).toBe(sent);
  });

  it('runs tools together and tells the failed one', async () => {
    const { lines } = await playNamed('tools-bypass');
    const results = text(lines.filter((line) => line.type === 'user'));
    expect(results).toContain('# A repository');
    expect(results).toContain('Exit code 3');
  });

  it('pushes for real, and says so', async () => {
    const { lines } = await playNamed('git-push');
    expect(lines).toContainEqual(
      expect.objectContaining({ subtype: 'vcs_state_changed', kind: 'push', branch: 'main' }),
    );
  });

  it('marks the lines of a subagent, whose cost the total includes and the turn leaves out', async () => {
    const { run, lines, last } = await playNamed('subagent');
    expect(lines.some((line) => line['parent_tool_use_id'] === 'toolu_1_0')).toBe(true);
    expect(run.api.served).toHaveLength(4);
    expect(microUsd(last)).toBe(billOf(run.api.served));
    expect(last['usage']).toMatchObject({ input_tokens: 200, output_tokens: 100 });
  });

  it('takes an instruction in mid-tool into the turn that is running', async () => {
    const { lines } = await playNamed('steer');
    expect(lines.filter(isResult)).toHaveLength(1);
    const ended = lines.filter((line) => line['state'] === 'completed');
    expect(ended).toHaveLength(2);
  });
});

describe('a request for approval', () => {
  it('is kept to: the allowed tool runs, the denied one does not, and the result names it', async () => {
    const { lines, last } = await playNamed('approvals');
    const results = text(lines.filter((line) => line.type === 'user'));
    expect(results).toContain('File created successfully');
    expect(results).toContain('Not this one.');
    expect(last['permission_denials']).toMatchObject([{ tool_name: 'Bash' }]);
  });

  it('has its answer repeated on the output', async () => {
    const { lines } = await playNamed('question');
    const asked = lines.find((line) => line.type === 'control_request');
    const repeated = lines.find((line) => line.type === 'control_response');
    expect(repeated?.['response']).toMatchObject({
      request_id: asked?.['request_id'],
      response: { updatedInput: { answers: { 'Which colour?': 'Blue' } } },
    });
    expect(text(lines)).toContain('Your questions have been answered');
  });

  it('fails when the input ends, and the turn goes on to its result', async () => {
    const { lines, last } = await playNamed('eof-pending-approval');
    expect(text(lines)).toContain('stream closed before response received');
    expect(last).toMatchObject({ is_error: false, result: 'Over.' });
  });
});

describe('an end before the end', () => {
  it('by interrupt keeps what was said, and the next turn works', async () => {
    const { lines, last } = await playNamed('interrupt-text');
    expect(lines.find(isResult)).toMatchObject({ terminal_reason: 'aborted_streaming' });
    expect(lines.find((line) => line['aborted'])?.type).toBe('assistant');
    expect(last).toMatchObject({ is_error: false, result: 'Here again.' });
  });

  it('by interrupt stops a running tool', async () => {
    const { last } = await playNamed('interrupt-tool');
    expect(last).toMatchObject({ is_error: true, terminal_reason: 'aborted_tools' });
  });

  it('of the input lets the turn finish', async () => {
    const { last, run } = await playNamed('eof-mid-text');
    expect(last).toMatchObject({ is_error: false });
    expect(await run.claude.exited).toBe(0);
  });
});

describe('a conversation that goes on in another process', () => {
  const script: Script = {
    settle: [says('Settled.')],
    'work on': [runs(WAITS)],
    'go on': [says('Still here.')],
  };
  const mode = ['--permission-mode', 'bypassPermissions'];
  const env = { IS_SANDBOX: '1' };

  /** Spends one turn, then ends the process by `end`; says what was spent and what comes back. */
  async function resumeAfter(end: (first: Run) => Promise<void>) {
    const session = crypto.randomUUID();
    const first = await start(script, { env, args: [...mode, '--session-id', session] });
    first.claude.say('settle');
    const spent = microUsd(await first.claude.waitFor(isResult));
    await end(first);
    const { api, workspace } = first;
    const args = [...mode, '--resume', session];
    const second = await start(script, { env, api, workspace, args });
    const reply = await control(second.claude, 'usage', { subtype: 'get_usage' });
    const usage = reply['response'] as { session: { total_cost_usd: number } };
    const baseline = Math.round(usage.session.total_cost_usd * 1e6);
    second.claude.say('go on');
    const result = await second.claude.waitFor(isResult);
    expect(result).toMatchObject({ session_id: session, result: 'Still here.' });
    return { spent, baseline, result, bill: billOf(api.served.slice(-1)) };
  }

  it('carries its cost over when the first one ended in order', async () => {
    const { spent, baseline, result, bill } = await resumeAfter(async ({ claude }) => {
      expect(await claude.end()).toBe(0);
    });
    expect(baseline).toBe(spent);
    expect(microUsd(result) - baseline).toBe(bill);
    expect(result['model_usage_since_last_result']).toMatchObject({
      'claude-opus-5-5': { costUSD: bill / 1e6 },
    });
  });

  it('starts from zero when the first one was killed in a tool, settled turns included', async () => {
    const { spent, baseline, result, bill } = await resumeAfter(async ({ claude }) => {
      claude.say('work on');
      await claude.waitFor((line) => line.type === 'assistant' && text(line).includes('tool_use'));
      claude.kill('SIGKILL');
      expect(await claude.exited).toBeNull();
    });
    expect(spent).toBeGreaterThan(0);
    expect(baseline).toBe(0);
    expect(microUsd(result)).toBe(bill);
  });
});

describe('a failure', () => {
  it('of the key is a success with is_error, after a retry that says why', async () => {
    const { lines, last } = await playNamed('refused-401');
    expect(lines).toContainEqual(
      expect.objectContaining({ subtype: 'api_retry', error: 'authentication_failed' }),
    );
    expect(last).toMatchObject({ subtype: 'success', is_error: true, api_error_status: 401 });
  });

  it('to be logged in is told without a request to the API', async () => {
    const { run, last } = await playNamed('no-key');
    expect(last).toMatchObject({ is_error: true, result: 'Not logged in · Please run /login' });
    expect(run.api.seen.filter((entry) => entry.request)).toEqual([]);
    expect(await run.claude.exited).toBe(1);
  });

  it.runIf(process.getuid?.() === 0)('is bypass as root without a sandbox', () => {
    const args = ['-p', 'hello', '--permission-mode', 'bypassPermissions'];
    const env = { PATH: process.env['PATH'], HOME: '/nonexistent' };
    expect(() =>
      execFileSync(installEngine('claude'), args, { env, stdio: ['ignore', 'pipe', 'pipe'] }),
    ).toThrow(/root\/sudo privileges/);
  });
});

describe('the bill', () => {
  it.each(PRICED_MODELS)('of %s is what claude prints', async (model) => {
    const usage = {
      input_tokens: 7001,
      output_tokens: 503,
      cache_read_input_tokens: 80_001,
      cache_creation_input_tokens: 3001,
    };
    const long = { ...usage, cache_read_input_tokens: 110_001 };
    const args = ['--permission-mode', 'default', '--model', model];
    const { api, claude } = await start(
      { short: [says('Hi.', usage)], lengthy: [says('Hi.', long)] },
      { args },
    );
    claude.say('short');
    await claude.waitFor(isResult);
    claude.say('lengthy');
    const result = await claude.waitFor(isResult);
    expect(api.served).toHaveLength(2);
    expect(Math.abs(Number(result['total_cost_usd']) * 1e6 - billOf(api.served))).toBeLessThan(1);
  });
});
