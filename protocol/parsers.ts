import { z } from 'zod';

/** What an engine can do, as data: nothing in the product asks an engine for its name. */
export const engineCapabilities = z.object({
  turnEnd: z.enum(['event', 'exit']),
  usage: z.enum(['dollars', 'tokens', 'none']),
  acts: z.enum(['structured', 'none']),
  approvals: z.boolean(),
  interrupt: z.boolean(),
  resume: z.boolean(),
  /** It answers a question in a form that is asked for, beside a conversation; older runners do not say. */
  structuredAnswer: z.boolean().optional(),
});
type Capabilities = z.infer<typeof engineCapabilities>;

type ParserFacts = {
  /** What a person calls it. */
  label: string;
  capabilities: Capabilities;
  /** It has a terminal of its own, which resumes the same conversation and takes keys. */
  keys: boolean;
  /** Words can be put into the turn under way. */
  steers: boolean;
  /**
   * A path after `@` is read in with the instruction, and how one with a blank is written there;
   * null: `@` means nothing to it.
   */
  mentions: 'quoted' | 'escaped' | null;
  /** When the form is the one that works, where its engine has another. Absent: it has none. */
  where?: 'nobody is asked' | 'you are asked';
};

const oneShot = {
  turnEnd: 'exit',
  acts: 'structured',
  approvals: false,
  interrupt: true,
  resume: true,
  structuredAnswer: true,
} as const;
const persistent = { ...oneShot, turnEnd: 'event', approvals: true } as const;

/**
 * How an engine's output is read: one for each form of each engine, and two for any other program.
 * What the reading can tell is its own property: no preset can claim to report what its parser
 * cannot see, or hide what it does.
 */
export const PARSERS = {
  'claude-stream-json': {
    label: 'Claude Code (stream-json)',
    capabilities: { ...persistent, usage: 'dollars' },
    keys: true,
    steers: true,
    mentions: 'quoted',
  },
  'codex-exec-json': {
    label: 'Codex (exec --json)',
    capabilities: { ...oneShot, usage: 'tokens' },
    keys: true,
    steers: false,
    mentions: null,
    where: 'nobody is asked',
  },
  'codex-app-server': {
    label: 'Codex (app-server)',
    capabilities: { ...persistent, usage: 'tokens' },
    keys: true,
    steers: true,
    mentions: null,
    where: 'you are asked',
  },
  'gemini-stream-json': {
    label: 'Gemini CLI (stream-json)',
    capabilities: { ...oneShot, usage: 'tokens' },
    keys: true,
    steers: false,
    mentions: 'escaped',
    where: 'nobody is asked',
  },
  'gemini-acp': {
    label: 'Gemini CLI (--acp)',
    capabilities: { ...persistent, usage: 'none' },
    keys: false,
    steers: false,
    mentions: null,
    where: 'you are asked',
  },
  'opencode-acp': {
    label: 'OpenCode (acp)',
    capabilities: { ...persistent, usage: 'dollars', structuredAnswer: false },
    keys: true,
    steers: false,
    mentions: null,
  },
  'qwen-stream-json': {
    label: 'Qwen Code (stream-json)',
    capabilities: { ...persistent, usage: 'tokens', structuredAnswer: false },
    keys: true,
    steers: false,
    mentions: null,
  },
  acp: {
    label: 'Agent Client Protocol: any agent that speaks it',
    // What it tells of its cost may leave out what nobody here has seen it spend.
    capabilities: { ...persistent, usage: 'none', structuredAnswer: false },
    keys: false,
    steers: false,
    mentions: null,
  },
  text: {
    label: 'Plain text: any command',
    capabilities: {
      ...oneShot,
      usage: 'none',
      acts: 'none',
      resume: false,
      structuredAnswer: false,
    },
    keys: false,
    steers: false,
    mentions: null,
  },
} as const satisfies Record<string, ParserFacts>;
export const parserId = z.enum(Object.keys(PARSERS) as [ParserId, ...ParserId[]]);
export type ParserId = keyof typeof PARSERS;
