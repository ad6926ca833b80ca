import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { PilothouseError } from '../../../protocol/errors.ts';
import { DAY_MS } from '../../../protocol/retention.ts';
import {
  decideLaunchAllowed,
  findLimitsPath,
  isDirectoryAllowed,
  limitsFacts,
  readKept,
  readLimits,
} from '../../../runner/limits.ts';
import { decideTrust } from '../../../runner/limits/trusted-file.ts';
import { realPathOf } from '../../../runner/limits/paths.ts';
import { aLaunch } from '../../support/protocol-builders.ts';

let home: string;
let file: string;

beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), 'limits-')));
  mkdirSync(join(home, 'code'));
  mkdirSync(join(home, 'config'));
  file = join(home, 'config', 'limits.toml');
});

function write(text: string): void {
  writeFileSync(file, text, { mode: 0o600 });
}

function errorOf(read: () => unknown): PilothouseError {
  try {
    read();
  } catch (error) {
    if (error instanceof PilothouseError) return error;
    throw error;
  }
  throw new Error('expected a refusal');
}

describe('readLimits', () => {
  test('holds to the home directory, the known engines and nothing else when there is no file', () => {
    expect(readLimits(file, home)).toEqual({
      source: null,
      configuration: dirname(file),
      own: [],
      directories: [home],
      engines: null,
      bypass: false,
      discard: true,
      takeover: true,
      preview: true,
      modelGate: true,
      noOutputMaxMs: 86_400_000,
      startMs: 120_000,
      answerMaxMs: 2_592_000_000,
      minimumGrade: 'open',
      minimumNetwork: 'open',
      usualGrade: null,
      usualNetwork: 'open',
      commands: [],
      secretVariables: [],
      secretPatterns: [],
      repositories: [],
      forges: [],
      kept: { checkout: 30 * DAY_MS, output: 30 * DAY_MS, image: 30 * DAY_MS },
      terminal: {
        backends: [],
        defaultServer: false,
        prefixes: null,
        variables: [],
        kittySocket: null,
        watch: true,
        drive: true,
        keepMs: 1_800_000,
      },
    });
    expect(readLimits(null, home)).toEqual({ ...readLimits(file, home), configuration: null });
  });

  test('is read again each time, so that an edit counts at once', () => {
    write('engines = ["claude"]');
    expect(readLimits(file, home).engines).toEqual(['claude']);
    write('engines = []');
    expect(readLimits(file, home).engines).toEqual([]);
  });

  test('resolves ~ and links of the allowed directories', () => {
    symlinkSync(join(home, 'code'), join(home, 'link'));
    write('directories = ["~/link"]');
    expect(readLimits(file, home).directories).toEqual([join(home, 'code')]);
  });

  test('refuses everything with the line when a key is unknown', () => {
    write('bypass = false\nengine = ["claude"]\n');
    const error = errorOf(() => readLimits(file, home));
    expect(error.code).toBe('limits_unreadable');
    expect(error.message).toContain(`${file}, line 2: unknown key "engine"`);
  });

  test('refuses a file that every user can write', () => {
    write('bypass = false');
    chmodSync(file, 0o666);
    expect(errorOf(() => readLimits(file, home)).message).toContain('chmod o-w');
  });

  test('refuses a file in a directory that every user can write', () => {
    write('bypass = false');
    chmodSync(join(home, 'config'), 0o777);
    expect(errorOf(() => readLimits(file, home)).message).toContain('can replace it');
  });

  test('does not take a directory, bytes that are not text, or a link into nothing for a missing file', () => {
    mkdirSync(file);
    expect(errorOf(() => readLimits(file, home)).code).toBe('limits_unreadable');
    const bytes = join(home, 'config', 'bytes.toml');
    writeFileSync(bytes, Buffer.from([0x23, 0xff, 0xfe]));
    expect(errorOf(() => readLimits(bytes, home)).code).toBe('limits_unreadable');
    const dangling = join(home, 'config', 'dangling.toml');
    symlinkSync('/no/such/file', dangling);
    expect(errorOf(() => readLimits(dangling, home)).code).toBe('limits_unreadable');
  });
});

describe('decideTrust', () => {
  const ours = { mode: 0o100600, uid: 1000, size: 10, isFile: () => true };

  test('trusts the person’s own file and root’s', () => {
    expect(decideTrust(ours, { mode: 0o40755 }, 1000)).toBeNull();
    expect(decideTrust({ ...ours, uid: 0 }, { mode: 0o40755 }, 1000)).toBeNull();
  });

  test('trusts a file in a sticky directory, where nobody else can replace it', () => {
    expect(decideTrust(ours, { mode: 0o41777 }, 1000)).toBeNull();
  });

  test('distrusts another user’s file', () => {
    expect(decideTrust({ ...ours, uid: 1001 }, { mode: 0o40755 }, 1000)).toContain('another user');
  });

  test('distrusts what is too large to be limits', () => {
    expect(decideTrust({ ...ours, size: 1e9 }, { mode: 0o40755 }, 1000)).toContain('larger');
  });
});

