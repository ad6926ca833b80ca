import { afterEach, describe, expect, it } from 'vitest';
import { actPage, sessionPage, usagePage } from '../../protocol/http.ts';
import { billOf } from '../support/model-api/bill.ts';
import { CANARY_KEY } from '../support/model-api/raw-claude.ts';
import { calls, runs, says, type Script } from '../support/model-api/script.ts';
import { until } from '../support/until.ts';
import { ClaudeWorld } from '../e2e/claude-world.ts';

/** The real claude, driven by the real product, against a model API on loopback. */
let world: ClaudeWorld;
const start = async (script: Script, apiKey: string | null = CANARY_KEY) => {
  world = await ClaudeWorld.start(script, apiKey);
  return world;
};
afterEach(() => world.stop());

describe('a Coder session with the real claude', () => {
  it('edits, asks before it pushes, and records the push as an act that was done', async () => {
    await start({
      'say bye': [
        calls('Read', { file_path: 'a.txt' }),
        runs('sed -i s/hello/bye/ a.txt && git commit -qam bye'),
        runs('git push origin HEAD:refs/heads/feature'),
        says('Pushed.'),
      ],
    });
    const id = await world.launch('say bye', '--approvals', 'accept_edits');
    await world.approveUntilEnd(id);
    const acts = await until('the ledger to follow the record', async () => {
      const { items } = await world.get(actPage, '/v1/acts');
      return items.some(({ outcome }) => outcome !== null) ? items : null;
    });
    expect(acts).toMatchObject([{ kind: 'push', outcome: 'done', witness: 'stream' }]);
    expect(world.git('ls-remote', 'origin', 'refs/heads/feature')).toMatch(/^[0-9a-f]{40}/);
    const requests = await world.events(id, 'approval/requested');
    expect(requests.some(({ request }) => request.acts.includes('push'))).toBe(true);
  });

  it('costs exactly what the model API served, over two turns', async () => {
    await start({ 'first thing': [runs('true'), says('One.')], 'second thing': [says('Two.')] });
    const id = await world.launch('first thing', '--approvals', 'accept_edits');
    await world.approveUntilEnd(id);
    await world.cli('sessions', 'say', id, 'second thing');
    const { view } = await world.untilTurns(id, 2);
    expect(view.spend.reported?.microUsd).toBe(billOf(world.api.served));
    const rows = await until('the ledger', async () => {
      const page = await world.get(usagePage, `/v1/usage?sessionId=${id}`);
      return page.items.length >= 2 ? page.items : null;
    });
    const sum = rows.reduce((total, row) => total + (row.microUsd ?? 0), 0);
    expect(sum).toBe(billOf(world.api.served));
    expect(rows.every((row) => row.payer === 'api-key' && row.provenance === 'reported')).toBe(
      true,
    );
  });

  it('counts a subagent’s model calls and nests its tools under its call', async () => {
    await start({
      'delegate it': [
        calls('Task', {
          description: 'count',
          prompt: 'subagent please count',
          subagent_type: 'general-purpose',
          run_in_background: false,
        }),
        says('The subagent counted.'),
      ],
      'subagent please count': [runs('echo 3'), says('Three.')],
    });
    const id = await world.launch('delegate it', '--approvals', 'accept_edits');
    const { view } = await world.untilTurns(id, 1);
    expect(world.api.served.length).toBe(4);
    expect(view.spend.reported?.microUsd).toBe(billOf(world.api.served));
    const tools = await world.events(id, 'tool/started');
    const task = tools.find((tool) => tool.parentToolId === null);
    expect(tools.find((tool) => tool.name === 'Bash')?.parentToolId).toBe(task?.toolId);
  });

  it('stops a turn when interrupted, and takes the next instruction', async () => {
    await start({
      'count slowly': [
        {
          kind: 'message',
          content: [{ type: 'text', text: 'one two three '.repeat(400) }],
          pieceMs: 20,
        },
      ],
      'and now': [says('Here.')],
    });
    const id = await world.launch('count slowly');
    await until('the turn to start', async () => (await world.detail(id)).view.state === 'working');
    await world.api.waitForRequest((request) => JSON.stringify(request).includes('count slowly'));
    await until(
      'the interrupt',
      async () => (await world.cli('sessions', 'interrupt', id)).exitCode === 0,
    );
    const interrupted = await world.untilTurns(id, 1);
    expect(interrupted.view.turns[0]?.outcome).toBe('interrupted');
    await world.cli('sessions', 'say', id, 'and now');
    const { view } = await world.untilTurns(id, 2);
    expect(view.turns[1]?.outcome).toBe('ok');
  });

  it('records a kill in mid-turn as unsettled, and never as nothing', async () => {
    await start({
      'count slowly': [
        {
          kind: 'message',
          content: [{ type: 'text', text: 'one two three '.repeat(400) }],
          pieceMs: 20,
        },
      ],
    });
    const id = await world.launch('count slowly');
    const staged = await until('a process', async () =>
      (await world.events(id, 'launch/staged')).find((event) => event.process),
    );
    await world.api.waitForRequest((request) => JSON.stringify(request).includes('count slowly'));
    await until('some words', async () => (await world.detail(id)).view.state === 'working');
    await new Promise((resolve) => setTimeout(resolve, 500));
    process.kill(staged.process?.pid ?? 0, 'SIGKILL');
    const { view } = await world.untilTurns(id, 1);
    expect(view.turns[0]).toMatchObject({ outcome: 'killed', usage: 'unsettled' });
    expect(view.spend.unsettled?.inputTokens).toBeGreaterThan(0);
  });

  it('stops, past the gate, inside the turn that crosses its budget, on what its messages cost so far', async () => {
    const steps = Array.from({ length: 12 }, (_, index) => runs(`sleep 0.2; echo ${index}`));
    await start({ 'work for long': [...steps, says('Never said.')] });
    world.writeLimits('model_gate = false');
    const id = await world.launch(
      'work for long',
      '--approvals',
      'accept_edits',
      '--budget',
      '0.005',
    );
    await world.approveUntilEnd(id);
    const { view } = await world.untilState(id, 'halted');
    expect(view.turns[0]?.outcome).toBe('interrupted');
    expect(view.reason).toMatch(/its limit of \$0\.0050/);
    const notices = await world.events(id, 'notice/raised');
    const told = notices.find(({ code }) => code === 'budget_reached');
    // Whichever is first: what its messages come to here, or its own count of what was left.
    expect(told?.message).toMatch(
      /about \$0\.\d{4}.*That is an estimate|The engine ended the turn: its process has come to/,
    );
    const staged = await world.events(id, 'launch/staged');
    const argv = staged.find(({ process }) => process)?.process?.argv ?? [];
    expect(argv[argv.indexOf('--max-budget-usd') + 1]).toBe('0.005');
    // The bound is the call that crossed it: claude begins none after that.
    const calls = world.api.served.length;
    expect(billOf(world.api.served.slice(0, calls - 1))).toBeLessThan(5_000);
    expect(calls).toBeLessThan(steps.length);
  });

  it('puts a plan before the person whole, and goes on when it is accepted', async () => {
    await start({
      'plan it': [calls('ExitPlanMode', { plan: '# Plan\n1. Greet the sea.' }), says('Greeted.')],
    });
    const id = await world.launch('plan it', '--approvals', 'plan');
    const { view } = await world.untilState(id, 'awaiting_approval');
    expect(view.pendingApprovals[0]).toMatchObject({ kind: 'plan' });
    expect(view.pendingApprovals[0]?.input.text).toContain('Greet the sea.');
    await world.approveUntilEnd(id);
    const ended = await world.untilTurns(id, 1);
    expect(ended.view.turns[0]?.outcome).toBe('ok');
  });

  it('fails within seconds, and says what to do, where nobody is logged in', async () => {
    await start({ anything: [says('never')] }, null);
    const before = Date.now();
    const refused = await world.cli('launch', '--engine', 'claude', 'anything');
    expect(refused.exitCode).toBeGreaterThan(0);
    expect(refused.stdout + refused.stderr).toMatch(/claude is not logged in\. Run `claude` once/);
    const { items } = await world.get(sessionPage, '/v1/sessions');
    // The refusal of the command comes first, and what the machine knows of it replaces that.
    const { view } = await world.untilState(items[0]?.sessionId ?? '', 'provider_failed');
    expect(view.failure?.error.code).toBe('auth_missing');
    expect(Date.now() - before).toBeLessThan(20_000);
    expect(world.api.served).toEqual([]);
  });
});
