import { z } from 'zod';
import { actKind } from './act.ts';
import { driveName } from './drive-report.ts';
import { driveWatch } from './drive-witness.ts';
import { POLICY_TOOLS_MAX } from './merge-policy.ts';
import { toolRule } from './policy-defaults.ts';
import {
  TERMINAL_RISKS,
  terminalBackend,
  terminalCall,
  terminalPane,
  terminalTarget,
  type TerminalCall,
} from './terminal.ts';

/** What the gate holds a call to on the machine too, where the terminal may have changed meanwhile. */
export const terminalScope = z.object({
  backends: z.array(terminalBackend),
  /** The session's name has to begin with each. */
  prefixes: z.array(z.string()),
  /** The one terminal that may be shown or touched; null is every one. */
  only: terminalTarget.nullable(),
});
export type TerminalScope = z.infer<typeof terminalScope>;

/** As many as a policy may have: a part of them would let through what the rest deny. */
const toolRules = z.array(toolRule).max(POLICY_TOOLS_MAX);

export const terminalCommandParams = z.object({
  call: terminalCall,
  scope: terminalScope,
  /** Whose write it is, for what the machine tells of it later. */
  drive: driveName.optional(),
  /** What it is held to when the refs are looked at afterwards. */
  watch: driveWatch.optional(),
  /** The policy's rules of tools, for a coding agent that it may start. */
  rules: toolRules.optional(),
});

/** Reads: nothing changes, so that asking again is harmless. */
export const terminalReadParams = terminalCommandParams.refine(
  ({ call }) => TERMINAL_RISKS[call.tool] === 'read',
  'the tool does more than read',
);

/** What a call would do, before it is made. */
export const terminalLookParams = terminalCommandParams.extend({
  /** The policy's rules about command lines and files. */
  rules: toolRules,
});

/** A consequential command in what would be sent. */
export const foreseenAct = z.object({
  kind: actKind,
  command: z.string(),
  target: z.string().nullable(),
  /** Part of it cannot be seen. */
  uncertain: z.boolean(),
});
export type ForeseenAct = z.infer<typeof foreseenAct>;

export const terminalLooked = z.object({
  /** The terminal that the call names; null: it names none, or it is not there or not open. */
  pane: terminalPane.nullable(),
  acts: z.array(foreseenAct),
  /** What a rule says of it, and which; null where none is about it. */
  ruled: z.object({ effect: z.enum(['deny', 'ask', 'allow']), pattern: z.string() }).nullable(),
  /** SHA-256 of the lines that it may come to, with what stands in the terminal's shell already. */
  linesSha256: z.string().nullable().default(null),
});
export type TerminalLooked = z.infer<typeof terminalLooked>;

/** The terminal that a call names; null for one that names none. */
export const targetIn = ({ params }: TerminalCall): string | null =>
  'target' in params ? params.target : null;

/** Where what a call makes would begin; null where it says no place, or makes nothing. */
export const directoryOf = (call: TerminalCall): string | null =>
  call.tool === 'tmux_create_session' ? call.params.directory : null;
