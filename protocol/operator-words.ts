import {
  CONNECTORS,
  connectorOf,
  type ConnectorScope,
  type Consents,
  type ConstraintSpec,
  narrowConstraintSpec,
} from './ceiling.ts';
import type { OperatorDefinition, OperatorInstance } from './operator.ts';
import {
  backendOf,
  TERMINAL_RISKS,
  type TerminalBackend,
  type TerminalRisk,
  terminalRisk,
} from './terminal.ts';

const ONE: Record<TerminalBackend, string> = {
  tmux: 'tmux pane',
  kitty: 'kitty window',
  iterm2: 'iTerm2 session',
};
const KIND: Record<TerminalBackend, string> = { tmux: 'tmux', kitty: 'kitty', iterm2: 'iTerm2' };
const VERBS: Record<TerminalRisk, string> = {
  read: 'read',
  send: 'type into',
  run: 'run commands in',
  kill: 'close',
};
const NOT_VERBS: Record<TerminalRisk, string> = {
  read: 'read it',
  send: 'type into it',
  run: 'run commands in it',
  kill: 'close it',
};

/** A person's words for a kind of terminal. */
export const nameBackend = (backend: TerminalBackend): string => KIND[backend];

/** What may be done once every limit holds, as sentences. `bound` is what the person calls its terminal. */
export function describeSpec(spec: ConstraintSpec, bound: string | null = null): string[] {
  const sentences = CONNECTORS.flatMap((name) => {
    const scope = spec.scopes[name];
    const tools = spec.tools.filter((tool) => connectorOf(tool) === name);
    if (!scope || scope.backends.length === 0 || tools.length === 0) return [];
    const inOne = tools.filter((tool) => tool !== 'tmux_create_session');
    const risks = new Set(inOne.map((tool) => TERMINAL_RISKS[tool]));
    const makes = scope.targets === 'any' && inOne.length < tools.length;
    return [
      ...riskSentences(risks, placeOf(scope, bound)),
      ...(makes ? [`May make tmux sessions${named(scope.prefixes, 'whose')}.`] : []),
    ];
  });
  return sentences.length > 0 ? sentences : ['May do nothing.'];
}

function riskSentences(risks: ReadonlySet<TerminalRisk>, place: string): string[] {
  if (risks.size === 0) return [];
  const may = terminalRisk.options.filter((risk) => risks.has(risk)).map((risk) => VERBS[risk]);
  const not = terminalRisk.options
    .filter((risk) => !risks.has(risk))
    .map((risk) => NOT_VERBS[risk]);
  const first = `May ${join(may, 'and')} ${place}.`;
  return not.length > 0 ? [first, `May not ${join(not, 'or')}.`] : [first];
}

function placeOf({ backends, targets, prefixes }: ConnectorScope, bound: string | null): string {
  const kinds = join(
    backends.map((backend) => ONE[backend]),
    'or',
  );
  if (targets === 'any') return `every ${kinds}${named(prefixes, 'of sessions whose')}`;
  if (bound !== null) return `the ${kinds} ${bound}${named(prefixes, 'of sessions whose')}`;
  return `one ${kinds}${named(prefixes, 'of sessions whose')} that you choose`;
}

function named(prefixes: readonly string[], lead: string): string {
  return prefixes.length > 0 ? ` ${lead} names begin with ${join(prefixes, 'and')}` : '';
}

function join(words: readonly string[], last: string): string {
  return words.length < 2
    ? (words[0] ?? '')
    : `${words.slice(0, -1).join(', ')} ${last} ${words.at(-1)}`;
}

/** What an operator may do at most, before a subscriber says anything. */
export const describeDefinition = ({ ceiling }: Pick<OperatorDefinition, 'ceiling'>): string[] =>
  describeSpec(narrowConstraintSpec(ceiling, {}));

/** What an instance may do after every limit, and what it asks about. */
export function describeInstance(
  {
    narrowing,
    boundTarget,
    consents,
  }: Pick<OperatorInstance, 'narrowing' | 'boundTarget' | 'consents'>,
  { ceiling }: Pick<OperatorDefinition, 'ceiling'>,
): string[] {
  const spec = narrowConstraintSpec(ceiling, narrowing);
  const risks = new Set(spec.tools.map((tool) => TERMINAL_RISKS[tool]));
  return [...describeSpec(spec, boundTarget?.label ?? null), ...consentSentences(consents, risks)];
}

const DOING: Record<TerminalRisk, string> = {
  read: 'reads',
  send: 'types',
  run: 'runs a command',
  kill: 'closes it',
};

/** Only what it could do at all is spoken of. */
function consentSentences(consents: Consents, risks: ReadonlySet<TerminalRisk>): string[] {
  const of = (wanted: Consents[TerminalRisk], words: Record<TerminalRisk, string>) =>
    terminalRisk.options
      .filter((risk) => risks.has(risk) && consents[risk] === wanted)
      .map((risk) => words[risk]);
  const asks = of('ask', DOING);
  const never = of('never', { ...NOT_VERBS });
  return [
    ...(asks.length > 0 ? [`Asks you before it ${join(asks, 'or')}.`] : []),
    ...(never.length > 0 ? [`You have not agreed that it may ${join(never, 'or')}.`] : []),
  ];
}

/** Why an instance can do nothing as it stands, and what to do; null when it can. Pure. */
export function instanceObstacle(
  { narrowing, boundTarget, state }: Pick<OperatorInstance, 'narrowing' | 'boundTarget' | 'state'>,
  { ceiling }: Pick<OperatorDefinition, 'ceiling'>,
): string | null {
  if (state === 'removed') return 'It was removed for good. Make another one of its operator.';
  if (state === 'paused') return 'It is paused, so every call is refused. Resume it.';
  const spec = narrowConstraintSpec(ceiling, narrowing);
  const scopes = CONNECTORS.flatMap((name) => {
    const scope = spec.scopes[name];
    const used = spec.tools.some((tool) => connectorOf(tool) === name);
    return scope && used && scope.backends.length > 0 ? [scope] : [];
  });
  if (scopes.length === 0) return 'Your own limits leave it nothing to do. Take some of them back.';
  const single = scopes.every(({ targets }) => targets === 'single');
  if (single && boundTarget === null)
    return 'No terminal is bound to it, so every call is refused. Choose one on its page or with `pilothouse operators bind`.';
  if (!boundTarget) return null;
  const backend = backendOf(boundTarget.target);
  return single && !scopes.some(({ backends }) => backends.includes(backend))
    ? `It is bound to ${KIND[backend]}, which it may not reach. Choose another terminal.`
    : null;
}
