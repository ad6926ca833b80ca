import {
  type Connector,
  CONNECTORS,
  connectorOf,
  type TargetRule,
} from '../../protocol/ceiling.ts';
import { operatorBody, type OperatorBody } from '../../protocol/operator.ts';
import type { TerminalBackend, TerminalTool } from '../../protocol/terminal.ts';

/** An operator as it is typed. One rule for both families of tools: the command line knows them apart. */
export type OperatorDraft = {
  name: string;
  instructions: string;
  tools: readonly TerminalTool[];
  backends: readonly TerminalBackend[];
  targets: TargetRule;
  prefix: string;
  model: string;
};

/** What a published operator is as a draft. */
export function draftOf({ name, instructions, ceiling, brain }: OperatorBody): OperatorDraft {
  const options = CONNECTORS.flatMap((connector) => ceiling.surfaceOptions[connector] ?? []);
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

/** A draft as what is published, or the first thing that is wrong with it. */
export function decideBody(
  draft: OperatorDraft,
): { ok: true; body: OperatorBody } | { ok: false; problem: string } {
  const used = CONNECTORS.filter((name) => draft.tools.some((tool) => connectorOf(tool) === name));
  const parsed = operatorBody.safeParse({
    name: draft.name,
    instructions: draft.instructions,
    ceiling: {
      tools: draft.tools,
      surfaceOptions: Object.fromEntries(used.map((name) => [name, optionOf(draft, name)])),
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

const optionOf = ({ backends, targets, prefix }: OperatorDraft, name: Connector) => ({
  backends: name === 'tmux' ? backends.filter((backend) => backend === 'tmux') : backends,
  targets,
  prefix: prefix.trim() === '' ? null : prefix.trim(),
});
