import {
  type Ceiling,
  type Connector,
  CONNECTOR_BACKENDS,
  CONNECTORS,
  connectorOf,
  type SurfaceOption,
} from './ceiling.ts';
import type { TerminalTool } from './terminal.ts';

/**
 * Whether a ceiling allows anything that an earlier one did not, whatever a subscriber narrows. What
 * no tool can use counts for nothing. Pure.
 */
export function isWider(before: Ceiling, after: Ceiling): boolean {
  return CONNECTORS.some((name) => {
    const tools = usableTools(after, name);
    const option = after.surfaceOptions[name];
    if (tools.length === 0 || !option) return false;
    const had = new Set(usableTools(before, name));
    const was = before.surfaceOptions[name];
    return !was || tools.some((tool) => !had.has(tool)) || isWiderOption(was, option);
  });
}

function usableTools(ceiling: Ceiling, name: Connector): TerminalTool[] {
  const isOpen = (ceiling.surfaceOptions[name]?.backends.length ?? 0) > 0;
  return isOpen ? ceiling.tools.filter((tool) => connectorOf(tool) === name) : [];
}

function isWiderOption(before: SurfaceOption, after: SurfaceOption): boolean {
  return (
    after.backends.some((backend) => !before.backends.includes(backend)) ||
    (before.targets === 'single' && after.targets === 'any') ||
    !(after.prefix ?? '').startsWith(before.prefix ?? '')
  );
}

/** What makes a ceiling one that nobody should publish, in words; null when nothing does. */
export function ceilingObstacle(ceiling: Ceiling): string | null {
  if (ceiling.tools.length === 0) return 'an operator needs at least one tool';
  for (const name of CONNECTORS) {
    const tools = ceiling.tools.filter((tool) => connectorOf(tool) === name);
    const option = ceiling.surfaceOptions[name];
    if (tools.length === 0) {
      if (option) return `no tool uses the limits of ${name}: add one, or leave them out`;
      continue;
    }
    if (!option || option.backends.length === 0)
      return `${tools.join(', ')} can reach nothing: say for ${name} which terminals are open`;
    const foreign = option.backends.find((backend) => !CONNECTOR_BACKENDS[name].includes(backend));
    if (foreign) return `${name} tools cannot reach ${foreign}`;
  }
  return null;
}
