import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { aCommand, aSessionId, aStart, anInstruction } from '../../support/runner-builders.ts';
import { aMachineForEachTest, machine, relay } from '../../support/machine-each-test.ts';
import { until } from '../../support/until.ts';

aMachineForEachTest();

test('the whole output of a tool is fetched from the machine when the event holds a part', async () => {
  machine.play({
    turns: [
      [
        { do: 'bash', command: 'seq 1 20000' },
        { do: 'usage', costUsd: 0.01 },
      ],
    ],
  });
  machine.startDaemon(relay);
  const session = aSessionId();
  relay.command(aStart(session, 'count', { directory: machine.work }));
  const ended = await relay.event(session, 'tool/ended');
  expect(ended.output.truncated).not.toBeNull();
  const fetch = aCommand('tool/output', session, { toolId: ended.toolId });
  relay.command(fetch);
  const result = await relay.result(fetch.id);
  expect(JSON.stringify(result)).toContain('\\n19999\\n20000');
  const unknown = aCommand('tool/output', session, { toolId: 'nothing' });
  relay.command(unknown);
  expect(await relay.result(unknown.id)).toMatchObject({ ok: false, code: 'output_not_found' });
});

test('directories are listed and described within the limits of the machine', async () => {
  mkdirSync(join(machine.work, 'inside'));
  machine.startDaemon(relay);
  const list = aCommand('workspace/list', null, { path: `${machine.work}/`, limit: 10 });
  const describe = aCommand('workspace/describe', null, { path: machine.work });
  const outside = aCommand('workspace/describe', null, { path: '/usr' });
  for (const command of [list, describe, outside]) relay.command(command);
  expect(await relay.result(list.id)).toMatchObject({
    ok: true,
    value: { entries: [{ name: 'inside' }] },
  });
  expect(await relay.result(describe.id)).toMatchObject({ ok: true, value: { repository: null } });
  expect(await relay.result(outside.id)).toMatchObject({
    ok: false,
    code: 'directory_not_allowed',
  });
});

test('the doctor answers with its findings', async () => {
  machine.startDaemon(relay);
  const doctor = aCommand('doctor/run', null, {});
  relay.command(doctor);
  const result = await relay.result(doctor.id);
  expect(result).toMatchObject({ ok: true });
  expect(JSON.stringify(result)).toContain('findings');
});

test('an engine that was installed since is told by the next look of the doctor', async () => {
  const bin = join(machine.work, 'bin');
  mkdirSync(bin);
  machine.env['PATH'] = `${bin}:/usr/bin:/bin`;
  machine.env['ANTHROPIC_API_KEY'] = 'sk-looked-at-again';
  machine.startDaemon(relay);
  const told = () => relay.machine?.engines.find(({ engineId }) => engineId === 'claude')?.version;
  await until('the first look', () => told() === null);
  writeFileSync(join(bin, 'claude'), '#!/bin/sh\necho "2.1.332 (Claude Code)"\n', { mode: 0o755 });
  const doctor = aCommand('doctor/run', null, {});
  relay.command(doctor);
  await relay.result(doctor.id);
  expect(told()).toBe('2.1.332');
});

test('an instruction to a session that the machine does not know is refused', async () => {
  machine.startDaemon(relay);
  const instruct = anInstruction(aSessionId(), 'hello');
  relay.command(instruct);
  expect(await relay.result(instruct.id)).toMatchObject({ ok: false, code: 'session_not_found' });
});