describe('decideLaunchAllowed', () => {
  const launch = (over = {}) => aLaunch({ engineId: 'claude', directory: '/x', ...over });

  test('allows a directory inside, and refuses one that only looks inside', () => {
    write('directories = ["~/code"]');
    const limits = readLimits(file, home);
    expect(decideLaunchAllowed(limits, launch(), join(home, 'code', 'shop'))).toEqual({
      allowed: true,
    });
    expect(decideLaunchAllowed(limits, launch(), join(home, 'code-private'))).toMatchObject({
      allowed: false,
      code: 'directory_not_allowed',
    });
  });

  test('refuses a link inside that leads outside', () => {
    mkdirSync(join(home, 'private'));
    symlinkSync(join(home, 'private'), join(home, 'code', 'innocent'));
    write('directories = ["~/code"]');
    const real = realPathOf(join(home, 'code', 'innocent'));
    expect(decideLaunchAllowed(readLimits(file, home), launch(), real)).toMatchObject({
      code: 'directory_not_allowed',
    });
  });

  test('refuses an engine that is not listed, and every engine when none is', () => {
    write('engines = ["codex"]');
    expect(decideLaunchAllowed(readLimits(file, home), launch(), home)).toMatchObject({
      code: 'engine_not_allowed',
    });
    write('engines = []');
    expect(
      decideLaunchAllowed(readLimits(file, home), launch({ engineId: 'codex' }), home),
    ).toMatchObject({
      code: 'engine_not_allowed',
    });
  });

  test('refuses bypass unless the machine says yes', () => {
    const bypass = launch({ approvals: 'bypass' });
    expect(decideLaunchAllowed(readLimits(null, home), bypass, home)).toMatchObject({
      code: 'approvals_not_allowed',
    });
    write('bypass = true');
    expect(decideLaunchAllowed(readLimits(file, home), bypass, join(home, 'code'))).toEqual({
      allowed: true,
    });
  });

  test('caps the silence that a launch may ask for', () => {
    const long = launch({ noOutputMs: 3_600_001 });
    const decide = () => decideLaunchAllowed(readLimits(file, home), long, join(home, 'code'));
    write('');
    expect(decide()).toEqual({ allowed: true });
    write('no_output_minutes = 60');
    expect(decide()).toEqual({
      allowed: false,
      code: 'silence_not_allowed',
      detail: 'at most 60 minutes',
    });
  });

  test('caps the time that an approval may wait', () => {
    const long = launch({ answerMs: 7_200_001 });
    const decide = () => decideLaunchAllowed(readLimits(file, home), long, join(home, 'code'));
    write('');
    expect(decide()).toEqual({ allowed: true });
    write('answer_hours = 2');
    expect(decide()).toEqual({
      allowed: false,
      code: 'answer_time_not_allowed',
      detail: 'at most 2 hours',
    });
  });

  test('says how long things are kept, for thirty days each where nothing is said', () => {
    write('');
    const month = 30 * DAY_MS;
    expect(readLimits(file, home).kept).toEqual({ checkout: month, output: month, image: month });
    write('[keep]\ncheckout_days = 1.5');
    expect(readLimits(file, home).kept).toEqual({
      checkout: 1.5 * DAY_MS,
      output: month,
      image: month,
    });
    write('[keep]\ncheckout_days = 0');
    expect(() => readLimits(file, home)).toThrow(/line 2/);
    expect(readKept({ PILOTHOUSE_LIMITS: file })).toBeNull();
  });

  test('lets a launch without a directory work in the repository that the runner makes for it', () => {
    write('directories = []');
    expect(
      decideLaunchAllowed(readLimits(file, home), launch({ directory: null }), '/elsewhere'),
    ).toEqual({ allowed: true });
  });

  test('keeps sessions out of the directory that holds the limits', () => {
    write('directories = ["~"]');
    expect(isDirectoryAllowed(readLimits(file, home), join(home, 'config'))).toBe(false);
    write('directories = ["~/config"]');
    expect(isDirectoryAllowed(readLimits(file, home), join(home, 'config'))).toBe(true);
  });
});

describe('findLimitsPath', () => {
  test('prefers the named file, then the person’s configuration directory', () => {
    expect(findLimitsPath({ PILOTHOUSE_LIMITS: '~/l.toml' }, '/home/ada')).toBe('/home/ada/l.toml');
    expect(findLimitsPath({ XDG_CONFIG_HOME: '/cfg' }, '/home/ada')).toBe(
      '/cfg/pilothouse/limits.toml',
    );
    expect(findLimitsPath({}, '/home/ada')).toBe('/home/ada/.config/pilothouse/limits.toml');
  });

  test('is the place of the person whose environment it is given', () => {
    expect(findLimitsPath({ HOME: '/home/ada' })).toBe('/home/ada/.config/pilothouse/limits.toml');
  });
});

describe('limitsFacts', () => {
  test('names the known engines where the machine limits none', () => {
    expect(limitsFacts(readLimits(null, home), ['claude']).engines).toEqual(['claude']);
  });
});
