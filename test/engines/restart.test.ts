import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { identifyProcess, isRunning } from '../../runner/process/process-table.ts';
import { until } from '../support/until.ts';
import { says, type Script } from '../support/model-api/script.ts';
import type { EngineRecord, EngineWorld } from './conformance/record.ts';
import { RECORDS } from './conformance/records.ts';

const PROVEN = Object.entries(RECORDS).filter(
  (entry): entry is [string, EngineRecord] => entry[1].kind === 'proven',
);

const scriptOf = ({ runs }: EngineRecord): Script => ({
  // First: what a killed process had recorded may come as one message with what is said next.
  'and now': [says('Three masts.')],
  // Claude Code refuses to run a long `sleep` (seen on 2.1.332); Codex goes on while a command runs.
  'remember the masts': [runs('tail -f /dev/null'), { kind: 'hang' }],
});

describe.each(PROVEN)('the real %s, restarted while it does not answer', (_key, record) => {
  let world: EngineWorld;
  beforeAll(async () => {
    world = await record.start(scriptOf(record));
  });
  afterAll(() => world?.stop());

  it('goes on with the same conversation and what waited, in a new process', async () => {
    const id = await world.launch('remember the masts', ...record.unasked);
    const spawned = await until('a call of a tool', async () => {
      const { view } = await world.detail(id);
      const [pending] = view.pendingApprovals;
      if (pending) await world.cli('sessions', 'approve', id, pending.requestId);
      const [begun] = await world.events(id, 'tool/started');
      const staged = await world.events(id, 'launch/staged');
      return begun && !pending ? (staged.find((each) => each.process)?.process ?? null) : null;
    });
    const engine = identifyProcess(spawned.pid);
    process.kill(engine.pid, 'SIGSTOP');
    await world.cli('sessions', 'say', id, 'and now');
    expect(await world.cli('sessions', 'restart', id)).toMatchObject({ exitCode: 0 });
    const { view } = await world.untilTurns(id, 2);
    expect(view.turns.map(({ outcome }) => outcome)).toEqual(['interrupted', 'ok']);
    expect(isRunning(engine)).toBe(false);
    const ready = await world.events(id, 'engine/ready');
    expect(new Set(ready.map(({ engineSessionId }) => engineSessionId)).size).toBe(1);
    // Its model was shown what came before.
    expect(JSON.stringify(world.api.seen.at(-1)?.request)).toContain('remember the masts');
  });
});
