import type { Payer } from '../../protocol/usage.ts';
import type { Readiness } from './engine.ts';
import { type AskedVersion, ANSWER_WITHIN_MS, isOlder } from './executable.ts';
import { notInstalled, withoutVersion } from './install.ts';
import type { SettingsFinding } from './settings.ts';

/** By which login an engine would work: found, missing with what to do, or not said in time. */
export type LoginAnswer =
  | { kind: 'found'; payer: Payer; credential: string | null }
  | { kind: 'missing'; problem: string; remedy: string; because?: 'settings' }
  | { kind: 'late'; asked: string };

/** What is looked at of one engine. Every answer is of the same moment: nothing waits for another. */
export type Preflight = {
  found: Pick<Readiness, 'engineId' | 'label' | 'executable' | 'approvals' | 'asks'>;
  program: string;
  /** The oldest version that its parser was proven on. */
  oldest: readonly number[];
  /** The command that gets a newer one. */
  update: string;
  asked: { version: AskedVersion; login: LoginAnswer } | null;
  settings: readonly SettingsFinding[];
};

const NOTHING = { version: null, payer: 'unknown', credential: null, ready: false } as const;

/**
 * Decides how the machine stands with an engine. What did not come in time stops it only where
 * nothing else says it: a version that its installation names is known, and without a login the
 * engine says so itself. Pure.
 */
export function decideReadiness(look: Preflight): Readiness {
  const { found, program, asked, settings, oldest, update } = look;
  const { executable } = found;
  if (!executable || !asked) return { ...found, ...NOTHING, ...notInstalled(program) };
  const { version, late } = asked.version;
  if (!version) return { ...found, ...NOTHING, ...withoutVersion(executable, asked.version) };
  const known = { ...found, ...NOTHING, version };
  if (isOlder(version, oldest)) {
    const problem = `${program} ${version} is too old; ${oldest.join('.')} is the oldest that works.`;
    return { ...known, problem, remedy: `Run \`${update}\`.`, failure: 'engine_too_old' };
  }
  const stopped = (mode: string) =>
    settings.find(({ stops }) => stops.some((each) => each === mode));
  const [inTheWay] = settings.filter(({ stops }) =>
    found.approvals.every((mode) => stops.includes(mode)),
  );
  if (inTheWay) {
    const { problem, remedy } = inTheWay;
    return { ...known, problem, remedy, failure: 'settings_unusable' };
  }
  const { login } = asked;
  if (login.kind === 'missing') {
    const { problem, remedy, because } = login;
    const failure = because === 'settings' ? 'settings_unusable' : 'auth_missing';
    return { ...known, problem, remedy, failure };
  }
  const refusedModes = found.approvals.flatMap((mode) => {
    const finding = stopped(mode);
    return finding ? [{ mode, problem: `${finding.problem} ${finding.remedy}` }] : [];
  });
  const warnings = [
    ...settings.filter(({ stops }) => stops.length === 0),
    ...(late
      ? [slow(`${executable} --version`, `${program} ${version} is what its installation says.`)]
      : []),
    ...(login.kind === 'late'
      ? [
          slow(
            login.asked,
            'By which login it works, and who pays, is not known: records say `unknown`.',
          ),
        ]
      : []),
  ].map(({ problem, remedy }) => ({ problem, remedy }));
  return {
    ...known,
    ready: true,
    ...(login.kind === 'found' && { payer: login.payer, credential: login.credential }),
    problem: null,
    remedy: null,
    ...(refusedModes.length > 0 && { refusedModes }),
    ...(warnings.length > 0 && { warnings }),
  };
}

/** A question that was not answered in time, and decides nothing. */
const slow = (line: string, meanwhile: string) => ({
  problem: `\`${line}\` did not answer within ${ANSWER_WITHIN_MS / 1_000} s. ${meanwhile}`,
  remedy: `Run \`${line}\` on this machine and see what it waits for.`,
});
