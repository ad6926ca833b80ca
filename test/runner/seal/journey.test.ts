import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { aSessionId, aStart } from '../../support/runner-builders.ts';
import { aMachineForEachTest, machine, relay } from '../../support/machine-each-test.ts';
import { sealProblem } from '../../support/sealed.ts';

aMachineForEachTest();
beforeEach(() => {
  const git = (...args: string[]) => execFileSync('git', args, { cwd: machine.work });
  git('init', '-q', '-b', 'main');
  git('-c', 'user.name=A', '-c', 'user.email=a@b.c', 'commit', '-q', '--allow-empty', '-m', 'x');
  mkdirSync(join(machine.root, '.ssh'));
  writeFileSync(join(machine.root, '.ssh', 'id'), 'KEY-OF-THE-PERSON');
});

describe('a launch', () => {
  it.skipIf(sealProblem !== null)(
    'that is to be sealed runs its engine and its set-up in a seal',
    async () => {
      machine.limit(
        `directories = ["${machine.root}"]\nminimum_grade = "sealed"\n[[repositories]]\ndirectory = "${machine.work}"\nsetup = "id -u; cat ~/.ssh/id"`,
      );
      machine.play({
        turns: [
          [
            { do: 'bash', command: 'cat ~/.ssh/id; echo uid $(id -u)' },
            { do: 'usage', outputTokens: 5, costUsd: 0.01 },
          ],
        ],
      });
      machine.startRunner(relay);
      const session = aSessionId();
      relay.command(
        aStart(session, 'Look around', {
          directory: machine.work,
          checkout: 'own',
          approvals: 'accept_edits',
          grade: 'sealed',
        }),
      );
      expect(await relay.event(session, 'checkout/prepared')).toMatchObject({
        grade: { grade: 'sealed' },
      });
      const setup = JSON.stringify(await relay.event(session, 'setup/ran'));
      expect(setup).toContain('No such file');
      await relay.event(session, 'turn/ended');
      const said = JSON.stringify(relay.events(session));
      expect(said).toMatch(/uid [1-9]/);
      expect(said).not.toContain('KEY-OF-THE-PERSON');
    },
  );

  it('that holds more power than the machine allows is refused before anything is made', async () => {
    machine.limit(`directories = ["${machine.root}"]\nminimum_grade = "sealed"`);
    machine.startRunner(relay);
    const session = aSessionId();
    const start = aStart(session, 'Look around', { directory: machine.work, grade: 'open' });
    relay.command(start);
    expect(await relay.result(start.id)).toMatchObject({ ok: false, code: 'grade_not_allowed' });
    expect(relay.events(session).map(({ type }) => type)).not.toContain('checkout/prepared');
  });
});
