import { DatabaseSync } from 'node:sqlite';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  aCommand,
  anInstruction,
  aSessionId,
  aStart,
  aTurnId,
} from '../../support/runner-builders.ts';
import { aMachineForEachTest, machine, relay } from '../../support/machine-each-test.ts';
import { until } from '../../support/until.ts';
import { isRunning, readProcess } from '../../../runner/process/process-table.ts';

const usage = { do: 'usage', outputTokens: 5, costUsd: 0.01 } as const;

aMachineForEachTest();

test('a runner killed in mid-turn is followed by one that tells the rest of it, once and in order', async () => {
  const texts = Array.from({ length: 12 }, (_, index) => `part ${index}`);
  machine.play({
    turns: [
      texts
        .flatMap((text) => [
          { do: 'text' as const, text },
          { do: 'wait' as const, ms: 60 },
        ])
        .concat([usage] as never),
    ],
  });
  const runner = machine.startRunner(relay);
  const session = aSessionId();
  const turn = aTurnId();
  relay.command(aStart(session, 'talk', { directory: machine.work }, turn));
  await relay.event(session, 'text/completed', ({ text }) => text.text === 'part 2');
  await runner.crash();
  machine.startRunner(relay);

  await relay.event(session, 'turn/ended');
  expect(relay.ofType(session, 'text/completed').map(({ text }) => text.text)).toEqual(texts);
  expect(relay.ofType(session, 'turn/started')).toHaveLength(1);
  expect(relay.ofType(session, 'turn/ended')).toMatchObject([
    { turnId: turn, outcome: 'ok', usage: 'recorded' },
  ]);
  expect(relay.ofType(session, 'usage/recorded')).toHaveLength(1);
  expect(relay.ofType(session, 'engine/exited')).toEqual([]);
  expect(relay.faults).toEqual([]);
});

test('after a crash the session takes the next instruction in the same process (L7)', async () => {
  machine.play({ turns: [[{ do: 'wait', ms: 300 }, { do: 'text', text: 'done' }, usage]] });
  const runner = machine.startRunner(relay);
  const session = aSessionId();
  relay.command(aStart(session, 'one', { directory: machine.work }));
  await relay.event(session, 'turn/started');
  await runner.crash();
  machine.startRunner(relay);
  const second = aTurnId();
  relay.command(anInstruction(session, 'two', second));

  await relay.event(session, 'turn/ended', ({ turnId }) => turnId === second);
  const staged = relay.ofType(session, 'launch/staged');
  expect(staged.filter(({ stage }) => stage === 'spawned')).toHaveLength(1);
  expect(relay.ofType(session, 'engine/exited')).toEqual([]);
});

test('an instruction that waited when the runner was killed runs once after its restart', async () => {
  machine.play({ turns: [[{ do: 'wait', ms: 200 }, { do: 'text', text: 'done' }, usage]] });
  const runner = machine.startRunner(relay);
  const session = aSessionId();
  const waiting = anInstruction(session, 'later', aTurnId());
  relay.command(aStart(session, 'one', { directory: machine.work }));
  await relay.event(session, 'turn/started');
  relay.command(waiting);
  await relay.result(waiting.id);
  await runner.crash();
  machine.startRunner(relay);

  const turn = 'turnId' in waiting.params ? waiting.params.turnId : null;
  await relay.event(session, 'turn/ended', ({ turnId }) => turnId === turn);
  expect(
    relay.ofType(session, 'turn/started').filter(({ turnId }) => turnId === turn),
  ).toHaveLength(1);
});

test('an answered command that comes again is answered from the record and not carried out', async () => {
  machine.play({ turns: [[{ do: 'text', text: 'done' }, usage]] });
  const runner = machine.startRunner(relay);
  const session = aSessionId();
  const start = aStart(session, 'one', { directory: machine.work });
  relay.command(start);
  await relay.event(session, 'turn/ended');
  await runner.crash();
  machine.startRunner(relay);
  await until('the second runner', () => relay.hellos.length === 2);
  relay.resend(start);

  await until('a second answer', () => relay.results.get(start.id)?.length === 2);
  expect(relay.results.get(start.id)?.[1]).toEqual(relay.results.get(start.id)?.[0]);
  expect(relay.ofType(session, 'turn/started')).toHaveLength(1);
});

test('an engine that died while the runner was away is reported as ended, its tools with it', async () => {
  machine.play({
    turns: [[{ do: 'bash', command: 'setsid sleep 600 & echo $! > pid; sleep 600' }, usage]],
  });
  const runner = machine.startRunner(relay);
  const session = aSessionId();
  relay.command(aStart(session, 'long', { directory: machine.work }));
  await relay.event(session, 'tool/started');
  const tool = await until('the tool', () => Number(read(join(machine.work, 'pid'))) || null);
  const [spawned] = relay.ofType(session, 'launch/staged');
  await runner.crash();
  process.kill(spawned?.process?.pid ?? 0, 'SIGKILL');
  machine.startRunner(relay);

  await relay.event(session, 'engine/parked');
  expect(relay.ofType(session, 'turn/ended')).toMatchObject([
    { outcome: 'failed', usage: 'unsettled' },
  ]);
  expect(readProcess(tool)?.zombie ?? true).toBe(true);
});

