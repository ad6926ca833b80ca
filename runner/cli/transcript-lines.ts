import type { ActSeen } from '../../protocol/act.ts';
import type { ApprovalRequest } from '../../protocol/approval.ts';
import type { EventOf, FeedEvent } from '../../protocol/engine-event.ts';
import type { ActEnd } from '../../protocol/gated-act.ts';
import { tokensOf } from '../../protocol/text.ts';
import { describeBreach } from '../../protocol/breach.ts';
import { describeTightened } from '../../protocol/policy-words.ts';
import { witnessLines } from '../../protocol/witness.ts';
import { describeRequest } from './approval-input.ts';
import { formatClock, formatDuration, oneLine, ownSentence, plainText } from './format.ts';
import type { Paint } from './output.ts';

/** Width of the one line that a tool call is folded into. */
const LINE_CHARS = 100;

/** How many of an ended engine's last words are shown; all that is known of them is in its pack. */
const EXIT_TAIL_LINES = 5;

/** What a process answers that was told to end: 128 and the number of HUP, INT, KILL or TERM. */
const TOLD_TO_END: ReadonlySet<number> = new Set([129, 130, 137, 143]);

/** Every line of a text two spaces further in. */
export function indent(text: string): string {
  return text.replaceAll(/^/gm, '  ');
}

/** A tool call as it begins: its name and its one line. */
export function toolStart(
  event: Pick<EventOf<'tool/started'>, 'name' | 'summary' | 'parentToolId'>,
  paint: Paint,
): string {
  const line = `▸ ${paint('bold', plainText(event.name))} ${oneLine(event.summary, LINE_CHARS)}`;
  return event.parentToolId === null ? line : `  ${line}`;
}

/** A tool call as it ends. `name` is given when something else was written since it began. */
export function toolEnd(
  event: EventOf<'tool/ended'>,
  tool: { name: string; summary: string } | null,
  paint: Paint,
): string {
  const files = event.files.map(
    (file) => `${plainText(file.path)} +${file.additions} −${file.deletions}`,
  );
  const parts = [
    tool ? `${plainText(tool.name)} ${oneLine(tool.summary, 40)}` : null,
    event.exitCode === null ? event.outcome : `exit ${event.exitCode}`,
    formatDuration(event.durationMs),
    ...files,
  ];
  const line = `  └ ${parts.filter((part) => part !== null).join(' · ')}`;
  return paint(event.outcome === 'ok' ? 'dim' : 'yellow', line);
}

/**
 * An act: its kind, what it acts on, and the one command, which nothing may make longer than a line.
 */
export function actLine(act: ActSeen, paint: Paint): string {
  const target = act.target === null ? '' : ` ${plainText(act.target)}`;
  const doubt = act.uncertain ? ' (not certain)' : '';
  return `⚑ ${paint('bold', act.kind.replaceAll('_', ' ') + target)}${doubt}  ${paint('dim', oneLine(act.command, LINE_CHARS))}`;
}

/** What became of an act that was not done whole, or may not have been. */
export function actOutcome({ outcome, reason }: ActEnd): string {
  const word = outcome?.replace('_', ' ') ?? 'under way';
  return reason ? `${word}: ${oneLine(plainText(reason), LINE_CHARS)}` : word;
}

/** What another witness adds to an act's line; null when it only confirms it. */
export function witnessRemark({ finding }: EventOf<'act/witnessed'>, paint: Paint): string | null {
  switch (finding) {
    case 'confirmed':
    case 'judged':
      return null;
    case 'only':
      return paint('dim', '  seen in the refs');
    case 'unclaimed':
      return paint('yellow', '  seen in the refs, not in the stream');
    case 'unmoved':
      return paint('yellow', '  no ref moved');
    default:
      return finding satisfies never;
  }
}

