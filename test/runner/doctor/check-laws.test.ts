import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  doctorFinding,
  type DoctorFinding,
  type EngineReadiness,
} from '../../../protocol/machine.ts';
import {
  checkDataDirectory,
  checkDisk,
  checkEngines,
  checkLimits,
  checkLink,
  checkRunner,
  checkSeal,
  checkSetAside,
  checkSystem,
  checkWatches,
} from '../../../runner/doctor/checks.ts';
import { checkGate } from '../../../runner/doctor/gate.ts';
import { checkGit, checkLfs } from '../../../runner/doctor/git.ts';
import { checkTerminal } from '../../../runner/doctor/terminal.ts';
import { checkTerminals } from '../../../runner/doctor/terminals.ts';
import { decideObstacle, SEAL_SETTINGS } from '../../../runner/seal/obstacle.ts';
import { describeReport, hasProblems } from '../../../runner/doctor/report.ts';

const GIB = 1024 ** 3;
const PACKAGES = ['apt', 'dnf', 'zypper', 'pacman', 'apk', 'brew', null] as const;
const CLOSED = { available: false, version: null, tools: [], shell: true, live: true, note: null };
const NO_SETTINGS = Object.fromEntries(SEAL_SETTINGS.map((name) => [name, null])) as Record<
  (typeof SEAL_SETTINGS)[number],
  null
>;
const plain = (_style: string, text: string) => text;

const engine = (over: Partial<EngineReadiness> = {}): EngineReadiness => ({
  engineId: 'claude',
  label: 'Claude Code',
  ready: false,
  version: null,
  payer: 'unknown',
  credential: null,
  approvals: [],
  problem: null,
  remedy: null,
  ...over,
});

/** Findings of every check, good and bad. */
const ALL: DoctorFinding[] = [
  checkSystem('linux', '6.1', 'v24.0.0'),
  checkSystem('win32', '10', 'v24.0.0'),
  checkSystem('linux', '6.1', 'v18.0.0'),
  checkGit('git version 2.45.0', 'apt'),
  checkGit('git version 1.8.0', 'apt'),
  checkGit('nonsense', 'apt'),
  checkGit(null, 'apt'),
  checkGit('git version 2.34.1', 'apt'),
  checkGit('git version 2.34.1', 'brew'),
  ...[checkLfs('git-lfs/3.4.1 (GitHub; linux amd64)')].filter((finding) => finding !== null),
  checkDisk(100 * GIB, '/d'),
  checkDisk(GIB, '/d'),
  checkDisk(0, '/d'),
  checkDataDirectory('/d', { exists: false, writable: false, mode: 0 }),
  checkDataDirectory('/d', { exists: true, writable: false, mode: 0o700 }),
  checkDataDirectory('/d', { exists: true, writable: true, mode: 0o755 }),
  checkDataDirectory('/d', { exists: true, writable: true, mode: 0o700 }),
  checkLink({ kind: 'none' }),
  checkLink({ kind: 'answers', url: 'http://x', version: '1' }),
  checkLink({ kind: 'silent', url: 'http://x', reason: 'refused' }),
  ...[checkRunner(true, '/l'), checkRunner(false, '/l')].filter((finding) => finding !== null),
  checkLimits(null, null),
  checkLimits('/l.toml', null),
  checkLimits(null, 'line 3: nonsense'),
  checkLimits(null, 'line 3: nonsense', { path: '/home/me/my limits.toml' }),
  checkLink({ kind: 'silent', url: 'http://x', reason: 'refused', named: true }),
  ...PACKAGES.flatMap((packages) => [
    checkGit(null, packages),
    checkGit('git version 2.34.1', packages),
    ...checkTerminals(
      {
        capabilities: (['tmux', 'kitty', 'iterm2'] as const).map((backend) => ({
          ...CLOSED,
          backend,
        })),
        deafSocket: '/d/tmux.sock',
        olderServer: '3.2',
        ended: 1,
      },
      packages,
    ),
  ]),
  checkTerminal('it is not installed', true, '/opt/pilothouse'),
  checkTerminal(null, false, '/opt/pilothouse'),
  ...[
    checkGate({ port: 9, answers: 'another' }, '/d/runner.pid'),
    checkGate({ port: 9, answers: 'gate' }, '/d/runner.pid'),
    checkSetAside(2, '/d/set-aside', '/d/runner.pid'),
  ].filter((finding) => finding !== null),
  checkSeal({ available: true, problem: null, remedy: null, networkProblem: null }),
  checkSeal({ available: true, problem: null, remedy: null, networkProblem: 'It cannot.' }),
  ...(['linux', 'darwin'] as const).map((platform) =>
    checkSeal({
      available: false,
      ...decideObstacle({
        platform,
        release: '',
        said: 'no',
        settings: NO_SETTINGS,
        container: false,
      }),
    }),
  ),
  ...[checkWatches(1), checkWatches(1_000_000)].filter((finding) => finding !== null),
  ...checkEngines([engine(), engine({ ready: true, version: '2.1' })]),
];

