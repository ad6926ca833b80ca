import { type ApprovalRequest, approvalRequest } from '../../protocol/approval.ts';
import { wholeText } from '../../protocol/text.ts';
import { REQUEST, TURN } from './sentinels.ts';

const base = {
  requestId: REQUEST,
  turnId: TURN,
  toolId: 'tool-push',
  toolName: 'Bash',
  acts: [],
  questions: [],
  suggestions: [],
  requestedAt: 1_700_000_000_000,
  expiresAt: null,
};

export const TOOL_REQUEST: ApprovalRequest = approvalRequest.parse({
  ...base,
  kind: 'tool',
  input: wholeText('{"command":"git push origin sentinel","description":"Push it"}'),
  summary: 'git push origin sentinel',
  acts: ['push'],
  suggestions: [{ label: 'Allow pushes for this session' }],
});

export const QUESTION: ApprovalRequest = approvalRequest.parse({
  ...base,
  kind: 'question',
  toolName: 'AskUserQuestion',
  input: wholeText('{}'),
  summary: 'Which rigging?',
  questions: [
    {
      question: 'Which rigging?',
      header: 'Rigging',
      options: [
        { label: 'Sloop', description: 'One mast' },
        { label: 'Ketch', description: 'Two masts' },
      ],
      multiSelect: false,
    },
    {
      question: 'Which lights?',
      header: null,
      options: [
        { label: 'Port', description: null },
        { label: 'Starboard', description: null },
      ],
      multiSelect: true,
    },
  ],
});

export const PLAN: ApprovalRequest = approvalRequest.parse({
  ...base,
  kind: 'plan',
  toolName: 'ExitPlanMode',
  input: wholeText('{"plan":"## Plan\\n\\n1. Look at the sails\\n2. Trim them"}'),
  summary: 'Look at the sails',
});