/** What waits for a person, and the two commands that answer it. */
export function approvalLines(request: ApprovalRequest, sessionId: string, paint: Paint): string {
  const target = `${sessionId} ${request.requestId}`;
  const acts = request.acts.length > 0 ? ` (${request.acts.join(', ').replaceAll('_', ' ')})` : '';
  const until = request.expiresAt === null ? '' : ` until ${formatClock(request.expiresAt)}`;
  const questions = request.questions.flatMap((question) => [
    `  ${plainText(question.question)}`,
    ...question.options.map((option) => `    - ${plainText(option.label)}`),
  ]);
  const whole = describeRequest(request, oneLine(request.summary, LINE_CHARS), paint);
  const answers =
    request.kind === 'question'
      ? [`  pilothouse sessions approve ${target} --answer "…"`]
      : [
          `  pilothouse sessions approve ${target}`,
          `  pilothouse sessions deny ${target} --message "why not"`,
        ];
  return [
    paint(
      'yellow',
      `? ${plainText(request.toolName)} waits for you${acts}${until}: ${oneLine(request.summary, LINE_CHARS)}`,
    ),
    ...(whole === null ? [] : [indent(whole)]),
    ...questions,
    ...answers.map((line) => paint('dim', line)),
  ].join('\n');
}

/** The line under a turn: how it ended, how long it took, what it cost, what it did. */
export function turnFooter(
  event: EventOf<'turn/ended'>,
  turn: { number: number | null; spend: string; acts: number },
): string {
  const spend = event.usage === 'unobservable' ? 'cost cannot be observed' : turn.spend;
  const acts =
    event.acts === 'unobservable'
      ? 'acts are witnessed only'
      : `${turn.acts} ${turn.acts === 1 ? 'act' : 'acts'}`;
  const why = event.error ? `: ${ownSentence(event.error.message)}` : '';
  const number = turn.number === null ? '' : ` ${turn.number}`;
  return `── turn${number} ${event.outcome}${why} · ${formatDuration(event.durationMs)} · ${spend} · ${acts}`;
}

/** Why a launch failed, with the last words of the engine. */
export function launchFailure(event: EventOf<'launch/failed'>, paint: Paint): string {
  const tail =
    event.stderrTail.length > 0 ? `\n${indent(plainText(event.stderrTail.join('\n')))}` : '';
  return paint(
    'red',
    `The launch failed (${event.error.code}): ${ownSentence(event.error.message)}${tail}`,
  );
}

/** An instruction that did not arrive, or may not have; null for one that did. */
export function undelivered(
  event: EventOf<'turn/delivered'>,
  toldFailure: string | null,
  paint: Paint,
): string | null {
  if (event.delivery !== 'unknown' && event.delivery !== 'undelivered') return null;
  const what =
    event.delivery === 'unknown'
      ? 'Whether the instruction reached the engine is unknown'
      : 'The instruction was not delivered';
  const why = event.reason && event.reason !== toldFailure ? `: ${plainText(event.reason)}` : '.';
  return paint('yellow', what + why);
}

/** What an engine that remembers nothing was told of earlier turns, and about what that costs. */
export function briefedLine({ turns, chars }: EventOf<'turn/briefed'>, paint: Paint): string {
  const earlier = turns === 1 ? 'an earlier turn' : `${turns} earlier turns`;
  return paint(
    'dim',
    `Briefed, not resumed: told of ${earlier} in about ${tokensOf(chars)} tokens`,
  );
}

/** Where the work happens. */
export function checkoutLine(event: EventOf<'checkout/prepared'>, paint: Paint): string {
  if (event.mode === 'inPlace') {
    return paint('dim', `Works in ${plainText(event.directory)} itself`);
  }
  const branch = plainText(event.branch ?? 'a branch of its own');
  const changes = event.fromUncommitted ? ' with its uncommitted changes' : '';
  const closed = event.grade?.network === 'model-only' ? ', kept to its model' : '';
  const grade = event.grade ? `, ${event.grade.grade}${closed}` : '';
  const base = event.baseCommit?.slice(0, 9) ?? 'nothing';
  return paint(
    'dim',
    `Works on ${branch}, in a checkout of its own, from ${base}${changes}${grade}`,
  );
}

/** That the engine can work, with the version and the model that it named itself. */
export function readyLine(event: EventOf<'engine/ready'>, paint: Paint): string {
  const facts = [event.engineVersion, event.model].filter((fact) => fact !== null);
  return paint('dim', ['Engine ready', ...facts].join(' · '));
}

