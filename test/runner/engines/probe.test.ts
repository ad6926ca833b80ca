import { chmod, mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { rehearsal } from '../../../runner/engines/rehearsal/preset.ts';
import {
  credentialInEnvironment,
  parseAuthStatus,
  probeClaude,
} from '../../../runner/engines/claude/probe.ts';
import type { ApprovalsMode } from '../../../protocol/launch.ts';
import { isOlder } from '../../../runner/engines/executable.ts';
import {
  ENGINES,
  OFFERED,
  findEngine,
  probeEngine,
  probeEngines,
} from '../../../runner/engines/registry.ts';

const SYSTEM_PATH = '/usr/local/bin:/usr/bin:/bin';

/** A home with a `claude` that says what the test wants: a real program, in the place named. */
async function aMachine(body: string | null, place = 'bin/claude') {
  const home = await mkdtemp(join(tmpdir(), 'home-'));
  if (body !== null) {
    const path = join(home, place);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, `#!/bin/sh\n${body}\n`);
    await chmod(path, 0o755);
  }
  return { HOME: home, PATH: `${join(home, 'bin')}:${SYSTEM_PATH}` };
}

const says = (version: string, status: string, code: number) =>
  `case "$1" in --version) echo "${version} (Claude Code)";; auth) echo '${status}'; exit ${code};; esac`;
const LOGGED_OUT = says('2.1.332', '{"loggedIn":false,"authMethod":"none"}', 1);

describe('the readiness of claude', () => {
  test('absent: says how to install it', async () => {
    const found = await probeClaude(await aMachine(null));
    expect(found).toMatchObject({
      ready: false,
      executable: null,
      problem: 'claude is not installed.',
      remedy: expect.stringContaining('npm install'),
    });
  });

  test('a directory of its name is no program', async () => {
    const machine = await aMachine(null);
    await mkdir(join(machine.HOME, 'bin', 'claude'), { recursive: true });
    expect(await probeClaude(machine)).toMatchObject({ ready: false, executable: null });
  });

  test('not logged in: says how to', async () => {
    const found = await probeClaude(await aMachine(LOGGED_OUT));
    expect(found).toMatchObject({
      ready: false,
      version: '2.1.332',
      problem: 'claude is not logged in.',
      remedy: expect.stringContaining('log in'),
    });
  });

  test('logged in with a subscription: ready, and the subscription pays', async () => {
    const found = await probeClaude(
      await aMachine(says('2.1.332', '{"loggedIn":true,"authMethod":"claude.ai"}', 0)),
    );
    expect(found).toMatchObject({
      ready: true,
      payer: 'subscription',
      credential: 'claude.ai',
      problem: null,
      remedy: null,
    });
  });

  test('with a key in the environment: ready, named and never shown', async () => {
    const found = await probeClaude({
      ...(await aMachine(LOGGED_OUT)),
      ANTHROPIC_API_KEY: 'sk-secret',
    });
    expect(found).toMatchObject({ ready: true, payer: 'api-key', credential: 'ANTHROPIC_API_KEY' });
    expect(JSON.stringify(found)).not.toContain('sk-secret');
  });

  test('too old: says so', async () => {
    const found = await probeClaude(await aMachine(says('2.0.76', '{}', 0)));
    expect(found).toMatchObject({
      ready: false,
      version: '2.0.76',
      remedy: 'Run `claude update`.',
    });
  });

  test('that answers nonsense is not ready', async () => {
    const found = await probeClaude(await aMachine('echo hello'));
    expect(found).toMatchObject({ ready: false, version: null });
  });

  test.each(['.local/bin/claude', '.claude/local/claude'])(
    'is found in %s without being on PATH',
    async (place) => {
      expect((await probeClaude(await aMachine(LOGGED_OUT, place))).executable).toContain(place);
    },
  );

  test('is the one that a test names, and no other', async () => {
    const machine = await aMachine(LOGGED_OUT);
    const other = join(machine.HOME, 'bin', 'claude');
    expect((await probeClaude({ PATH: SYSTEM_PATH, PILOTHOUSE_CLAUDE: other })).executable).toBe(
      other,
    );
    expect(
      (await probeClaude({ ...machine, PILOTHOUSE_CLAUDE: '/nowhere/claude' })).executable,
    ).toBeNull();
  });

  test('does not see the session around it', async () => {
    const machine = await aMachine(
      'test -z "$CLAUDECODE" && echo 2.1.332; echo "{\\"loggedIn\\":true}"',
    );
    expect((await probeClaude({ ...machine, CLAUDECODE: '1' })).version).toBe('2.1.332');
  });
});

