import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { approveEngine, findApprovalsPath } from '../../../runner/limits/approved-engines.ts';
import { FakeRelay } from '../../support/fake-relay.ts';
import { aPreset } from '../../support/preset-builders.ts';
import { aSessionId, aStart } from '../../support/runner-builders.ts';
import { TestMachine } from '../../support/runner-process.ts';
import { commit, gitIn } from '../guard/repositories.ts';

test('a session in place meets its guard in a shell of its engine, and what it refuses is on record', async () => {
  const relay = await FakeRelay.listen();
  const machine = new TestMachine();
  try {
    const work = join(machine.work, 'place');
    const remote = join(machine.root, 'remote.git');
    mkdirSync(work, { recursive: true });
    gitIn(work, 'init', '--quiet', '--initial-branch=main');
    gitIn(work, 'config', 'user.name', 'Ada');
    gitIn(work, 'config', 'user.email', 'ada@example.com');
    commit(work, 'readme.md', 'hello\n');
    gitIn(work, 'clone', '--quiet', '--bare', work, remote);
    gitIn(work, 'remote', 'add', 'origin', remote);
    const main = gitIn(remote, 'rev-parse', 'main');
    const script = join(machine.root, 'agent.sh');
    const push = 'git push --quiet origin HEAD';
    writeFileSync(
      script,
      `#!/bin/sh\ngit commit -q --allow-empty -m more\n${push}:feature && echo pushed\n${push}:main 2>&1\n`,
    );
    chmodSync(script, 0o755);
    const preset = aPreset({ command: [script] });
    approveEngine(findApprovalsPath(machine.env['PILOTHOUSE_LIMITS'] ?? ''), preset, 0);
    relay.capabilities = ['guard'];
    machine.startDaemon(relay);
    const session = aSessionId();
    const launch = { engineId: preset.id, preset, directory: work, checkout: 'inPlace' } as const;
    relay.command(aStart(session, 'go', launch));
    expect(await relay.event(session, 'checkout/prepared')).toMatchObject({
      grade: { grade: 'open', guard: true },
    });
    await relay.event(session, 'turn/witnessed');
    const said = relay.ofType(session, 'text/completed').map(({ text }) => text.text);
    expect(said.join('')).toMatch(/pushed\n.*main is protected/s);
    expect(gitIn(remote, 'rev-parse', 'main')).toBe(main);
    expect(gitIn(remote, 'rev-parse', 'feature')).not.toBe(main);
    const acts = relay.ofType(session, 'act/seen').map(({ act }) => [act.witness, act.target]);
    expect(acts).toContainEqual(['guard', 'origin main']);
    const evidence = relay.ofType(session, 'act/witnessed').map((each) => each.evidence);
    expect(evidence).toContain('The guard of the session let it push this.');
  } finally {
    await machine.remove();
    await relay.close();
  }
});
