import {
  type Connector,
  CONNECTOR_BACKENDS,
  CONNECTORS,
  connectorOf,
  type SurfaceOption,
  type TargetRule,
} from '../../protocol/ceiling.ts';
import { operatorBody, type OperatorBody } from '../../protocol/operator.ts';
import type { TerminalBackend, TerminalTool } from '../../protocol/terminal.ts';

/** An operator as it is typed. One rule for both families of tools, which the command line knows apart. */
export type OperatorDraft = {
  name: string;
  instructions: string;
  tools: readonly TerminalTool[];
  backends: readonly TerminalBackend[];
  targets: TargetRule;
  prefix: string;
  model: string;
};

const optionsOf = ({ ceiling }: OperatorBody): SurfaceOption[] =>
  CONNECTORS.flatMap((connector) => ceiling.surfaceOptions[connector] ?? []);

/** Whether its two families of tools have limits of their own, which one form cannot tell apart. */
export function hasOwnLimits(body: OperatorBody): boolean {
  const [first, ...others] = optionsOf(body);
  return others.some(
    ({ targets, prefix }) => targets !== first?.targets || prefix !== first.prefix,
  );
}

/** What a published operator is as a draft. */
export function draftOf(body: OperatorBody): OperatorDraft {
  const { name, instructions, ceiling, brain } = body;
  const options = optionsOf(body);
  return {
    name,
    instructions,
    tools: ceiling.tools,
    backends: [...new Set(options.flatMap(({ backends }) => backends))],
    targets: options.some(({ targets }) => targets === 'single') ? 'single' : 'any',
    prefix: options.find(({ prefix }) => prefix !== null)?.prefix ?? '',
    model: brain?.model ?? '',
  };
}

/**
 * A draft as what is published, or the first thing that is wrong with it. A limit of `before` that
 * the person left alone stays as it was for each family of tools, so that it never widens by itself.
 */
export function decideBody(
  draft: OperatorDraft,
  before: OperatorBody,
): { ok: true; body: OperatorBody } | { ok: false; problem: string } {
  const used = CONNECTORS.filter((name) => draft.tools.some((tool) => connectorOf(tool) === name));
  const parsed = operatorBody.safeParse({
    name: draft.name,
    instructions: draft.instructions,
    ceiling: {
      tools: draft.tools,
      surfaceOptions: Object.fromEntries(used.map((name) => [name, optionOf(draft, before, name)])),
    },
    brain: draft.model.trim() === '' ? null : { model: draft.model },
  });
  if (parsed.success) return { ok: true, body: parsed.data };
  const issue = parsed.error.issues[0];
  const field = issue?.path[0] ?? '';
  const problem =
    field === 'ceiling' && issue?.code === 'custom'
      ? `${issue.message}.`
      : (NEEDS[String(field)] ?? 'Correct what is typed.');
  return { ok: false, problem };
}

const NEEDS: Record<string, string> = {
  name: 'Say what it is called, in at most 60 characters.',
  instructions: 'Say what the agent is told.',
  ceiling: 'The beginning of names may hold letters, digits, - and _ alone.',
};

function optionOf(draft: OperatorDraft, before: OperatorBody, name: Connector): SurfaceOption {
  const shown = draftOf(before);
  const own = before.ceiling.surfaceOptions[name];
  const typed = draft.prefix.trim();
  // A connector that is new has nothing of its own: it takes what the form shows.
  const had = own?.backends ?? draft.backends;
  const backends = CONNECTOR_BACKENDS[name].filter(
    (backend) =>
      draft.backends.includes(backend) &&
      (had.includes(backend) || !shown.backends.includes(backend)),
  );
  return {
    backends,
    targets: own && draft.targets === shown.targets ? own.targets : draft.targets,
    prefix: own && typed === shown.prefix ? own.prefix : typed === '' ? null : typed,
  };
}