describe('every finding', () => {
  it.each(ALL)('is one that the protocol carries: $check $status', (finding) => {
    expect(doctorFinding.parse(finding)).toEqual(finding);
    expect(finding.message).toMatch(/\S/);
  });

  it('has the one thing to do exactly when something is to be done', () => {
    for (const { check, status, remedy } of ALL)
      expect({ check, status, remedy: remedy !== null }).toEqual({
        check,
        status,
        remedy: status !== 'ok',
      });
  });

  it('names the command that mends it, or says why none can', () => {
    const faults = ALL.filter(({ status }) => status !== 'ok');
    const without = faults.filter(({ remedy }) => !/`[^`]+`|No command/.test(remedy ?? ''));
    expect(without).toEqual([]);
  });

  it('is examined here in each of its three answers', () => {
    expect(new Set(ALL.map(({ status }) => status))).toEqual(new Set(['ok', 'warning', 'problem']));
  });
});

describe('checks at their edges', () => {
  it.each([
    [2 * GIB, 'ok'],
    [2 * GIB - 1, 'warning'],
    [GIB, 'warning'],
    [GIB - 1, 'problem'],
    [0, 'problem'],
  ])('%i bytes of free space are %s', (bytes, status) => {
    expect(checkDisk(bytes, '/d').status).toBe(status);
  });

  it('never calls less space better', () => {
    const rank = { ok: 0, warning: 1, problem: 2 } as const;
    fc.assert(
      fc.property(fc.nat(5 * GIB), fc.nat(5 * GIB), (left, right) => {
        const [less, more] = left < right ? [left, right] : [right, left];
        expect(rank[checkDisk(less, '/d').status]).toBeGreaterThanOrEqual(
          rank[checkDisk(more, '/d').status],
        );
      }),
    );
  });

  it.each([
    [65_535, 'warning'],
    [65_536, 'ok'],
  ])('%i file watches are %s', (limit, status) => {
    expect(checkWatches(limit)?.status).toBe(status);
  });

  it.each([
    [2, 29, 'problem'],
    [2, 30, 'warning'],
    [2, 34, 'warning'],
    [2, 35, 'ok'],
    [3, 0, 'ok'],
    [1, 99, 'problem'],
  ])('git %i.%i is %s', (major, minor, status) => {
    expect(checkGit(`git version ${major}.${minor}.0`, 'apt').status).toBe(status);
  });

  it('any bit for others on the data directory is a warning, and only those', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 0o777 }), (mode) => {
        const { status } = checkDataDirectory('/d', { exists: true, writable: true, mode });
        expect(status).toBe((mode & 0o077) === 0 ? 'ok' : 'warning');
      }),
    );
  });

  it('the data directory that is not there yet is fine, whatever else is said of it', () => {
    const absent = { exists: false, writable: false, mode: 0o777 };
    expect(checkDataDirectory('/d', absent).status).toBe('ok');
  });

  it('an engine that says nothing of itself still gets a sentence and a way', () => {
    expect(checkEngines([engine()])).toEqual([
      {
        check: 'engine claude',
        status: 'warning',
        message: 'Claude Code is not ready.',
        remedy: 'No command is known for it: see its own documentation.',
      },
    ]);
  });

  it('names of credentials are told, and there is no place for a value', () => {
    const [finding] = checkEngines([engine({ ready: true, credential: 'OPENAI_API_KEY' })]);
    expect(finding?.message).toBe('Claude Code is ready, signed in with OPENAI_API_KEY');
  });

  it.each(['linux', 'darwin', 'freebsd'])('%s is named as it is known', (platform) => {
    const { status, message } = checkSystem(platform, '1', 'v24.0.0');
    expect([status, message]).toEqual([
      'ok',
      `${platform === 'darwin' ? 'macOS' : platform}, Node v24.0.0`,
    ]);
  });
});

describe('the report of any findings', () => {
  const finding = fc.record({
    check: fc.stringMatching(/^[a-z ]{1,12}$/),
    status: fc.constantFrom('ok' as const, 'warning' as const, 'problem' as const),
    message: fc.stringMatching(/^[A-Z][a-z]{1,20}\.$/),
    remedy: fc.option(fc.stringMatching(/^do [a-z]{1,9}$/)),
  });

  it('has every message and every remedy, and counts what keeps sessions from running', () => {
    fc.assert(
      fc.property(fc.array(finding, { maxLength: 12 }), (findings) => {
        const text = describeReport({ findings }, plain);
        const lines = text.split('\n');
        const remedies = findings.filter(({ remedy }) => remedy !== null).length;
        expect(lines).toHaveLength(findings.length + remedies + 2);
        for (const { message, remedy } of findings) {
          expect(text).toContain(message);
          expect(text).toContain(remedy ?? '');
        }
        const problems = findings.filter(({ status }) => status === 'problem').length;
        expect(hasProblems({ findings })).toBe(problems > 0);
        const warnings = findings.filter(({ status }) => status === 'warning').length;
        const verdict = lines.at(-1) ?? '';
        expect(verdict === 'No problems.').toBe(problems + warnings === 0);
        expect(/(\d+) problem/.exec(verdict)?.[1]).toBe(problems ? String(problems) : undefined);
        expect(/(\d+) warning/.exec(verdict)?.[1]).toBe(warnings ? String(warnings) : undefined);
      }),
    );
  });

  it('has its messages in one column', () => {
    fc.assert(
      fc.property(fc.array(finding, { minLength: 1, maxLength: 8 }), (findings) => {
        const width = Math.max(...findings.map(({ check }) => check.length));
        const lines = describeReport(
          { findings: findings.map((one) => ({ ...one, remedy: null })) },
          plain,
        ).split('\n');
        for (const [index, { message }] of findings.entries())
          expect(lines[index]?.slice(width + 4)).toBe(message);
      }),
    );
  });

  it('marks each answer by a sign and not by a colour alone', () => {
    const marked = describeReport({ findings: ALL }, plain);
    for (const mark of ['✓', '!', '✗']) expect(marked).toContain(`\n${mark} `.trimStart());
  });
});
