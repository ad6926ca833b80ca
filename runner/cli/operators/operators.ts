import type { Command } from 'commander';
import { addChat } from './chat/chat.ts';
import { addDefinitions } from './definitions.ts';
import { addInstances } from './instances.ts';
import { addMake } from './make.ts';
import { addTerminals } from './terminals.ts';

/** `pilothouse operators …`: agents at your own terminals, and what you let each of them do. */
export function addOperators(program: Command): void {
  const operators = program
    .command('operators')
    .description('let agents work in your own terminals, within what you agree to');
  addDefinitions(operators);
  addMake(operators);
  addTerminals(operators);
  addInstances(operators);
  addChat(operators);
}
