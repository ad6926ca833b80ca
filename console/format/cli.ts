import { printPresetFile } from '../../protocol/engines.ts';
import type { GateSaid } from '../../protocol/gate.ts';
import type { Landing } from '../../protocol/land.ts';
import { ANSWER_MS, NO_OUTPUT_MS, type SessionLimits } from '../../protocol/launch.ts';
import type { BrainSpec, PilotMode } from '../../protocol/pilot.ts';
import type { PolicyLayer } from '../../protocol/merge-policy.ts';
import type { EnginePreset } from '../../protocol/preset.ts';
import type { forkTerms } from '../../protocol/fork.ts';
import { shellWord } from '../../protocol/shell-word.ts';
import type { BudgetKey } from '../../protocol/shared-budget.ts';
import type { RequestedAction } from '../../protocol/session.ts';
import type { LaunchRequest } from '../../protocol/http.ts';
import type { MakeMcpKeyRequest } from '../../protocol/mcp.ts';
import { commandHere } from '../lib/command-name.ts';

/** The options of what decides for a Pilot; the checks alone need none. */
const brainOptions = ({ brain, keyId, model }: Brain): string[] => [
  ...(brain === 'api' ? ['--brain', 'api', '--brain-key', keyId || 'KEY'] : []),
  ...(brain === 'engine' ? ['--brain', 'engine'] : []),
  ...(brain !== 'checklist' && model ? ['--brain-model', model] : []),
];
type Brain = { brain: BrainSpec['kind']; keyId: string; model: string };

/** The options of a Pilot, and its checklist, which comes in through a pipe. */
function pilotOptions({
  mode,
  brain,
  bounds = {},
  beginsAnew,
}: NonNullable<LaunchRequest['pilot']>) {
  const steps = brain.steps.map(({ title, check, timeoutMs }) => ({
    title,
    check,
    ...(timeoutMs !== undefined && { seconds: timeoutMs / 1_000 }),
  }));
  const { maxTurns, maxWallMs } = bounds;
  return {
    checklist: JSON.stringify({ steps }),
    options: [
      '--mode',
      mode === 'pilot' ? 'pilot' : 'co-pilot',
      '--checklist',
      '-',
      ...brainOptions({
        brain: brain.kind,
        keyId: brain.kind === 'api' ? brain.keyId : '',
        model: brain.kind === 'checklist' ? '' : (brain.model ?? ''),
      }),
      ...(maxTurns === undefined ? [] : ['--max-turns', String(maxTurns)]),
      ...(maxWallMs === undefined ? [] : ['--max-hours', String(maxWallMs / 3_600_000)]),
      ...(beginsAnew ? ['--begin-anew'] : []),
    ],
  };
}

const inDirectory = (directory: string | null): string[] =>
  directory === null ? [] : ['--directory', directory];

/** A budget as its form has it: of a directory or of the account. */
type TypedBudget = Pick<BudgetKey, 'unit' | 'renews'> & {
  place: { directory: string } | null;
  /** What was read of what was typed, in micro-USD, tokens, turns or ms; null where it is none. */
  limit: number | null;
};

/** What one of a unit is, as the command line takes it. */
const AMOUNTS = { dollars: 1_000_000, tokens: 1, turns: 1, time: 60_000 } as const;

const amountOf = (unit: BudgetKey['unit'], amount: number): string =>
  String(amount / AMOUNTS[unit]);

/** When a session stops, as it was read of what was typed. */
type ReadTerms = { budgetMicroUsd: number | null; limits: SessionLimits | null };

const limitOptions = (limits: LaunchRequest['limits']): string[] => [
  ...(limits?.tokens ? ['--tokens', amountOf('tokens', limits.tokens)] : []),
  ...(limits?.turns ? ['--turns', amountOf('turns', limits.turns)] : []),
  ...(limits?.timeMs ? ['--minutes', amountOf('time', limits.timeMs)] : []),
];

type ForkTerms = ReturnType<typeof forkTerms>;

