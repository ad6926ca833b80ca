import { homedir } from 'node:os';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { limitsOf } from '../../protocol/amounts.ts';
import { ERRORS, PilothouseError } from '../../protocol/errors.ts';
import { forecastGrade, forecastNetwork } from '../../protocol/grade-forecast.ts';
import type { GradeReport } from '../../protocol/grade.ts';
import { REHEARSAL_ENGINE_ID } from '../../protocol/launch.ts';
import { IMAGES_MAX } from '../../protocol/image.ts';
import {
  budgetObstacle,
  defaultAnswerMs,
  defaultSilenceMs,
  modeObstacle,
} from '../../protocol/machine.ts';
import type { LaunchRequest, RunnerSummary, SessionDetail } from '../../protocol/http.ts';
import { EXIT, Failure } from '../failure.ts';
import { expandHome } from '../limits/paths.ts';
import { awaitLaunch } from './await-launch.ts';
import { awaitTurn } from './await-turn.ts';
import { connect, type Connection, type ConnectionOptions } from './connect.ts';
import { ownSentence } from './format.ts';
import { sayGrade } from './grade-words.ts';
import { noticeBlind, readNotices } from './launch-notices.ts';
import { aboutEarlier, readEarlier } from './launch-from.ts';
import { type Terms, withTerms } from './launch-terms.ts';
import { withConnection, withDirectory } from './options.ts';
import { pilotOf } from './pilot/launch-options.ts';
import { note, print } from './output.ts';
import { holdImages } from './sessions/send-image.ts';

type LaunchOptions = ConnectionOptions &
  Terms & {
    engine?: string;
    directory?: string;
    inPlace?: true;
    base?: string;
    uncommitted?: true;
    conversation?: string;
    from?: string;
    runner?: string;
  };

const EXAMPLES = `
Examples:
  pilothouse launch "Fix the failing test and commit"
  pilothouse launch --engine claude --directory ~/code/site --budget 5 --wait "Update the docs"
  pilothouse launch --from ses_01k… --runner laptop "Finish what is open"
  pilothouse launch --mode pilot --checklist done.yaml "Make the tests pass"
  pilothouse launch --mode pilot --checklist done.yaml --brain engine "…"
  pilothouse launch --mode pilot --checklist done.yaml --brain api --brain-model claude-sonnet-4-5 "…"
  pilothouse launch --engine rehearsal --wait "Show me"

Exits 0 once the machine has begun, and 4 when it refuses. With --wait the exit code is the
turn's outcome: 0 ok, 1 anything else.`;

/** `pilothouse launch`: a new session, and with `--wait` its first turn. */
export function addLaunch(program: Command): void {
  const launch = withConnection(program.command('launch'))
    .description('launch a session')
    .argument('<objective>', 'what to do, in your words')
    .option('--engine <engine>', 'engine to use (default: the first that is ready)');
  withDirectory(
    launch,
    'repository to work on (default: the current directory; the rehearsal makes a scratch one)',
  )
    .option('--in-place', 'work in the directory itself, not in a checkout of its own')
    .option('--base <ref>', 'branch or commit to start from')
    .option('--uncommitted', 'start with the uncommitted changes of the directory')
    .option(
      '--conversation <id>',
      'carry on a conversation that was begun by hand here, by the engine’s own id; implies --in-place',
    )
    .option(
      '--from <session>',
      'go on with the work of that session, wherever it ran: the engine is told its record',
    )
    .option('--runner <runner>', 'machine to run on: its id or name (default: this one)')
    .addHelpText('after', EXAMPLES);
  withTerms(launch).action(runLaunch);
}

async function runLaunch(objective: string, options: LaunchOptions): Promise<void> {
  const connection = connect(options, process.env);
  const runner = chooseRunner(
    await connection.api.listRunners(),
    options.runner,
    connection.localRunnerId,
  );
  const earlier = await readEarlier(connection.api, options.from);
  const pilot = await pilotOf(options, () => connection.api.listBrainKeys());
  const request = { ...requestOf(objective, options, runner, earlier), pilot };
  const along = earlier ? aboutEarlier(earlier, runner) : null;
  await carryOut(connection, { request, runner, along }, options);
}

type Asked = { request: LaunchRequest; runner: RunnerSummary; along: string | null };

/** Launches what was asked for, and says what began. `along` is what it has of another session. */
export async function carryOut(
  connection: Connection,
  { request, runner, along }: Asked,
  options: Pick<LaunchOptions, 'json' | 'wait' | 'image'>,
): Promise<void> {
  const grade = foretell(request, runner);
  const notices = [
    ...(await readNotices(connection.api, request, runner)),
    ...(await noticeBlind(connection.api, request, runner, grade?.grade ?? null)),
  ];
  // Before the launch is made, so that it is read where the session is stopped at once.
  if (!options.json) for (const notice of notices) note(`${ownSentence(notice)}\n`);
  requireImages(options.image, runner);
  const shown = await holdImages(connection.api, options.image);
  const launched = await connection.api.launch({ ...request, ...shown });
  if (options.wait) {
    await awaitTurn(connection, launched, options.json ?? false);
    return;
  }
  // A machine that is away is not waited for: what it says comes when it is back.
  const begun = runner.presence === 'online' && (await awaitLaunch(connection, launched.sessionId));
  const value = { ...launched, begun, grade, notices, url: pageOf(connection, launched.sessionId) };
  print(options.json, value, () =>
    [
      `Launched ${launched.sessionId} on ${runner.name}.`,
      ...(grade ? [`  ${sayGrade(grade)}`] : []),
      ...(along === null ? [] : [along]),
      ...(runner.presence === 'online'
        ? []
        : ['The machine is not online; the session starts when it is.']),
      ...(runner.presence === 'online' && !begun
        ? ['The machine has not begun it yet; its page says when it does, or why not.']
        : []),
      `  ${pageOf(connection, launched.sessionId)}`,
      `  pilothouse watch ${launched.sessionId}`,
    ].join('\n'),
  );
}

