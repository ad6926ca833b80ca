import type { Command } from 'commander';
import { addListCheckouts } from './list.ts';
import { addRemoveCheckouts } from './remove.ts';

/** `pilothouse checkouts …`: the directories in which sessions work, on one machine. */
export function addCheckouts(program: Command): void {
  const checkouts = program
    .command('checkouts')
    .description('list the checkouts of sessions on a machine, and remove them');
  addListCheckouts(checkouts);
  addRemoveCheckouts(checkouts);
}