test('a runner that is stopped in mid-turn ends its engines and says so before it goes (L2)', async () => {
  machine.play({ turns: [[{ do: 'bash', command: 'sleep 600' }, usage]] });
  const runner = machine.startRunner(relay);
  const session = aSessionId();
  relay.command(aStart(session, 'long', { directory: machine.work }));
  await relay.event(session, 'tool/started');
  const pid = relay.ofType(session, 'launch/staged')[0]?.process?.pid ?? 0;
  expect(await runner.stop()).toBe(0);

  expect(relay.ofType(session, 'turn/ended')).toMatchObject([{ outcome: 'interrupted' }]);
  expect(relay.ofType(session, 'engine/parked')).toMatchObject([{ reason: 'runner_restarted' }]);
  expect(isRunning({ pid, startedAt: readProcess(pid)?.startedAt ?? '' })).toBe(false);
});

test('what a stopped runner could not send is sent at its next start', async () => {
  machine.play({ turns: [[{ do: 'bash', command: 'sleep 600' }, usage]] });
  const runner = machine.startRunner(relay);
  const session = aSessionId();
  relay.command(aStart(session, 'long', { directory: machine.work }));
  await relay.event(session, 'tool/started');
  relay.upgrade = 'hang';
  relay.drop();
  await runner.stop();
  expect(relay.ofType(session, 'turn/ended')).toEqual([]);
  relay.upgrade = 'accept';
  machine.startRunner(relay);

  await relay.event(session, 'engine/parked');
  expect(relay.ofType(session, 'turn/ended')).toHaveLength(1);
});

test('a second runner on the same data directory is refused with a sentence', async () => {
  machine.startRunner(relay);
  await until('the first runner', () => relay.hellos.length === 1);
  const second = machine.startRunner(relay);
  expect(await second.closed).toBe(4);
  expect(second.output).toContain('A runner already works with');
  expect(second.output).not.toContain('    at ');
});

test('neither the runner’s token nor a known secret is in the database, the events or an argument', async () => {
  machine.env['CANARY_API_KEY'] = 'canary-8d1f6a2b4c';
  machine.play({
    turns: [
      [
        { do: 'bash', command: 'echo "key: $CANARY_API_KEY"; env' },
        { do: 'text', text: 'it is canary-8d1f6a2b4c' },
        usage,
      ],
    ],
  });
  const runner = machine.startRunner(relay);
  const session = aSessionId();
  relay.command(aStart(session, 'leak', { directory: machine.work }));
  await relay.event(session, 'turn/ended');
  const said = JSON.stringify([
    ...relay.stored.values(),
    relay.deltas,
    relay.hellos,
    relay.machine,
  ]);
  expect(said).toContain('[redacted:CANARY_API_KEY]');
  expect(said).not.toContain('canary-8d1f6a2b4c');
  expect(said).not.toContain('token-of-the-test-runner');
  relay.command(aCommand('session/stop', session, {}));
  await relay.event(session, 'session/ended');
  await runner.stop();
  const root = join(machine.data, 'runner');
  const files = readdirSync(root, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  expect(files.length).toBeGreaterThan(0);
  for (const file of files) {
    const bytes = readFileSync(join(file.parentPath, file.name), 'latin1');
    if (file.parentPath.includes('rehearsal-conversations')) continue;
    expect(bytes.includes('canary-8d1f6a2b4c'), file.name).toBe(false);
  }
  new DatabaseSync(join(root, 'runner.db')).close();
});

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

test('a value that a turn put into a file of variables is in nothing that the next one says', async () => {
  machine.play({
    turns: [
      [
        {
          do: 'bash',
          command:
            "mkdir -p packages/web && printf 'A_TOKEN=made-%s\\n' by-a-turn > packages/web/.env",
        },
        usage,
      ],
      [{ do: 'bash', command: 'cat packages/web/.env' }, usage],
    ],
  });
  machine.startRunner(relay);
  const session = aSessionId();
  relay.command(aStart(session, 'make it', { directory: machine.work }));
  await relay.event(session, 'turn/ended');
  const next = aTurnId();
  relay.command(anInstruction(session, 'show it', next));
  await relay.event(session, 'turn/ended', ({ turnId }) => turnId === next);
  const shown = relay.ofType(session, 'tool/ended').map(({ output }) => output.text);
  expect(shown.at(-1)).toContain('A_TOKEN=[redacted:A_TOKEN]');
  expect(JSON.stringify([...relay.stored.values()])).not.toContain('made-by-a-turn');
});
