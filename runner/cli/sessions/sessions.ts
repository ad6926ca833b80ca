import type { Command } from 'commander';
import { addActions } from './actions.ts';
import { addAnswers } from './answer.ts';
import { addByHand } from './by-hand.ts';
import { addDiff } from './diff.ts';
import { addFork } from './fork.ts';
import { addLand } from './land.ts';
import { addList } from './list.ts';
import { addPack } from './pack.ts';
import { addPreview } from './preview.ts';
import { addReport } from './report.ts';
import { addRewind } from './rewind.ts';
import { addSay } from './say.ts';
import { addShow } from './show.ts';
import { addStatus } from './status.ts';

/** `pilothouse sessions …`: what can be done with sessions that exist. */
export function addSessions(program: Command): void {
  const sessions = program.command('sessions').description('list sessions, look at one, drive one');
  addList(sessions);
  addShow(sessions);
  addStatus(sessions);
  addDiff(sessions);
  addLand(sessions);
  addRewind(sessions);
  addPreview(sessions);
  addFork(sessions);
  addReport(sessions);
  addSay(sessions);
  addActions(sessions);
  addAnswers(sessions);
  addPack(sessions);
  addByHand(sessions);
}
