import { z } from 'zod';
import type { ApprovalAnswer, ApprovalRequest, Question } from '../../../protocol/approval.ts';
import type { ActKind } from '../../../protocol/act.ts';
import { classifyCommand } from '../../acts/classify.ts';
import { ownEntry } from '../../acts/own.ts';
import { capHead, oneLine } from '../text-cap.ts';
import { approvalId } from '../ids.ts';
import type { PermissionRequest } from './lines.ts';
import { emit, patch } from '../draft.ts';
import type { Draft, OpenApproval } from './state.ts';
import { summarise } from '../summary.ts';
import { planOf, shellCommandOf } from './summary.ts';
import { setWaiting } from './tools.ts';

const DENIED = 'The person in charge of this session said no to this call.';

/** The engine asks before a tool runs, asks a question, or shows a plan: all the same request. */
export function requestApproval(
  draft: Draft,
  engineRequestId: string,
  asked: PermissionRequest,
): void {
  const requestId = approvalId(draft.state.engineSessionId, engineRequestId);
  if (draft.state.approvals[requestId]) return;
  const command = shellCommandOf(asked.tool_name, asked.input);
  const acts =
    command === null
      ? []
      : [...new Set<ActKind>(classifyCommand(command, draft.look).map((act) => act.kind))];
  const suggestions = asked.permission_suggestions ?? [];
  const shown = inputShown(draft, asked);
  const request: ApprovalRequest = {
    requestId,
    turnId: draft.state.open?.turnId ?? null,
    toolId: asked.tool_use_id ?? null,
    kind: kindOf(asked.tool_name),
    toolName: asked.tool_name,
    input: capHead(JSON.stringify(shown, null, 2)),
    summary: summarise(asked.tool_name, shown),
    acts,
    questions: asked.tool_name === 'AskUserQuestion' ? parseQuestions(asked.input) : [],
    suggestions: suggestions.map((suggestion) => ({ label: labelOf(suggestion) })),
    requestedAt: draft.at,
    expiresAt: null,
  };
  const open: OpenApproval = {
    requestId,
    engineRequestId,
    toolId: request.toolId,
    toolName: asked.tool_name,
    input: asked.input,
    suggestions,
    answered: null,
  };
  patch(draft, { approvals: { ...draft.state.approvals, [requestId]: open } });
  setWaiting(draft, request.toolId, true);
  emit(draft, { type: 'approval/requested', request });
}

/**
 * What a person decides about. Claude 2.1.332 asks for a plan with an empty input when the model
 * gave it in the call alone; the answer still repeats the input as it was asked.
 */
function inputShown(draft: Draft, asked: PermissionRequest): Record<string, unknown> {
  if (asked.tool_name !== 'ExitPlanMode' || planOf(asked.tool_name, asked.input) !== null)
    return asked.input;
  const tool = asked.tool_use_id ? ownEntry(draft.state.tools, asked.tool_use_id) : undefined;
  return tool?.plan ? { ...asked.input, plan: tool.plan } : asked.input;
}

function kindOf(toolName: string): ApprovalRequest['kind'] {
  if (toolName === 'AskUserQuestion') return 'question';
  return toolName === 'ExitPlanMode' ? 'plan' : 'tool';
}

const questions = z.object({
  questions: z.array(
    z.object({
      question: z.string(),
      header: z.string().nullish(),
      multiSelect: z.boolean().catch(false),
      options: z
        .array(z.object({ label: z.string(), description: z.string().nullish() }))
        .catch([]),
    }),
  ),
});

function parseQuestions(input: unknown): Question[] {
  const parsed = questions.safeParse(input);
  if (!parsed.success) return [];
  return parsed.data.questions.map((asked) => ({
    question: asked.question,
    header: asked.header ?? null,
    multiSelect: asked.multiSelect,
    options: asked.options.map((option) => ({
      label: option.label,
      description: option.description ?? null,
    })),
  }));
}

const rule = z.object({ toolName: z.string(), ruleContent: z.string().nullish() });
const suggestionFacts = z.object({
  type: z.string(),
  rules: z.array(rule).catch([]),
  directories: z.array(z.string()).catch([]),
  mode: z.string().catch(''),
});

/** Says what accepting a suggestion would allow. It is always for this session: see {@link forThisSession}. */
function labelOf(suggestion: Record<string, unknown>): string {
  const { type, rules, directories, mode } = suggestionFacts.parse({
    type: 'unknown',
    ...suggestion,
  });
  switch (type) {
    case 'addRules': {
      const named = rules.map((each) =>
        each.ruleContent ? `${each.toolName}: ${each.ruleContent}` : each.toolName,
      );
      return oneLine(`Allow ${named.join(', ') || 'this'} for this session`);
    }
    case 'addDirectories':
      return oneLine(`Allow work in ${directories.join(', ')} for this session`);
    case 'setMode':
      return mode === 'acceptEdits'
        ? 'Accept all file edits in this session'
        : oneLine(`Change to the mode ${mode} for this session`);
    default:
      return oneLine(`Allow what the engine calls ${type} for this session`);
  }
}

/** A suggestion may ask to be written into the project's or the person's settings; we write neither. */
const forThisSession = (suggestion: Record<string, unknown>): Record<string, unknown> => ({
  ...suggestion,
  destination: 'session',
});

/** The engine's form of a person's answer. An allowance repeats the input: it is mandatory there. */
export function encodeDecision(
  approval: OpenApproval,
  answer: ApprovalAnswer,
): Record<string, unknown> {
  if (answer.decision === 'deny')
    return { behavior: 'deny', message: answer.message?.trim() || DENIED };
  const updatedInput = answer.answers
    ? { ...approval.input, answers: answer.answers }
    : approval.input;
  const chosen = answer.suggestion === null ? undefined : approval.suggestions[answer.suggestion];
  return {
    behavior: 'allow',
    updatedInput,
    ...(chosen ? { updatedPermissions: [forThisSession(chosen)] } : {}),
  };
}
