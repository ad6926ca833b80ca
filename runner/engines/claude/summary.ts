/** The plan that a call puts before the person; null for every other tool and for none. */
export function planOf(toolName: string, input: unknown): string | null {
  if (toolName !== 'ExitPlanMode') return null;
  if (typeof input !== 'object' || input === null || !('plan' in input)) return null;
  return typeof input.plan === 'string' && input.plan.trim() ? input.plan : null;
}

/** The shell command of a tool call that runs one; null for every other tool. */
export function shellCommandOf(toolName: string, input: unknown): string | null {
  if (toolName !== 'Bash' && toolName !== 'Monitor') return null;
  if (typeof input !== 'object' || input === null || !('command' in input)) return null;
  return typeof input.command === 'string' ? input.command : null;
}