const ASKED = {
  interrupt: 'interrupt was asked for',
  stop: 'stop was asked for',
  retry: 'retry was asked for',
  restart: 'a restart of the engine was asked for',
  compact: 'the next instruction begins the conversation anew, told what was done so far',
  dismiss: 'the failure was dismissed',
  restore: 'the dismissal was taken back',
} as const;

/**
 * How the engine's process ended, with its last words, where that was not to be expected or is a
 * failure of its own; null where it ended well or by a signal of ours, which its turn tells of.
 */
function exitLines(event: EventOf<'engine/exited'>, paint: Paint): string | null {
  const { expected, exitCode, signal, stderrTail } = event;
  if (expected && (!exitCode || TOLD_TO_END.has(exitCode))) return null;
  const how = signal ?? `exit ${exitCode ?? 'unknown'}`;
  const line = paint(
    expected ? 'dim' : 'yellow',
    expected ? `The engine’s process ended with ${how}` : `The engine ended by itself (${how})`,
  );
  const tail = stderrTail.slice(-EXIT_TAIL_LINES).map((each) => indent(plainText(each)));
  return [line, ...tail.map((each) => paint('dim', each))].join('\n');
}

/** Lines of what happens to the session as a whole; null for what is not shown. */
export function sessionLines(event: FeedEvent, paint: Paint): string | null {
  switch (event.type) {
    case 'checkout/broughtBack':
      return paint(
        'dim',
        `Brought back ${plainText(event.branch)}: ${event.commits} commits, ${event.uncommittedFiles} files not committed`,
      );
    case 'turn/witnessed': {
      const lines = witnessLines(event).map(plainText);
      return lines.length > 0 ? paint('dim', lines.join('\n')) : null;
    }
    case 'setup/ran':
      return paint(
        event.exitCode === 0 ? 'dim' : 'yellow',
        `Set-up ${oneLine(event.command, 60)}: exit ${event.exitCode ?? 'unknown'}, ${formatDuration(event.durationMs)}`,
      );
    case 'approval/resolved':
      return event.resolution === 'expired'
        ? paint('yellow', '  expired unanswered: nothing was run')
        : paint('dim', `  ${event.resolution}`);
    case 'action/requested':
      return paint(
        'dim',
        [ASKED[event.action], describeTightened(event.policy)].filter(Boolean).join('. '),
      );
    case 'session/forked':
      return paint('dim', `forked after turn ${event.number}, into ${event.sessionId}`);
    case 'engine/exited':
      return exitLines(event, paint);
    case 'engine/parked':
      if (event.reason === 'compacted') return null;
      return paint(
        'dim',
        event.reason === 'restarted'
          ? 'The engine’s process ended; the conversation goes on in a new one'
          : 'The engine is parked; the next instruction resumes it',
      );
    case 'engine/blocked':
      return [paint('yellow', ownSentence(event.message)), indent(plainText(event.excerpt))].join(
        '\n',
      );
    case 'engine/unblocked':
      return paint('dim', 'The engine no longer waits for it');
    case 'session/halted':
      return paint('red', ownSentence(event.message));
    case 'session/resumed':
      return paint('dim', 'A person has answered for it; it takes instructions again');
    case 'breach/found': {
      const { breach } = event;
      const steps = breach.undo.commands.map((each) => `  ${plainText(each)}`);
      const what = `Forbidden, and done: ${plainText(describeBreach(breach))}`;
      return [paint('red', what), plainText(breach.rule), ...steps].join('\n');
    }
    case 'breach/overridden':
      return paint('dim', `Answered for: ${plainText(event.reason)}`);
    case 'session/ended':
      return paint('bold', `The session ended: ${event.end}. ${plainText(event.reason)}`.trimEnd());
    case 'command/failed':
      // A launch that was refused says so itself.
      if (event.method === 'session/start') return null;
      return paint('red', ownSentence(event.message));
    case 'notice/raised':
      return paint(event.level === 'info' ? 'dim' : 'yellow', ownSentence(event.message));
    case 'rateLimit/reported':
      return event.status === 'allowed'
        ? null
        : paint('yellow', `Rate limit: ${plainText(event.status)}`);
    default:
      return null;
  }
}
