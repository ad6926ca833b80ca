import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Command, CommandResult } from '../../protocol/command.ts';
import type { LaunchSpecInput } from '../../protocol/launch.ts';
import { FakeRelay } from '../support/fake-relay.ts';
import { aCommand, aSessionId, aStart } from '../support/runner-builders.ts';
import { TestMachine } from '../support/runner-process.ts';

/**
 * The cloud lies: it sends a real runner what the machine's own limits forbid. What a session
 * would do is leave a file behind, so that "nothing ran" is looked up and not believed.
 */
let relay: FakeRelay;
let machine: TestMachine;
/** A directory of the same person beside those that the limits allow. */
const outside = mkdtempSync(join(tmpdir(), 'pilothouse-outside-'));

const allowing = (more = '') => `directories = ["${machine.work}"]\n${more}`;

beforeAll(async () => {
  relay = await FakeRelay.listen();
  machine = new TestMachine({
    turns: [[{ do: 'write', path: 'ran.txt', content: 'it ran', ask: false }]],
  });
  machine.limit(allowing());
  machine.startRunner(relay);
});
afterEach(() => machine.limit(allowing()));
afterAll(async () => {
  await machine.remove();
  await relay.close();
  rmSync(outside, { recursive: true, force: true });
});

const send = (command: Command): Promise<CommandResult> => {
  relay.command(command);
  return relay.result(command.id);
};
const ask = (launch: Partial<LaunchSpecInput>) => send(aStart(aSessionId(), 'work', launch));
/** An allowed directory that no other session works in. */
const aPlace = (): string => mkdtempSync(join(machine.work, 'place-'));
const ranIn = (directory: string) => existsSync(join(directory, 'ran.txt'));

describe('a cloud that asks for more than the machine allows', () => {
  it('is obeyed within the limits, so that a refusal below means something', async () => {
    const [session, directory] = [aSessionId(), aPlace()];
    expect(await send(aStart(session, 'work', { directory }))).toMatchObject({ ok: true });
    await relay.event(session, 'turn/ended', () => true, 60_000);
    expect(ranIn(directory)).toBe(true);
  });

  it('gets no session in a directory outside the limits', async () => {
    expect(await ask({ directory: outside })).toMatchObject({
      ok: false,
      code: 'directory_not_allowed',
    });
    expect(ranIn(outside)).toBe(false);
  });

  it('gets none through a link or a path that leads out', async () => {
    symlinkSync(outside, join(machine.work, 'link'));
    mkdirSync(join(machine.work, 'sub'), { recursive: true });
    const ways = [
      join(machine.work, 'link'),
      `${machine.work}/sub/../../../${outside.split('/').at(-1)}`,
    ];
    for (const directory of ways)
      expect(await ask({ directory })).toMatchObject({ ok: false, code: 'directory_not_allowed' });
    // The runner's own files are refused wherever they are, before any other limit.
    expect(await ask({ directory: machine.data })).toMatchObject({
      ok: false,
      code: 'directory_reserved',
    });
    expect(ranIn(outside)).toBe(false);
  });

  it('neither lists nor describes what is outside', async () => {
    mkdirSync(join(outside, 'private'));
    const list = await send(aCommand('workspace/list', null, { path: `${outside}/`, limit: 10 }));
    expect(list).toMatchObject({ ok: true, value: { entries: [] } });
    const describe = await send(aCommand('workspace/describe', null, { path: outside }));
    expect(describe).toMatchObject({ ok: false, code: 'directory_not_allowed' });
  });

  it('gets no engine that is not allowed', async () => {
    machine.limit(allowing('engines = ["claude"]'));
    expect(await ask({ directory: aPlace(), engineId: 'rehearsal' })).toMatchObject({
      ok: false,
      code: 'engine_not_allowed',
    });
  });

  it('gets no bypass of approvals, however it is asked for', async () => {
    expect(await ask({ directory: aPlace(), approvals: 'bypass' })).toMatchObject({
      ok: false,
      code: 'approvals_not_allowed',
    });
    expect(await ask({ directory: null, approvals: 'bypass' })).toMatchObject({
      ok: false,
      code: 'approvals_not_allowed',
    });
  });

  it('gets nothing at all while limits.toml is wrong, and all it may have once it is right', async () => {
    for (const wrong of ['directories = [', 'directorys = ["/"]', 'bypass = "yes"']) {
      machine.limit(wrong);
      expect(await ask({ directory: aPlace() })).toMatchObject({
        ok: false,
        code: 'limits_unreadable',
      });
      expect(
        await send(aCommand('workspace/describe', null, { path: machine.work })),
      ).toMatchObject({ ok: false, code: 'limits_unreadable' });
    }
    machine.limit(allowing());
    const session = aSessionId();
    expect(await send(aStart(session, 'work', { directory: aPlace() }))).toMatchObject({
      ok: true,
    });
    await relay.event(session, 'turn/ended', () => true, 60_000);
  });
});
