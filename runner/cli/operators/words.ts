import type {
  InstanceDetail,
  OperatorDetail,
  OperatorList,
} from '../../../protocol/operator-http.ts';
import type { InstanceState } from '../../../protocol/operator.ts';
import { breachLines } from '../breaches/words.ts';
import type { Paint } from '../output.ts';
import { formatAgo, formatMoney, formatTable, oneLine, plainText } from '../format.ts';

/** Operators that instances can be made of. */
export function describeOperators({ items, unreadable }: OperatorList): string {
  const table = formatTable(
    ['OPERATOR', 'NAME', 'FROM', 'VERSION', 'MAY'],
    items.map(({ definition, origin, words, note }) => [
      definition.id,
      oneLine(definition.name, 30),
      origin === 'builtIn' ? 'the product' : 'you',
      String(definition.version),
      oneLine([...words, note].filter(Boolean).join(' '), 140),
    ]),
  );
  const bad = unreadable.map(({ reason }) => `Not listed: ${reason}`);
  return `${[table, ...bad].join('\n\n')}\n\nMake an instance with: pilothouse operators make OPERATOR`;
}

/** One operator: what it may do, what it is told, its versions. */
export function describeOperator({ entry, versions }: OperatorDetail): string {
  const history = versions.map(({ version, publishedAt, body, wider }) => {
    const what = body === null ? 'withdrawn' : wider ? 'allows more than before' : 'published';
    return `  version ${version}, ${formatAgo(publishedAt, Date.now())}: ${what}`;
  });
  if (!entry) return ['It was withdrawn; its instances go on.', ...history].join('\n');
  const { definition, words, note } = entry;
  const said = [`${plainText(definition.name)} (${definition.id}), version ${definition.version}`];
  if (note) said.push(note);
  said.push('', ...words, '', 'Tools:', ...definition.ceiling.tools.map((tool) => `  ${tool}`));
  said.push('', 'Told:', plainText(definition.instructions));
  return [...said, ...(history.length > 0 ? ['', ...history] : [])].join('\n');
}

/** The instances, newest first. */
export function describeInstances(items: readonly InstanceDetail[]): string {
  if (items.length === 0)
    return 'No operator is in use. `pilothouse operators list` shows those there are, `pilothouse operators make` makes an instance.';
  return formatTable(
    ['INSTANCE', 'NAME', 'OPERATOR', 'MACHINE', 'TERMINAL', 'STATE'],
    items.map(({ instance, definition, obstacle, breaches }) => [
      instance.id,
      oneLine(instance.name, 30),
      oneLine(definition.name, 30),
      instance.runnerId,
      oneLine(instance.boundTarget?.label ?? '', 30),
      stateOf(instance.state, breaches.length > 0, obstacle !== null),
    ]),
  );
}

const stateOf = (state: InstanceState, held: boolean, obstacle: boolean): string => {
  if (state !== 'active') return state;
  return held ? 'held by a breach' : obstacle ? 'not ready' : state;
};

/** One instance: what it may do, what stands in its way, what waits for an agreement. */
export function describeInstance({
  instance,
  definition,
  words,
  obstacle,
  breaches,
  offered,
}: InstanceDetail): string {
  const { id, name, runnerId, boundTarget, budgetMicroUsd } = instance;
  return [
    `${plainText(name)} (${id}): ${plainText(definition.name)}, version ${definition.version}, on ${runnerId}`,
    ...(boundTarget ? [`Bound to ${plainText(boundTarget.label)} (${boundTarget.target})`] : []),
    ...(budgetMicroUsd === null ? [] : [`Its own agent may spend ${formatMoney(budgetMicroUsd)}.`]),
    '',
    ...words.map(plainText),
    ...(obstacle === null ? [] : ['', obstacle]),
    ...describeHeld(id, breaches),
    ...describeOffered(id, offered),
  ].join('\n');
}

const PLAIN: Paint = (_style, text) => text;

function describeHeld(id: string, breaches: InstanceDetail['breaches']): string[] {
  if (breaches.length === 0) return [];
  return [
    '',
    'It did what the merge policy forbids, and writes nothing until somebody says why it may go on:',
    ...breaches.flatMap((breach) => breachLines(id, breach, PLAIN)),
  ];
}

function describeOffered(id: string, offered: InstanceDetail['offered']): string[] {
  if (!offered) return [];
  const { version } = offered.definition;
  return [
    '',
    `Version ${version} of its operator allows more, and does not run until you agree:`,
    ...offered.words.map((word) => `  ${word}`),
    `Agree with: pilothouse operators agree ${id} --to ${version}`,
  ];
}
