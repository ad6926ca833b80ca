import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { QwenWorld } from '../e2e/qwen-world.ts';
import { calls, says, type Script } from '../support/model-api/script.ts';

/** What the policy denies, with the real qwen in the mode that asks nobody. */
let world: QwenWorld | undefined;
afterEach(() => world?.stop());

const shell = (command: string) =>
  calls('run_shell_command', { command, description: 'run it', is_background: false });

it('denies a read of .env by its tool and by a command, before anything runs', async () => {
  const script: Script = {};
  const started = await QwenWorld.start(script);
  world = started;
  const path = join(started.repository, '.env');
  writeFileSync(path, 'SECRET=of-the-person\n');
  script['look at it'] = [
    calls('read_file', { file_path: path }),
    shell(`cat ${path}`),
    shell('echo all the same'),
    says('I may not.'),
  ];
  const id = await started.launch('look at it', '--approvals', 'bypass', '--grade', 'open');
  const { view } = await started.untilTurns(id, 1);
  expect(view.turns[0]?.outcome).toBe('ok');
  const ends = await started.events(id, 'tool/ended');
  expect(ends.map(({ outcome }) => outcome)).toEqual(['denied', 'denied', 'ok']);
  expect(JSON.stringify(started.api.seen)).not.toContain('of-the-person');
});
