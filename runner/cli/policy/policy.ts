import type { Command } from 'commander';
import { addPolicyHistory, addShowPolicy } from './show.ts';
import { addSetPolicy } from './set.ts';

/** `pilothouse policy …`: what sessions may merge, push, read and run. */
export function addPolicy(program: Command): void {
  const policy = program
    .command('policy')
    .description('show and set what sessions may merge, push, read and run');
  addShowPolicy(policy);
  addSetPolicy(policy);
  addPolicyHistory(policy);
}
