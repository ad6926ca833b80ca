import type { Command } from 'commander';
import { openBreaches } from '../../../protocol/breach.ts';
import { describeSnapshot } from '../../../protocol/policy-words.ts';
import {
  describeBegunAnew,
  describeReread,
  forecastReread,
} from '../../../protocol/reread-forecast.ts';
import type { SessionDetail } from '../../../protocol/http.ts';
import { can } from '../../../protocol/session.ts';
import type { SessionView } from '../../../protocol/session-view.ts';
import { silenceOf, silentUntil } from '../../../protocol/silence.ts';
import { breachLines } from '../breaches/words.ts';
import { connect, type ConnectionOptions } from '../connect.ts';
import { formatDuration, formatSpend, oneLine, ownSentence, plainText } from '../format.ts';
import { sayGuard } from '../../../protocol/grade.ts';
import { nameOfTurn } from '../../../protocol/turn-name.ts';
import { sayGrade } from '../grade-words.ts';
import { withConnection } from '../options.ts';
import { paintFor, print, type Paint } from '../output.ts';
import { approvalLines, indent } from '../transcript-lines.ts';
import { findSession } from './find.ts';

/** `pilothouse sessions show`: one session, its turns and what waits for a person. */
export function addShow(sessions: Command): void {
  withConnection(sessions.command('show'))
    .description('show a session: state, turns, spend, what waits for you')
    .argument('<session>', 'id of a session, or a part of it')
    .addHelpText('after', '\nExample:\n  pilothouse sessions show ses_01k…')
    .action(async (text: string, options: ConnectionOptions) => {
      const { api } = connect(options, process.env);
      const { sessionId } = await findSession(api, text);
      const detail = await api.readSession(sessionId);
      print(options.json, detail, () =>
        describeSession(detail, paintFor(process.stdout), Date.now()),
      );
    });
}

const LAUNCH_FAILED: ReadonlySet<SessionView['state']> = new Set([
  'failed_to_start',
  'bootstrap_stalled',
  'provider_failed',
]);

/** How a long conversation is made short, in the state that it is in. */
const wayToShort = ({ sessionId, state }: SessionView): string =>
  can('compact', state).allowed
    ? `Begin it anew with: pilothouse sessions compact ${sessionId}`
    : `Go on in a new session with: pilothouse launch --from ${sessionId}`;

/** For how long an engine at work has said nothing, and when that would end it; null while it is not. */
function saySilence(view: SessionView, now: number): string | null {
  const facts = silenceOf(view);
  if (silentUntil(facts) === null) return null;
  const silentMs = Math.max(0, now - facts.heardAt);
  return `for ${formatDuration(silentMs)}; after ${formatDuration(facts.noOutputMs)} its turn is ended`;
}

/** How far a launch that failed had come, its engine's last words, and the two ways on from there. */
function failureLines({ failure, sessionId, state }: SessionView, paint: Paint): string[] {
  if (failure === null || !LAUNCH_FAILED.has(state)) return [];
  const { error, stage, elapsedMs, stderrTail } = failure;
  return [
    paint('red', `Failed in stage ${stage} after ${formatDuration(elapsedMs)} (${error.code})`),
    ...stderrTail.map((line) => indent(plainText(line))),
    `Try again: pilothouse sessions retry ${sessionId}`,
    // Before there was a process there is no command to run.
    ...(stage === 'queued'
      ? []
      : [`Open in my terminal: pilothouse sessions by-hand ${sessionId}`]),
  ];
}

function describeSession({ summary, view }: SessionDetail, paint: Paint, now: number): string {
  const checkout = view.checkout;
  const guard = checkout?.grade ? sayGuard(checkout.grade) : null;
  const ahead = forecastReread(view);
  const silence = saySilence(view, now);
  const facts = [
    ['State', view.reason ? `${view.state}: ${plainText(view.reason)}` : view.state],
    [
      'Engine',
      [summary.engineId, view.engine?.version, view.engine?.model].filter(Boolean).join(' · '),
    ],
    ['Machine', `${summary.runnerName} (${summary.runnerId})`],
    [
      'Works in',
      checkout
        ? `${checkout.directory}${checkout.branch ? ` on ${checkout.branch}` : ''}`
        : (summary.directory ?? ''),
    ],
    ...(silence === null ? [] : [['Silent', silence]]),
    ...(checkout?.grade ? [['Grade', sayGrade(checkout.grade)]] : []),
    ...(guard === null ? [] : [['Guard', guard]]),
    ['Policy', describeSnapshot(view.launch.policy).join(' ')],
    ['Spend', formatSpend(view.spend)],
    ...(view.brainSpend ? [['of it', `${formatSpend(view.brainSpend)} by the Pilot’s brain`]] : []),
    ...(ahead
      ? [['Ahead', `${describeReread(ahead)} ${describeBegunAnew()} ${wayToShort(view)}`]]
      : []),
    ['Acts', String(view.acts)],
  ];
  const turns = view.turns.map((turn, index) => {
    const took =
      turn.startedAt !== null && turn.endedAt !== null
        ? ` · ${formatDuration(turn.endedAt - turn.startedAt)}`
        : '';
    const state =
      turn.outcome ?? (turn.state === 'accepted' ? (turn.delivery ?? 'accepted') : turn.state);
    const line = `  ${index + 1}. ${state}${took} · ${formatSpend(turn.spend)}  ${oneLine(nameOfTurn(turn), 60)}`;
    return turn.error ? `${line}\n     ${ownSentence(turn.error.message)}` : line;
  });
  return [
    `${paint('bold', plainText(summary.title))}  ${summary.sessionId}`,
    ...facts.map(([name, value]) => `  ${(name ?? '').padEnd(9)} ${value ?? ''}`),
    ...(turns.length > 0 ? ['Turns', ...turns] : []),
    ...failureLines(view, paint),
    ...openBreaches(view.breaches ?? []).flatMap((each) => [
      paint('red', 'Forbidden by its policy'),
      ...breachLines(summary.sessionId, each, paint),
    ]),
    ...(view.blocked
      ? [
          paint('yellow', `Blocked: ${plainText(view.blocked.message)}`),
          ...(view.blocked.excerpt === '' ? [] : [indent(plainText(view.blocked.excerpt))]),
          `Open in my terminal: pilothouse sessions by-hand ${summary.sessionId}`,
        ]
      : []),
    ...view.pendingApprovals.map((request) => approvalLines(request, summary.sessionId, paint)),
  ].join('\n');
}
