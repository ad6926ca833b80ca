import { z } from 'zod';
import { actKind } from './act.ts';
import { driveLook } from './drive-witness.ts';
import { AGENT_PERMISSION } from './pane-question.ts';
import { terminalRisk, TERMINAL_TOOLS, type TerminalTool } from './terminal.ts';

/** The rules that a call meets; a decision names the one that decided. */
export const GATE_RULES = [
  'instance',
  'breach',
  'tools',
  'ceiling',
  'narrowing',
  'binding',
  'consent',
  'policy',
  'rate',
  /** No rule of ours: a coding agent in the terminal asks itself. */
  'agent',
] as const;
export const gateRule = z.enum(GATE_RULES);
export type GateRule = (typeof GATE_RULES)[number];

/**
 * Who makes a call: our own agent in a conversation, an MCP client with a key, a person; a `program`
 * that runs in the terminal and asks by itself.
 */
export const gateActor = z.object({
  kind: z.enum(['agent', 'mcp', 'person', 'program']),
  id: z.string().min(1).max(120),
});
export type GateActor = z.infer<typeof gateActor>;

/** The caller's own name of a call. The same again is the same call, and is done once. */
export const gateCallId = z.string().regex(/^[\w.:-]{1,120}$/, 'expected letters, digits, . _ : -');

/** How long a person has to answer for a call, in ms. */
export const GATE_ANSWER_MS = 60 * 60_000;
/**
 * How long the same call may be made again by its id, in ms: well within the time for which a
 * machine remembers what it carried out, so that no call happens twice.
 */
export const GATE_REPEAT_MS = 24 * 60 * 60_000;
/** Most calls of one instance in a window, and how long that is. */
export const GATE_RATE = { most: 120, windowMs: 60_000 } as const;

/** What a person answers. `instance`: to this kind of call from now on, as the instance’s consent. */
export const GATE_ANSWERS = ['once', 'instance', 'deny'] as const;
export const gateSaid = z.enum(GATE_ANSWERS);
export type GateSaid = z.infer<typeof gateSaid>;

/** What became of an allowed call: `unknown` where nobody can say whether it had its effect. */
export const gateStatus = z.enum(['done', 'refused', 'unknown']);
export type GateStatus = z.infer<typeof gateStatus>;

const tool = z.enum([...(TERMINAL_TOOLS as [TerminalTool, ...TerminalTool[]]), AGENT_PERMISSION]);
export type GateTool = z.infer<typeof tool>;

/** `self-reported`: the driven program said it itself; null dollars are of a model without a price. */
const driveCost = z.discriminatedUnion('metering', [
  z.object({ metering: z.literal('unmetered') }),
  z.object({
    metering: z.literal('self-reported'),
    microUsd: z.int().nonnegative().nullable(),
    tokens: z.int().nonnegative(),
  }),
]);
export type DriveCost = z.infer<typeof driveCost>;

/** One decision of the gate, without what was in the call. */
export const gateDecisionRow = z.object({
  callId: z.string(),
  /** Later ones are of the same call again: after a person answered, or when it may not be any more. */
  step: z.int().nonnegative(),
  at: z.int(),
  actor: gateActor,
  definitionVersion: z.int(),
  tool,
  risk: terminalRisk,
  target: z.string().nullable(),
  /** SHA-256 of the call as JSON, and how long that is in bytes. */
  callSha256: z.string(),
  callBytes: z.int(),
  effect: z.enum(['allow', 'ask', 'deny']),
  /** Null for a call that every rule let pass. */
  rule: gateRule.nullable(),
  reason: z.string(),
  acts: z.array(actKind),
  /** Null while it is under way, and for one that was not allowed. */
  outcome: gateStatus.nullable(),
  /** Why the machine refused. */
  code: z.string().nullable(),
  /** The whole decision as a sentence. */
  explanation: z.string(),
  /** What is known of the cost of the write that it was; null for one that wrote nothing. */
  cost: driveCost.nullable().default(null),
  /** What was looked at once it had had its effect; null where nothing was to be told. */
  look: driveLook.nullable().default(null),
});
export type GateDecisionRow = z.infer<typeof gateDecisionRow>;
export const gateDecisionPage = z.object({
  items: z.array(gateDecisionRow),
  nextCursor: z.string().nullable(),
});

/** A call that waits for a person, with what is in it. */
export const gateRequest = z.object({
  callId: z.string(),
  instanceId: z.string(),
  actor: gateActor,
  tool,
  risk: terminalRisk,
  target: z.string().nullable(),
  /** The parameters as they would be carried out. */
  params: z.unknown(),
  rule: gateRule,
  reason: z.string(),
  at: z.int(),
  expiresAt: z.int(),
});
export type GateRequest = z.infer<typeof gateRequest>;
export const gateRequestList = z.object({ items: z.array(gateRequest) });

export const gateAnswerBody = z.object({ answer: gateSaid });

/** What a call comes to for whoever made it. */
export type GateAnswer =
  | { kind: 'done'; value: unknown }
  /** The machine refused; nothing was done. */
  | { kind: 'refused'; code: string; message: string }
  | { kind: 'denied'; rule: GateRule; reason: string }
  /** A person is asked. The same call again, by its id, goes on once they answered. */
  | { kind: 'waiting'; rule: GateRule; reason: string; expiresAt: number }
  /** It may have had its effect, or not. The same call again asks the machine what it knows. */
  | { kind: 'unknown'; message: string };

/** A decision as a sentence: “denied: subscriber narrowed backends to tmux”. */
export function explainDecision({
  effect,
  rule,
  reason,
}: {
  effect: GateDecisionRow['effect'];
  rule: GateRule | null;
  reason: string;
}): string {
  // What an agent asks may be answered at its terminal too, which is no denial of ours.
  const no = rule === 'agent' ? 'closed' : 'denied';
  const word = { allow: 'allowed', ask: 'waits for a person', deny: no }[effect];
  return rule === null && reason === '' ? word : `${word}: ${reason}`;
}

/** A reason as the end of a sentence; many are whole ones already. */
export const asSentence = (reason: string): string =>
  /[.!?]$/.test(reason) ? reason : `${reason}.`;
