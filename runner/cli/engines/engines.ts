import type { Command } from 'commander';
import { addApprovals } from './approve.ts';
import { addEdit } from './edit.ts';
import { addFiles } from './files.ts';
import { addHistory } from './history.ts';
import { addListEngines } from './list.ts';
import { addShowEngine } from './show.ts';

/** `pilothouse engines …`: which engines there are, one's own among them, and what may run here. */
export function addEngines(program: Command): void {
  const engines = program
    .command('engines')
    .description('list engines, describe your own, and approve them on this machine');
  addListEngines(engines);
  addShowEngine(engines);
  addEdit(engines);
  addFiles(engines);
  addHistory(engines);
  addApprovals(engines);
}
