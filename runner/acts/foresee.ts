import type { ForeseenAct } from '../../protocol/terminal-command.ts';
import type { ClassifiedAct } from './types.ts';

/**
 * What a command line would do, for whoever decides whether it is sent. What was read from a file is
 * uncertain: it may be another one by the time it runs. Pure.
 */
export const foresee = ({
  kind,
  command,
  target,
  uncertain,
  file,
}: ClassifiedAct): ForeseenAct => ({
  kind,
  command,
  target,
  uncertain: uncertain || file !== undefined,
});
