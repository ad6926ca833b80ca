import { classifyCommand } from '../../../runner/acts/classify.ts';

/** The acts of a line in one readable form: `push origin main`, a `?` after an uncertain one. */
export function actsOf(commandLine: string): string[] {
  return classifyCommand(commandLine).map(
    (act) => `${act.kind}${act.uncertain ? '?' : ''}${act.target === null ? '' : ` ${act.target}`}`,
  );
}