/** What a fork has not of the terms of its session, which it has where nothing is said. */
function clearedOptions(request: LaunchRequest, terms: ForkTerms | null): string[] {
  const had = (term: unknown) => terms !== null && term !== null && term !== undefined;
  const cleared = [
    [request.budgetMicroUsd, terms?.budgetMicroUsd, '--budget', 'none'],
    [request.limits?.tokens, terms?.limits?.tokens, '--tokens', 'none'],
    [request.limits?.turns, terms?.limits?.turns, '--turns', 'none'],
    [request.limits?.timeMs, terms?.limits?.timeMs, '--minutes', 'none'],
    [request.model, request.engineId === terms?.engineId ? terms.model : null, '--model', 'none'],
    [request.grade, terms?.grade, '--grade', 'default'],
    [request.network, terms?.network, '--network', 'default'],
  ] as const;
  return cleared.flatMap(([asked, before, option, word]) =>
    !asked && had(before) ? [option, word] : [],
  );
}

/** A command that reads `text` as its standard input. */
const fed = (text: string, command: string): string => `printf %s ${shellWord(text)} | ${command}`;

/** A command as a shell reads it back: the program as it is run here, and each word as one word. */
const line = (...words: readonly string[]): string =>
  [commandHere(), ...words.map(shellWord)].join(' ');

/** What a person wrote, last in its command: a dash at its beginning makes no option of it. */
const last = (text: string): string[] => (text.startsWith('-') ? ['--', text] : [text]);

