import { capForecast } from '../../protocol/engine-authority.ts';
import type { Grade } from '../../protocol/grade.ts';
import type { ApprovalsMode } from '../../protocol/launch.ts';
import { sayAmount } from '../../protocol/shared-budget.ts';
import type { LaunchRequest } from '../../protocol/http.ts';
import type { Network } from '../../protocol/network.ts';
import type { EngineReadiness } from '../../protocol/machine.ts';
import { plural } from '../format/count.ts';
import { OWN_FORM } from '../format/locale.ts';
import { formatMoney } from '../format/money.ts';
import type { OwnAsking } from './draft.ts';

/** The approvals modes as a person would put them. */
type ModeWords = { label: string; meaning: string; clause: string };

const MODE_WORDS: Record<ApprovalsMode, ModeWords> = {
  ask: {
    label: 'Ask me first',
    meaning: 'It reads freely and asks before it edits a file or runs a command.',
    clause: 'asks before edits and commands',
  },
  accept_edits: {
    label: 'Edit freely, ask for commands',
    meaning: 'It edits files in its checkout unasked and asks before it runs a command.',
    clause: 'edits files freely and asks before commands',
  },
  plan: {
    label: 'Plan only',
    meaning: 'It reads and proposes. Nothing changes until you accept its plan.',
    clause: 'only plans until you accept',
  },
  bypass: {
    label: 'Never ask',
    meaning: 'It edits and runs everything unasked, with all your rights on that machine.',
    clause: 'does everything unasked',
  },
};

/** Where no mode says it. */
const WORDS_OF_OWN: Record<OwnAsking, string> = {
  never: 'asks nobody, as it was approved there',
  itself: 'asks by rules of its own, as it was approved there',
};

/** The same modes where the engine has nobody to ask: what they do not allow fails. */
const UNASKING: Partial<Record<ApprovalsMode, ModeWords>> = {
  accept_edits: {
    label: 'Edit files',
    meaning:
      'It edits files in its checkout. It cannot ask you for more: what the engine’s own sandbox forbids fails.',
    clause: 'edits files and cannot ask for more',
  },
  plan: {
    label: 'Read only',
    meaning: 'It reads and answers. It changes nothing, and cannot ask you to.',
    clause: 'only reads and answers',
  },
};

/** The modes in which an engine asks a person. Older runners do not say: all, if it can at all. */
export const asksOf = ({ approvals, asks }: EngineReadiness): readonly ApprovalsMode[] =>
  asks ?? (approvals.includes('ask') ? approvals : []);

/** The modes in which an engine cannot tell what it costs, as a sentence behind what they mean. */
export const costOf = (engine: EngineReadiness, mode: ApprovalsMode): string =>
  engine.unmetered?.includes(mode)
    ? ` It does not tell what it costs in this mode${engine.gated ? '; the model gate counts its calls' : ''}.${capForecast(engine, mode)}`
    : '';

/** What a mode means for an engine that asks in the modes `asks`. */
export function wordsOfMode(mode: ApprovalsMode, asks: readonly ApprovalsMode[]): ModeWords {
  return (asks.includes(mode) ? undefined : UNASKING[mode]) ?? MODE_WORDS[mode];
}

type GradeWords = { label: string; meaning: string; clause: string };

const GRADE_WORDS: Record<Grade, GradeWords> = {
  sealed: {
    label: 'Sealed',
    meaning: 'It sees its checkout and the tools, and nothing else of yours: no keys, no logins.',
    clause: 'sealed',
  },
  fenced: {
    label: 'Fenced',
    meaning:
      'It is given no logins and no keys, and its only remote is the gate. It could still look around.',
    clause: 'fenced',
  },
  open: {
    label: 'Open',
    meaning: 'It can do on that machine what you can. What it does is watched.',
    clause: 'open',
  },
};

/** What a grade means, as a person would put it. */
export const wordsOfGrade = (grade: Grade): GradeWords => GRADE_WORDS[grade];

const NETWORK_WORDS: Record<Network, GradeWords> = {
  'model-only': {
    label: 'Its model alone',
    meaning:
      'It reaches its model, the gate of its repository, and hosts that limits.toml there names: nothing else on the network or on that machine.',
    clause: 'kept to its model',
  },
  open: {
    label: 'Everything',
    meaning: 'It reaches what that machine reaches.',
    clause: 'on the network of that machine',
  },
};

/** What a session reaches, as a person would put it. */
export const wordsOfNetwork = (network: Network): GradeWords => NETWORK_WORDS[network];

/** The launch in one sentence, read before it is made. */
export function summariseLaunch(
  request: LaunchRequest,
  names: {
    engine: string;
    machine: string;
    asks: readonly ApprovalsMode[];
    ownAsking?: OwnAsking | null;
  },
): string {
  const place =
    request.directory === null
      ? 'a scratch repository'
      : request.checkout === 'inPlace'
        ? `${request.directory} itself`
        : `a checkout of its own of ${request.directory}`;
  const from = request.baseRef ? `, from ${request.baseRef}` : '';
  const dirty = request.fromUncommitted ? ', with your uncommitted changes' : '';
  const stop = sayStops(request);
  const unasked = names.ownAsking
    ? WORDS_OF_OWN[names.ownAsking]
    : wordsOfMode(request.approvals ?? 'ask', names.asks).clause;
  const pilot = request.pilot ? ` ${summarisePilot(request.pilot)}` : '';
  const grade = request.grade ? `, ${wordsOfGrade(request.grade).clause}` : '';
  const reach = request.network ? `, ${wordsOfNetwork(request.network).clause}` : '';
  const model = request.model ? ` with ${request.model}` : '';
  return `${names.engine}${model} on ${names.machine}, in ${place}${from}${dirty}${grade}${reach}; ${unasked}; ${stop}.${pilot}`;
}

/** When a session stops by itself, in words: “stops at $5.00, or 20 turns”. */
export function sayStops({
  budgetMicroUsd,
  limits,
}: Pick<LaunchRequest, 'budgetMicroUsd' | 'limits'>): string {
  const { tokens, turns, timeMs } = limits ?? {};
  const at = [
    budgetMicroUsd ? formatMoney(budgetMicroUsd) : null,
    tokens ? sayAmount('tokens', tokens, OWN_FORM) : null,
    turns ? sayAmount('turns', turns, OWN_FORM) : null,
    timeMs ? `${sayAmount('time', timeMs, OWN_FORM)} of work` : null,
  ].filter((part) => part !== null);
  const stops = at.length === 0 ? '' : `stops at ${at.join(', or ')}`;
  if (budgetMicroUsd) return stops;
  return stops === '' ? 'no spending limit' : `${stops}; no spending limit`;
}

/** Who goes on after the first turn, and until when, as a sentence. */
export function summarisePilot({
  mode,
  brain,
  beginsAnew,
}: NonNullable<LaunchRequest['pilot']>): string {
  const who = mode === 'pilot' ? 'A Pilot goes on by itself' : 'A co-pilot proposes each next step';
  const by = brain.kind === 'checklist' ? '' : `, as ${brain.model ?? 'its engine'} decides,`;
  return `${who}${by} until ${plural(brain.steps.length, 'check')} ${brain.steps.length === 1 ? 'passes' : 'pass'}${beginsAnew ? '; a conversation that has grown long is begun anew' : ''}.`;
}