describe('versions and credentials', () => {
  test.each([
    ['2.1.0', false],
    ['2.0.99', true],
    ['1.9.9', true],
    ['2.10.0', false],
    ['3.0.0', false],
  ])('%s is older than 2.1.0: %s', (version, older) => {
    expect(isOlder(version, [2, 1, 0])).toBe(older);
  });

  test.each([
    [{ CLAUDE_CODE_USE_BEDROCK: '1', ANTHROPIC_API_KEY: 'k' }, 'CLAUDE_CODE_USE_BEDROCK'],
    [{ CLAUDE_CODE_USE_VERTEX: '0', ANTHROPIC_API_KEY: 'k' }, 'ANTHROPIC_API_KEY'],
    [{ ANTHROPIC_AUTH_TOKEN: 't', ANTHROPIC_API_KEY: 'k' }, 'ANTHROPIC_AUTH_TOKEN'],
    [{ CLAUDE_CODE_OAUTH_TOKEN: 't' }, 'CLAUDE_CODE_OAUTH_TOKEN'],
    [{ ANTHROPIC_API_KEY: '' }, undefined],
  ])('of %j the credential is %s', (env, name) => {
    expect(credentialInEnvironment(env)?.credential).toBe(name);
  });

  test.each([
    [
      '{"loggedIn":true,"authMethod":"api_key","apiKeySource":"ANTHROPIC_API_KEY"}',
      { payer: 'api-key', credential: 'ANTHROPIC_API_KEY' },
    ],
    [
      '{"loggedIn":true,"authMethod":"claude.ai","apiKeySource":"none"}',
      { payer: 'subscription', credential: 'claude.ai' },
    ],
    ['{"loggedIn":false}', null],
    ['logged in!', null],
    ['null', null],
  ])('the status %s means %j', (output, credential) => {
    expect(parseAuthStatus(output)).toEqual(credential);
  });
});

describe('the registry', () => {
  test('knows engines by id alone', () => {
    const ids = OFFERED.map((engine) => engine.id);
    expect(ids).toEqual([...new Set(ENGINES.map(({ id }) => id))]);
    expect([ids[0], ids.at(-1)]).toEqual(['claude', 'rehearsal']);
    expect(findEngine('claude')?.label).toBe('Claude Code');
    expect(findEngine('constructor')).toBeNull();
  });

  test('chooses the form of an engine by how much it asks, and no two for one', () => {
    const form = (id: string, mode: ApprovalsMode) => findEngine(id, mode)?.form;
    expect(form('codex', 'ask')).toBe('app-server');
    expect(form('codex', 'bypass')).toBeNull();
    for (const { id } of OFFERED) {
      const modes = ENGINES.filter((engine) => engine.id === id).flatMap((each) => each.modes);
      expect(modes.toSorted()).toEqual([...new Set(modes)].toSorted());
    }
  });

  test('offers the modes that its forms work in, and asks where one can', async () => {
    for (const found of await probeEngines(await aMachine(null))) {
      const forms = ENGINES.filter(({ id }) => id === found.engineId);
      expect(forms.flatMap(({ modes }) => modes).toSorted()).toEqual(found.approvals.toSorted());
      for (const mode of found.asks ?? [])
        expect(findEngine(found.engineId, mode)?.capabilities.approvals).toBe(true);
    }
  });

  test('says of each mode whether its form tells what it costs', async () => {
    const found = await probeEngines(await aMachine(null));
    expect(found.find(({ engineId }) => engineId === 'gemini')?.unmetered).toEqual(['ask']);
    for (const { engineId, approvals, unmetered = [] } of found)
      for (const mode of approvals)
        expect(findEngine(engineId, mode)?.capabilities.usage === 'none').toBe(
          unmetered.includes(mode),
        );
  });

  test('says whose calls the model gate would count, where the machine allows it', async () => {
    const machine = await aMachine('echo 99.0.0', 'bin/gemini');
    await mkdir(join(machine.HOME, '.gemini'));
    const chosen = { security: { auth: { selectedType: 'gemini-api-key' } } };
    await writeFile(join(machine.HOME, '.gemini', 'settings.json'), JSON.stringify(chosen));
    const keyed = { ...machine, GEMINI_API_KEY: 'AIza-test' };
    const gatedOf = async (env: NodeJS.ProcessEnv, modelGate?: boolean) => {
      const found = await probeEngines(env, modelGate === undefined ? {} : { modelGate });
      return found.filter(({ gated }) => gated).map(({ engineId }) => engineId);
    };
    expect(await gatedOf(keyed, true)).toEqual(['gemini']);
    expect(await gatedOf(keyed, false)).toEqual([]);
    expect(await gatedOf(keyed)).toEqual([]);
    expect(await gatedOf(machine, true)).toEqual([]);
  });

  test('looks at all engines and says of each what to do', async () => {
    const found = await probeEngines(await aMachine(null));
    expect(found.map((each) => each.engineId)).toEqual(OFFERED.map(({ id }) => id));
    for (const each of found) {
      const works = each.engineId === 'rehearsal';
      expect([each.engineId, each.ready, each.remedy !== null]).toEqual([
        each.engineId,
        works,
        !works,
      ]);
    }
  });

  test('the rehearsal says when git is missing', async () => {
    const found = await probeEngine(rehearsal, { PATH: '/nowhere' });
    expect(found).toMatchObject({
      ready: false,
      problem: expect.stringContaining('git is not installed'),
    });
  });

  test('an engine that hangs holds nobody up', async () => {
    const machine = await aMachine('exec sleep 5');
    const before = Date.now();
    const [found] = await probeEngines(machine, { withinMs: 300 });
    expect(found).toMatchObject({
      engineId: 'claude',
      ready: false,
      problem: 'The look at Claude Code did not end within 0.3 s.',
    });
    expect(Date.now() - before).toBeLessThan(4_000);
  });

  test('an engine without a check is not ready', async () => {
    expect(await probeEngine({ ...rehearsal, id: 'constructor' }, {})).toMatchObject({
      ready: false,
    });
  });
});