/** The command that does what a button does. */
export const cliTwin = {
  say: (sessionId: string, text: string) =>
    line('sessions', 'say', sessionId, ...last(text || '…')),
  act: (sessionId: string, action: RequestedAction) => line('sessions', action, sessionId),
  answer: (sessionId: string, requestId: string, decision: 'allow' | 'deny') =>
    line('sessions', decision === 'allow' ? 'approve' : 'deny', sessionId, requestId),
  override: (doerId: string, actId: string, reason: string) =>
    line('breaches', 'override', doerId, actId, '--reason', reason || '…'),
  changeObjective: (sessionId: string, objective: string) =>
    line('pilot', 'objective', sessionId, ...last(objective)),
  watch: (sessionId: string) => line('watch', sessionId),
  sessions: () => line('sessions', 'list'),
  diff: (sessionId: string) => line('sessions', 'diff', sessionId),
  pack: (sessionId: string) => line('sessions', 'pack', sessionId),
  compare: (sessionIds: readonly string[]) => line('compare', ...sessionIds),
  pilot: (sessionId: string, verb: 'status' | 'pause' | 'resume' | 'stop') =>
    line('pilot', verb, sessionId),
  conversation: (sessionId: string, beginsAnew: boolean) =>
    line('pilot', 'conversation', sessionId, beginsAnew ? 'anew' : 'keep'),
  attach: (target: string) => line('attach', ...last(target)),
  readDigest: () => line('notifications', 'digest'),
  status: (sessionId: string) => line('sessions', 'status', sessionId),
  report: (sessionId: string) => line('sessions', 'report', sessionId),
  takeOver: (sessionId: string) => line('takeover', sessionId),
  usage: () => line('usage'),
  acts: () => line('acts'),
  verify: () => line('audit', 'verify'),
  digest: (at: string, timeZone: string) =>
    line('notifications', 'digest', '--at', at, '--time-zone', timeZone),
  setWebhook: () => line('notifications', 'webhook', 'set'),
  testWebhook: () => line('notifications', 'webhook', 'test'),
  removeWebhook: () => line('notifications', 'webhook', 'remove'),
  removeDevice: (deviceId: string) => line('notifications', 'remove', deviceId),
  /** Exports what a page shows of a ledger; times in Unix ms, the end exclusive. */
  exportLedger: (
    command: 'usage export' | 'acts export' | 'audit approvals' | 'audit access',
    { from, to, ...filter }: Readonly<Record<string, string | number | undefined>>,
  ) =>
    line(
      ...command.split(' '),
      ...(command.startsWith('audit') ? ['--csv'] : []),
      ...(from === undefined ? [] : ['--from', new Date(from).toISOString()]),
      ...(to === undefined ? [] : ['--to', new Date(to).toISOString()]),
      ...Object.entries(filter).flatMap(([name, value]) =>
        value === undefined ? [] : [`--${name}`, String(value)],
      ),
    ),
  link: () => line('link'),
  operators: () => line('operators', 'list'),
  makeOperator: (operatorId: string, name: string) =>
    line('operators', 'make', operatorId, '--name', name.trim() || 'NAME'),
  publishOperator: (operatorId: string | null) =>
    line(
      'operators',
      'publish',
      'FILE',
      ...(operatorId === null ? [] : ['--operator', operatorId]),
    ),
  withdrawOperator: (operatorId: string) => line('operators', 'withdraw', operatorId),
  instance: (instanceId: string, verb: 'show' | 'pause' | 'resume' | 'remove') =>
    line('operators', verb, instanceId),
  sayToOperator: (instanceId: string, text: string) =>
    line('operators', 'say', instanceId, ...last(text.trim() === '' ? '…' : text)),
  answerCall: (instanceId: string, callId: string, said: GateSaid) =>
    line('operators', 'answer', instanceId, callId, said),
  /** `instruction` is null where what was proposed goes as it is; `keep` begins no conversation anew. */
  confirmStep: (sessionId: string, step: number, instruction: string | null, keep = false) =>
    line(
      'pilot',
      'confirm',
      sessionId,
      '--step',
      String(step),
      ...(instruction === null ? [] : [`--instruction=${instruction}`]),
      ...(keep ? ['--keep'] : []),
    ),
  agreeTo: (instanceId: string, version: number) =>
    line('operators', 'agree', instanceId, '--to', String(version)),
  decisions: () => line('decisions', 'list'),
  decisionsOf: (repository: string, branch: string) =>
    line('decisions', 'show', '--branch', branch, ...last(repository)),
  makeDecisionKey: (repository: string) =>
    line('decisions', 'keys', 'make', '--repository', repository || 'OWNER/NAME'),
  revokeDecisionKey: (keyId: string) => line('decisions', 'keys', 'revoke', keyId),
  makeMcpKey: ({ name, instanceId, scopes = [] }: MakeMcpKeyRequest) => {
    const opens = instanceId ? ['--instance', instanceId] : ['--scope', ...scopes];
    return line('mcp', 'keys', 'make', ...opens, '--name', name);
  },
  revokeMcpKey: (keyId: string) => line('mcp', 'keys', 'revoke', keyId),
  addBrainKey: (name: string, provider: string) =>
    line('brain-keys', 'add', '--provider', provider, ...last(name.trim() || 'NAME')),
  priceBrainKey: (keyId: string, price: string | null) =>
    line('brain-keys', 'price', keyId, price ?? 'list'),
  removeBrainKey: (keyId: string) => line('brain-keys', 'remove', keyId),
  budgets: (directory: string | null) => line('budget', 'show', ...inDirectory(directory)),
  setBudget: ({ place, unit, renews, limit }: TypedBudget) =>
    line(
      'budget',
      'set',
      ...inDirectory(place?.directory ?? null),
      ...(renews === 'daily' ? ['--daily'] : []),
      `--${unit === 'time' ? 'minutes' : unit}`,
      limit === null ? 'AMOUNT' : amountOf(unit, limit),
    ),
  budgetHistory: ({ place, unit, renews }: Omit<TypedBudget, 'limit'>) =>
    line(
      'budget',
      'history',
      ...inDirectory(place?.directory ?? null),
      ...(renews === 'daily' ? ['--daily'] : []),
      ...(unit === 'dollars' ? [] : ['--unit', unit]),
    ),
  fork: (sessionId: string) => line('sessions', 'fork', sessionId, '…'),
  preview: (sessionId: string, port: number | null) =>
    line('sessions', 'preview', sessionId, ...(port === null ? [] : [String(port)])),
  rewind: (sessionId: string, to: string) => line('sessions', 'rewind', sessionId, '--to', to),
  land: (sessionId: string, message: string, how: Landing) =>
    line(
      'sessions',
      'land',
      sessionId,
      '-m',
      message.trim().split('\n')[0] ?? '',
      ...(how === 'commit' ? [] : ['--as', how]),
    ),
  /** The token comes in through a pipe, so that a checklist is a file there. */
  connectGithub: (
    { repository, budgetMicroUsd, limits }: ReadTerms & { repository: string },
    pilot: Brain & { mode: PilotMode },
    webhook: boolean,
  ) =>
    line(
      'github',
      'connect',
      repository.trim() || 'OWNER/NAME',
      '--budget',
      budgetMicroUsd === null ? 'USD' : amountOf('dollars', budgetMicroUsd),
      ...limitOptions(limits),
      ...(pilot.mode === 'manual'
        ? []
        : ['--mode', pilot.mode.replace('_', '-'), '--checklist', 'FILE', ...brainOptions(pilot)]),
      ...(webhook ? ['--webhook'] : []),
    ),
  removeGithub: (repository: string) => line('github', 'remove', ...last(repository)),
  /** Everything that a place says, as the form has it; null while that means nothing. */
  savePolicy: (directory: string | null, layer: PolicyLayer | null) => {
    const command = (file: string) =>
      line('policy', 'set', ...inDirectory(directory), '--file', file);
    return layer === null ? command('FILE') : fed(JSON.stringify(layer), command('-'));
  },
  /** An engine as its form has it; null while that is none. */
  saveEngine: (preset: EnginePreset | null) =>
    preset === null
      ? line('engines', 'import', 'FILE')
      : fed(printPresetFile(preset, 0).trimEnd(), line('engines', 'import', '-')),
  policy: (directory: string | null) => line('policy', 'show', ...inDirectory(directory)),
  engines: () => line('engines', 'list'),
  engineHistory: (engineId: string) => line('engines', 'history', engineId),
  removeEngine: (engineId: string) => line('engines', 'remove', engineId),
  startRunner: () => line('runner', 'start'),
  /** On another machine: `pilothouse` is what it is called where nothing is known of that machine. */
  pairRunner: (address: string) => ['pilothouse', 'runner', 'pair', address].join(' '),
  inviteRunner: (runnerId: string | null) =>
    line('runner', 'invite', ...(runnerId === null ? [] : ['--runner', runnerId])),
  withdrawPairing: (runnerId: string) => line('runner', 'withdraw', runnerId),
  revokeRunner: (runnerId: string) => line('runner', 'revoke', runnerId),
  doctor: () => line('runner', 'doctor'),
  checkouts: (runnerId: string) => line('checkouts', 'list', '--runner', runnerId),
  removeCheckouts: (runnerId: string) => line('checkouts', 'remove', '--all', '--runner', runnerId),
  removeCheckout: (runnerId: string, sessionId: string) =>
    line('checkouts', 'remove', sessionId, '--runner', runnerId),
  discardCheckout: (runnerId: string, sessionId: string) =>
    line('checkouts', 'remove', sessionId, '--runner', runnerId, '--discard'),
  /**
   * `terms` are those of the session that is forked: what the form cleared of them is said too.
   * `images` by the names of their files alone: a browser does not tell where they are.
   */
  launch: (
    request: LaunchRequest,
    terms: ForkTerms | null = null,
    images: readonly { name: string }[] = [],
  ): string => {
    const { fork } = request;
    const parts = fork
      ? ['sessions', 'fork', request.from ?? '', ...(fork.turnId ? ['--turn', fork.turnId] : [])]
      : ['launch', '--runner', request.runnerId];
    parts.push('--engine', request.engineId);
    if (request.directory !== null && request.directory !== undefined && !fork)
      parts.push('--directory', request.directory);
    if (request.checkout === 'inPlace' && !fork) parts.push('--in-place');
    if (request.baseRef && !fork) parts.push('--base', request.baseRef);
    if (request.fromUncommitted && !fork) parts.push('--uncommitted');
    if (request.approvals && (fork ?? request.approvals !== 'ask'))
      parts.push('--approvals', request.approvals);
    if (request.model) parts.push('--model', request.model);
    if (request.conversation) parts.push('--conversation', request.conversation);
    if (request.from && !fork) parts.push('--from', request.from);
    if (request.budgetMicroUsd) parts.push('--budget', String(request.budgetMicroUsd / 1_000_000));
    parts.push(...limitOptions(request.limits), ...(fork ? clearedOptions(request, terms) : []));
    if (
      request.noOutputMs !== undefined &&
      request.noOutputMs !== (terms?.noOutputMs ?? NO_OUTPUT_MS)
    )
      parts.push('--silence', String(request.noOutputMs / 60_000));
    if (request.answerMs !== undefined && request.answerMs !== (terms?.answerMs ?? ANSWER_MS))
      parts.push('--answer-within', String(request.answerMs / 3_600_000));
    if (request.grade) parts.push('--grade', request.grade);
    if (request.network) parts.push('--network', request.network);
    for (const { name } of images) parts.push(`--image=${name}`);
    const pilot = request.pilot ? pilotOptions(request.pilot) : null;
    if (pilot) parts.push(...pilot.options);
    const command = line(...parts, ...last(request.objective));
    return pilot ? fed(pilot.checklist, command) : command;
  },
} as const;
