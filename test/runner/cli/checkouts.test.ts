import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { EXIT } from '../../../runner/failure.ts';
import { runOn } from '../../support/command-line.ts';
import { aRunner, FakeCloud } from '../../support/fake-cloud.ts';

let cloud: FakeCloud;
beforeEach(async () => {
  cloud = await FakeCloud.listen();
  cloud.runners.push(aRunner('run_1', 'laptop'), aRunner('run_2', 'server'));
});
afterEach(() => cloud.close());

describe('pilothouse checkouts', () => {
  it.each([
    [[], 'Give either a session or --all.'],
    [['ses_1', '--all'], 'Give either a session or --all.'],
    [['--all', '--discard'], 'one checkout at a time'],
  ])('removes nothing when it could mean something else: %j', async (args, sentence) => {
    const { exitCode, stderr } = await runOn(cloud, 'checkouts', 'remove', ...args);
    expect([exitCode, stderr]).toEqual([EXIT.usage, expect.stringContaining(sentence)]);
  });

  it('asks which machine is meant where there are several and none is this one', async () => {
    const { exitCode, stderr } = await runOn(cloud, 'checkouts', 'list');
    expect([exitCode, stderr]).toEqual([EXIT.refused, expect.stringContaining('--runner')]);
  });

  it('says of an offline machine how to start it', async () => {
    cloud.refuse(/checkouts/, 'runner_offline');
    const { exitCode, stderr } = await runOn(cloud, 'checkouts', 'list', '--runner', 'server');
    expect([exitCode, stderr]).toEqual([
      EXIT.unreachable,
      expect.stringContaining('pilothouse runner start'),
    ]);
  });
});
