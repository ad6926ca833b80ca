import type { Command } from 'commander';
import { addKeys } from './keys.ts';
import { addList } from './list.ts';
import { addShow } from './show.ts';

/** `pilothouse decisions …`: what builds found of decision records, and the keys they post with. */
export function addDecisions(program: Command): void {
  const decisions = program
    .command('decisions')
    .description('what builds found of decision records; keys for builds');
  addList(decisions);
  addShow(decisions);
  addKeys(decisions);
}
