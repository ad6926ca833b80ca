import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { probeSeal } from '../../runner/seal/probe.ts';
import { runReport, runStatus } from '../../protocol/run-report.ts';
import { PullForge } from '../runner/broker/forge.ts';
import { ClaudeWorld } from '../e2e/claude-world.ts';
import { billOf } from '../support/model-api/bill.ts';
import { CANARY_KEY } from '../support/model-api/raw-claude.ts';
import { runs, says, type Script } from '../support/model-api/script.ts';

/** A claim that proves nothing, a fix, a push: what is asked in each turn decides what is answered. */
const SCRIPT: Script = {
  'The test passes': [
    runs('sed -i s/hello/goodbye/ a.txt && sh test.sh && git commit -qam "Say goodbye"'),
    says('I repaired the greeting and committed it.'),
  ],
  'The branch is pushed': [
    runs('git push origin HEAD:refs/heads/goodbye && gh pr create --fill --head goodbye'),
    runs('gh pr checks --watch && gh pr comment --body "@team /merge, the checks pass"'),
    says('It is pushed as goodbye, with a pull request whose checks pass.'),
  ],
  // Last, because each later instruction quotes the objective.
  'Make the test pass': [says('Done! Everything passes.')],
};

let world: ClaudeWorld;
let forge: PullForge;
afterEach(async () => {
  await world.stop();
  await forge.close();
});

// Outside of a seal it refuses to go unasked as root.
describe.skipIf(!probeSeal(process.env).available)(
  'the real claude, left alone with an objective',
  () => {
    it('works through three turns until checks prove it, pushes through the gate, opens its pull request, and is reported', async () => {
      forge = await PullForge.open();
      forge.runs = [{ name: 'build', status: 'completed', conclusion: 'success' }];
      world = await ClaudeWorld.start(SCRIPT, CANARY_KEY, undefined, { FORGE_LOGIN: forge.token });
      world.writeLimits(
        `bypass = true\n[[forges]]\nhost = "forge.example"\napi = "${forge.apiUrl}"\ntoken = "FORGE_LOGIN"`,
      );
      const address = `https://forge.example/${forge.repository}.git`;
      world.git('config', `url.${world.remote}.insteadOf`, address);
      world.git('remote', 'set-url', 'origin', address);
      writeFileSync(join(world.repository, 'test.sh'), 'grep -q goodbye a.txt\n');
      world.git('add', '.');
      world.git('commit', '-qm', 'A test that fails');
      world.git('push', '-q', 'origin', 'main');
      const main = world.git('rev-parse', 'main');
      const checklist = join(world.home, 'done.yaml');
      writeFileSync(
        checklist,
        'steps:\n  - title: The test passes\n    check: sh test.sh\n  - title: The branch is pushed\n    check: test -n "$(git ls-remote origin refs/heads/goodbye)"\n',
      );
      await world.cli('checks', 'approve', checklist, '--yes');
      const pilot = ['--mode', 'pilot', '--checklist', checklist, '--budget', '5'];
      const limits = ['--grade', 'sealed', '--approvals', 'bypass'];
      const id = await world.launch('Make the test pass', ...pilot, ...limits);

      const waited = await world.cli('sessions', 'status', id, '--wait', '--json');
      const status = runStatus.parse(JSON.parse(waited.stdout));
      expect(waited.exitCode, status.reason).toBe(0);
      expect(status).toMatchObject({
        standing: 'done',
        turns: 3,
        pilot: {
          status: 'finished',
          evidence: [
            { title: 'The test passes', passed: true, exitCode: 0 },
            { title: 'The branch is pushed', passed: true, exitCode: 0 },
          ],
        },
        breaches: [],
      });
      const push = status.witnessed.acts.find(({ kind }) => kind === 'push');
      expect(push).toMatchObject({ outcome: 'done' });
      expect(push?.seenBy).toContain('gate');
      expect(world.git('ls-remote', 'origin', 'refs/heads/goodbye')).toMatch(/^[0-9a-f]{40}/);
      expect(world.git('ls-remote', 'origin', 'refs/heads/main')).toContain(main);

      expect(forge.opened).toMatchObject([
        { title: 'Say goodbye', head: 'goodbye', base: 'main', draft: false },
      ]);
      const opened = status.witnessed.acts.find(({ kind }) => kind === 'pull_request');
      expect(opened).toMatchObject({
        outcome: 'done',
        command: expect.stringMatching(/^gh pr create/),
      });
      expect(opened?.seenBy).toEqual(['stream', 'gate']);

      expect(forge.comments).toHaveLength(1);
      expect(forge.comments[0]?.body).toMatch(
        /^Written by a session[^]*```text\n@team \/merge, the/,
      );
      const commented = status.witnessed.acts.find(({ kind }) => kind === 'comment');
      expect(commented).toMatchObject({ outcome: 'done', seenBy: ['stream', 'gate'] });

      const report = runReport.parse(
        JSON.parse((await world.cli('sessions', 'report', id, '--json')).stdout),
      );
      expect(report.turns.map(({ askedBy, outcome }) => [askedBy, outcome])).toEqual([
        ['person', 'ok'],
        ['pilot', 'ok'],
        ['pilot', 'ok'],
      ]);
      expect(report.spend.reported?.microUsd).toBe(billOf(world.api.served));
      const { stdout } = await world.cli('sessions', 'report', id);
      expect(stdout).toContain('**Done.** The Pilot finished: All 2 checks pass.');
      expect(stdout).toContain(`pull request | \`${forge.urlOf(1)}\``);
      const told = report.acts.find(({ kind }) => kind === 'pull_request');
      expect(told?.evidence.join()).toContain(forge.urlOf(1));
      for (const request of world.api.seen)
        expect(JSON.stringify(request)).not.toContain(forge.token);
      expect(stdout).toContain('- passed (exit 0): The test passes, `sh test.sh`');
    });
  },
);
