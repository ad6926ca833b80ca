import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { ClaudeWorld } from '../e2e/claude-world.ts';
import { billOf } from '../support/model-api/bill.ts';
import { CANARY_KEY } from '../support/model-api/raw-claude.ts';
import { calls, runs, says } from '../support/model-api/script.ts';
import { until } from '../support/until.ts';

let world: ClaudeWorld;
afterEach(() => world.stop());

const start = async (script: Parameters<typeof ClaudeWorld.start>[0]) => {
  world = await ClaudeWorld.start(script, CANARY_KEY);
};
const gateRoot = () => join(world.layout.runner, 'model-gate');
/** The gate's process, by what it was started with. */
const gatePids = () => {
  const found = execFileSync('ps', ['-eo', 'pid=,args='], { encoding: 'utf8' });
  return found
    .split('\n')
    .filter((line) => line.includes('model-gate/main.ts') && line.includes(gateRoot()))
    .map((line) => Number.parseInt(line, 10));
};

describe('the gate of the real claude', () => {
  it('goes on while there is no runner, and every call is counted once by the next', async () => {
    await start({
      'work on': [runs('sleep 2; echo first'), runs('echo second'), says('Both are done.')],
    });
    const id = await world.launch('work on', '--approvals', 'accept_edits', '--budget', '5');
    await until('the first call', () => world.api.served.length > 0, { withinMs: 60_000 });
    await world.untilState(id, 'working', 'awaiting_approval');
    const [gate] = gatePids();
    expect(gatePids()).toHaveLength(1);
    process.kill(Number(readFileSync(world.layout.runnerPidFile, 'utf8')), 'SIGKILL');
    await until('another runner', () => existsSync(world.layout.runnerPidFile));
    await world.approveUntilEnd(id);
    const { view } = await world.untilTurns(id, 1);
    expect(view.turns[0]?.outcome).toBe('ok');
    expect(gatePids()).toEqual([gate]);
    expect(view.model).toMatchObject({ calls: world.api.served.length, refused: 0 });
    expect(view.model?.microUsd).toBe(billOf(world.api.served));
  });

  it('is started again when it is killed, knows what was spent, and ends with the runner', async () => {
    await start({ 'work on': [says('Done.')], 'and again': [says('Done too.')] });
    const id = await world.launch('work on', '--approvals', 'accept_edits', '--budget', '5');
    await world.untilTurns(id, 1);
    const [gate] = gatePids();
    process.kill(gate ?? 0, 'SIGKILL');
    await until('another gate', () => gatePids().some((pid) => pid !== gate), {
      withinMs: 60_000,
    });
    await world.cli('sessions', 'say', id, 'and again');
    const { view } = await world.untilTurns(id, 2);
    expect(view.turns[1]?.outcome).toBe('ok');
    expect(view.model?.microUsd).toBe(billOf(world.api.served));
    await world.installation.end('SIGINT');
    await until('the gate to end with its runner', () => gatePids().length === 0);
  });

  it('lets no parallel subagents spend the same dollar twice', async () => {
    const subagent = (name: string) =>
      calls('Task', {
        description: name,
        prompt: `subagent please count ${name}`,
        subagent_type: 'general-purpose',
        run_in_background: false,
      });
    const [one, two, three] = ['a', 'b', 'c'].map(subagent);
    const blocks = [one, two, three].flatMap((reply) =>
      reply?.kind === 'message' ? reply.content : [],
    );
    const costly = (text: string) => says(text, { output_tokens: 30_000 });
    await start({
      'please count': [costly('One, two, three.')],
      'delegate it': [{ kind: 'message', content: blocks }, costly('They counted.')],
    });
    const budget = 1;
    const id = await world.launch(
      'delegate it',
      '--approvals',
      'accept_edits',
      '--model',
      'claude-opus-5-5',
      '--budget',
      String(budget),
    );
    await world.approveUntilEnd(id);
    await world.untilTurns(id, 1);
    expect(world.api.served.length).toBeGreaterThan(2);
    expect(billOf(world.api.served)).toBeLessThanOrEqual(budget * 1_000_000);
  });
});
