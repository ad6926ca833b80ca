import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { BUILT_IN_PRESETS } from '../../../protocol/builtin-presets.ts';
import { lookAtApproved } from '../../../runner/look-at-presets.ts';
import { checkEngines } from '../../../runner/doctor/checks.ts';
import { probeClaude } from '../../../runner/engines/claude/probe.ts';
import { probeCodex } from '../../../runner/engines/codex/probe.ts';
import { askVersion } from '../../../runner/engines/executable.ts';
import { probeGemini } from '../../../runner/engines/gemini/probe.ts';
import { installRemedy, notInstalled, withoutVersion } from '../../../runner/engines/install.ts';
import { opencode } from '../../../runner/engines/opencode/preset.ts';
import { probeOpencode } from '../../../runner/engines/opencode/probe.ts';
import { probeEngine } from '../../../runner/engines/registry.ts';
import { findLimitsPath } from '../../../runner/limits.ts';
import { approveEngine, findApprovalsPath } from '../../../runner/limits/approved-engines.ts';
import { lookAtPresets } from '../../../runner/look-at-presets.ts';
import { aPreset } from '../../support/preset-builders.ts';

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'pilothouse-missing-'));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const env = () => ({ PATH: home, HOME: home, XDG_CONFIG_HOME: join(home, 'config') });
const anExecutable = (name: string, script: string): string => {
  const path = join(home, name);
  writeFileSync(path, `#!/bin/sh\n${script}\n`);
  chmodSync(path, 0o755);
  return path;
};
const UNVERIFIED = BUILT_IN_PRESETS.filter(({ verified }) => !verified).map(({ preset }) => preset);
const WHERE: Readonly<Record<string, string>> = {
  'cursor-agent': 'Install it from https://cursor.com/cli, then look again.',
  grok: 'Install it with `npm install --global @vibe-kit/grok-cli`, then look again.',
  ollama: 'Install it from https://ollama.com/download, then look again.',
};
const PROBES = {
  claude: probeClaude,
  codex: probeCodex,
  gemini: probeGemini,
  opencode: probeOpencode,
};

describe('a preset that nobody has verified, without its program', () => {
  test('has a source for each of them', () => {
    expect(UNVERIFIED.map(({ id }) => id).toSorted()).toEqual(Object.keys(WHERE).toSorted());
  });

  test.each(UNVERIFIED)(
    '$id says where to get it, before it is approved and after',
    async (preset) => {
      const missing = {
        ready: false,
        installed: false,
        problem: expect.stringContaining(`${preset.command[0]} is not on the PATH`),
        remedy: WHERE[preset.id],
      };
      expect(await lookAtPresets(env(), [preset])).toMatchObject([
        {
          ...missing,
          // The program first: without one there is nothing to approve.
          problem: expect.stringMatching(/is not on the PATH[^]*is not approved on this machine/),
          remedy: `${WHERE[preset.id]} Then: Read it there, then run \`pilothouse engines approve ${preset.id}\`.`,
        },
      ]);
      approveEngine(findApprovalsPath(findLimitsPath(env())), preset, 1);
      expect(await lookAtPresets(env(), [preset])).toMatchObject([missing]);
    },
  );

  test.each(UNVERIFIED)(
    '$id is told by the doctor of a machine that approved it',
    async (preset) => {
      expect(await lookAtApproved(env())).toEqual([]);
      approveEngine(findApprovalsPath(findLimitsPath(env())), preset, 1);
      expect(checkEngines(await lookAtApproved(env()))).toEqual([
        {
          check: `engine ${preset.id}`,
          status: 'warning',
          message: expect.stringContaining('is not on the PATH'),
          remedy: WHERE[preset.id],
        },
      ]);
      anExecutable(preset.command[0], 'exit 0');
      expect(checkEngines(await lookAtApproved(env()))).toMatchObject([
        { check: `engine ${preset.id}`, status: 'ok', remedy: null },
      ]);
    },
  );

  test('of a person’s own, whose program nobody knows, is asked to be installed or named in full', async () => {
    const [found] = await lookAtPresets(env(), [aPreset({ command: ['nobodys-agent'] })]);
    expect(found?.remedy).toMatch(/write its whole path/);
  });

  test('a doctor that cannot read the approvals leaves them to the check of the limits', async () => {
    approveEngine(findApprovalsPath(findLimitsPath(env())), aPreset(), 1);
    writeFileSync(findApprovalsPath(findLimitsPath(env())), '{');
    expect(await lookAtApproved(env())).toEqual([]);
  });
});

describe.each(Object.entries(PROBES))('%s', (program, probe) => {
  test('that is not there says the command that installs it', async () => {
    const found = await probe(env());
    expect(found).toMatchObject({ ready: false, executable: null, ...notInstalled(program) });
    expect(found.remedy).toMatch(/^Install it with `npm install --global [\w@/-]+`, then/);
  });

  test('that says no version is to be asked by hand, and only then installed again', async () => {
    const path = anExecutable(program, 'echo hello');
    const { ready, version, problem, remedy, failure } = await probe(env());
    expect({ ready, version }).toEqual({ ready: false, version: null });
    // Nothing about a login: nobody got as far as looking for one.
    expect(failure).toBe('engine_crashed');
    expect(problem).toContain('does not say its version');
    expect(remedy).toContain(`Run \`${path} --version\` there`);
    expect(remedy).toMatch(/if it is broken, install it again with `npm install/);
  });
});

describe('a known engine that is not ready', () => {
  test.each(Object.entries(PROBES))('says why in one word: %s', async (program, probe) => {
    anExecutable(program, 'echo 0.0.1');
    expect((await probe(env())).failure).toBe('engine_too_old');
    anExecutable(program, 'echo 99.0.0');
    const { ready, failure } = await probe(env());
    expect(failure).toBe(ready ? undefined : 'auth_missing');
  });

  test('because its look takes too long was not found missing, nor without a login', async () => {
    anExecutable('opencode', 'exec /bin/sleep 60');
    const late = await probeEngine(opencode, env(), { withinMs: 50 });
    expect(late).toMatchObject({ ready: false, failure: 'preflight_slow' });
  });
});

describe('a program that does not answer in time', () => {
  test('is not taken for one that is missing or broken', async () => {
    const path = anExecutable('opencode', 'exec /bin/sleep 60');
    const asked = await askVersion(path, env(), { withinMs: 200 });
    expect(asked).toEqual({ late: true, version: null });
    const { problem, remedy, failure } = withoutVersion(path, asked);
    expect(failure).toBe('preflight_slow');
    expect(problem).toMatch(/did not answer within [\d.]+ s/);
    expect(remedy).toMatch(/^Look again: the machine may have been busy/);
    expect(`${problem} ${remedy}`).not.toMatch(/install/i);
  });

  test('is told from one that fails, and from one that answers with an error', async () => {
    const broken = await askVersion(anExecutable('broken', 'exit 3'), env());
    expect(broken).toEqual({ late: false, version: null });
    const loud = await askVersion(anExecutable('loud', 'echo v1.2.3; exit 3'), env());
    expect(loud).toMatchObject({ late: false, version: '1.2.3' });
    expect(await askVersion(join(home, 'nothing'), env())).toMatchObject({ late: false });
  });
});

test('a name of the language itself is no program that anybody knows', () => {
  expect(installRemedy('constructor')).toBeNull();
  expect(notInstalled('toString').remedy).toBe('Install toString, then look again.');
});
