import { afterEach, beforeEach } from 'vitest';
import { FakeRelay } from './fake-relay.ts';
import { TestMachine } from './runner-process.ts';

/** What the tests of a file have before them once `aMachineForEachTest` was called at its top. */
export let relay: FakeRelay;
export let machine: TestMachine;

/** Gives each test of a file a relay and a machine of its own, whose engine plays the script. */
export function aMachineForEachTest(script?: ConstructorParameters<typeof TestMachine>[0]): void {
  beforeEach(async () => {
    relay = await FakeRelay.listen();
    machine = new TestMachine(script);
  });
  afterEach(async () => {
    await machine.remove();
    await relay.close();
  });
}
