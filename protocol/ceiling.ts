import { z } from 'zod';
import {
  TERMINAL_BACKENDS,
  TERMINAL_TOOLS,
  terminalBackend,
  terminalName,
  type TerminalBackend,
  type TerminalRisk,
  type TerminalTool,
} from './terminal.ts';

/** The connectors: families of tools over the same terminals. */
export const CONNECTORS = ['tmux', 'terminal'] as const;
export const connector = z.enum(CONNECTORS);
export type Connector = z.infer<typeof connector>;

/** The connector of a tool is the first word of its name. */
export const connectorOf = (tool: TerminalTool): Connector =>
  tool.startsWith('tmux_') ? 'tmux' : 'terminal';

/** Back ends that a connector can speak to at all. */
export const CONNECTOR_BACKENDS: Readonly<Record<Connector, readonly TerminalBackend[]>> = {
  tmux: ['tmux'],
  terminal: TERMINAL_BACKENDS,
};

/** Which terminals: every one that the rest allows, or the one that the instance is bound to. */
export const TARGET_RULES = ['single', 'any'] as const;
export const targetRule = z.enum(TARGET_RULES);
export type TargetRule = z.infer<typeof targetRule>;

const tools = z.array(z.enum(TERMINAL_TOOLS as [TerminalTool, ...TerminalTool[]])).max(50);
const backends = z.array(terminalBackend).max(TERMINAL_BACKENDS.length);

/** The most that a creator lets one connector do. An empty list of back ends is none. */
export const surfaceOption = z.strictObject({
  backends,
  targets: targetRule,
  /** Only sessions whose name begins so; null is every name. */
  prefix: terminalName.nullable(),
});
export type SurfaceOption = z.infer<typeof surfaceOption>;

/** What an operator may do at most: its creator's word. A connector without an option is closed. */
export const ceiling = z.strictObject({
  tools,
  surfaceOptions: z.partialRecord(connector, surfaceOption),
});
export type Ceiling = z.infer<typeof ceiling>;

const smallerOption = surfaceOption.partial();

/** A subscriber's smaller limit; what it does not say stays as the creator allows it. */
export const narrowing = z.strictObject({
  tools: tools.optional(),
  surfaceOptions: z.partialRecord(connector, smallerOption).optional(),
});
export type Narrowing = z.infer<typeof narrowing>;

/** What one connector may do once every limit holds. A name has to begin with each prefix. */
export type ConnectorScope = {
  backends: TerminalBackend[];
  targets: TargetRule;
  prefixes: string[];
};
export type ConstraintSpec = {
  tools: TerminalTool[];
  scopes: Partial<Record<Connector, ConnectorScope>>;
};

/**
 * The creator's ceiling as the subscriber narrows it. Never wider than either, whatever stands in
 * them: lists are cut, rules take the stricter, prefixes add up. Pure.
 */
export function narrowConstraintSpec(wide: Ceiling, by: Narrowing): ConstraintSpec {
  const scopes: ConstraintSpec['scopes'] = {};
  for (const name of CONNECTORS) {
    const option = wide.surfaceOptions[name];
    if (option) scopes[name] = narrowScope(option, by.surfaceOptions?.[name] ?? {});
  }
  const kept = wide.tools.filter((tool) => by.tools?.includes(tool) ?? true);
  return { tools: [...new Set(kept)], scopes };
}

function narrowScope(wide: SurfaceOption, by: z.infer<typeof smallerOption>): ConnectorScope {
  const prefixes = [wide.prefix, by.prefix ?? null].filter((prefix) => prefix !== null);
  return {
    backends: wide.backends.filter((backend) => by.backends?.includes(backend) ?? true),
    targets: wide.targets === 'single' || by.targets === 'single' ? 'single' : 'any',
    prefixes: [...new Set(prefixes)],
  };
}

/** What a subscriber agreed to, by what a tool does. */
export const CONSENTS = ['never', 'ask', 'always'] as const;
export const consent = z.enum(CONSENTS);
export type Consent = z.infer<typeof consent>;

/** A risk that nobody agreed to is not there. */
export const consents = z.strictObject({
  read: consent,
  send: consent,
  run: consent,
  kill: consent,
} satisfies Record<TerminalRisk, typeof consent>);
export type Consents = z.infer<typeof consents>;