/**
 * How much power the session will hold and why, as far as its machine says; null when it will be
 * refused, and what it will reach. Throws `grade_unavailable` where its engine would not begin with it,
 * and `open_not_accepted` for a Pilot that nobody gave all of their power.
 */
function foretell(request: LaunchRequest, { machine }: RunnerSummary): GradeReport | null {
  const { grade = null, checkout = 'own', engineId } = request;
  const engine = machine?.engines.find((each) => each.engineId === engineId);
  const unattended = request.pilot?.mode === 'pilot';
  const decision = forecastGrade({ grade, checkout, unattended }, machine, engine);
  if (!decision.ok && decision.code === 'open_not_accepted')
    throw new Failure(EXIT.refused, decision.code, ERRORS[decision.code].sentence);
  const obstacle =
    engine && decision.ok
      ? modeObstacle(engine, request.approvals ?? 'ask', decision.report.grade)
      : null;
  if (obstacle) throw new Failure(EXIT.refused, 'grade_unavailable', obstacle);
  if (!machine || !decision.ok) return null;
  const { report } = decision;
  const reach = forecastNetwork(request.network ?? null, report.grade, machine);
  return reach.ok && reach.network !== 'open' ? { ...report, network: reach.network } : report;
}

function pageOf(connection: Connection, sessionId: string): string {
  return new URL(`/sessions/${sessionId}`, connection.url).href;
}

/** The machine asked for, else the local one, else the only one there is. */
export function chooseRunner(
  runners: readonly RunnerSummary[],
  asked: string | undefined,
  localRunnerId: string | null,
): RunnerSummary {
  const wanted = asked ?? localRunnerId;
  const found =
    wanted === null
      ? []
      : runners.filter((runner) => runner.runnerId === wanted || runner.name === wanted);
  const chosen = found[0] ?? (asked === undefined && runners.length === 1 ? runners[0] : undefined);
  if (chosen && found.length < 2) return chosen;
  const known = runners.map((runner) => `${runner.name} (${runner.runnerId})`).join(', ') || 'none';
  throw new Failure(
    EXIT.refused,
    'runner_not_found',
    asked === undefined
      ? `Say on which machine with --runner. Machines: ${known}.`
      : `There is no one machine called ${asked}. Machines: ${known}.`,
  );
}

function requestOf(
  objective: string,
  options: LaunchOptions,
  runner: RunnerSummary,
  earlier: SessionDetail | null,
): LaunchRequest {
  const engineId = options.engine ?? chooseEngine(runner, earlier?.summary.engineId);
  requirePrice(engineId, options, runner);
  return {
    runnerId: runner.runnerId,
    engineId,
    // The rehearsal makes a repository for itself unless one is named.
    directory:
      options.directory === undefined && engineId === REHEARSAL_ENGINE_ID
        ? null
        : // A shell leaves the `~` of `--directory=~/site` as it is.
          resolve(expandHome(options.directory ?? '.', homedir())),
    objective,
    checkout: options.inPlace || options.conversation !== undefined ? 'inPlace' : 'own',
    baseRef: options.base ?? null,
    fromUncommitted: options.uncommitted ?? false,
    approvals: options.approvals ?? 'ask',
    model: options.model ?? null,
    conversation: options.conversation ?? null,
    ...(earlier && { from: earlier.summary.sessionId }),
    budgetMicroUsd: options.budget ?? null,
    limits: limitsOf({ ...options, timeMs: options.minutes }),
    grade: options.grade ?? null,
    ...(options.network && { network: options.network }),
    noOutputMs: options.silence ?? defaultSilenceMs(runner.machine?.limits),
    answerMs: options.answerWithin ?? defaultAnswerMs(runner.machine?.limits),
  };
}

/** Before images are brought that nobody takes. Throws `images_unsupported`. */
function requireImages(paths: readonly string[] = [], { machine }: RunnerSummary): void {
  if (paths.length > IMAGES_MAX)
    throw new Failure(
      EXIT.usage,
      'usage',
      `An instruction comes with ${IMAGES_MAX} images at most. Send the others with the next one.`,
    );
  if (paths.length > 0 && machine?.images !== true) throw new PilothouseError('images_unsupported');
}

/** Says before the launch what the machine would say after it. Throws `budget_unpriced`. */
function requirePrice(engineId: string, options: LaunchOptions, runner: RunnerSummary): void {
  const engine = runner.machine?.engines.find((each) => each.engineId === engineId);
  if (options.budget === undefined || !engine) return;
  const problem = budgetObstacle(engine, options.approvals ?? 'ask', options.model ?? null);
  if (problem) throw new Failure(EXIT.refused, 'budget_unpriced', problem);
}

/** `wanted` if it is ready; else the first that is and is not the rehearsal, which nobody wants by accident. */
export function chooseEngine(runner: RunnerSummary, wanted?: string): string {
  const ready = (runner.machine?.engines ?? []).filter(
    ({ ready: isReady, engineId }) =>
      isReady && (engineId !== REHEARSAL_ENGINE_ID || engineId === wanted),
  );
  const chosen = ready.find(({ engineId }) => engineId === wanted) ?? ready[0];
  if (chosen) return chosen.engineId;
  throw new Failure(
    EXIT.refused,
    'engine_missing',
    `No engine is ready on ${runner.name}. \`pilothouse runner doctor\` says what each needs; --engine rehearsal works without any.`,
  );
}
