import { Argument, type Command } from 'commander';
import type { PilotAsk } from '../../../protocol/pilot.ts';
import { connect, type ConnectionOptions } from '../connect.ts';
import { parseCount, withConnection } from '../options.ts';
import { paintFor, print } from '../output.ts';
import { findSession } from '../sessions/find.ts';
import { readChecklist } from './checklist.ts';
import { describePilot } from './words.ts';

const DECISIONS = 5;
/** What may become of a long conversation, as it is typed. */
const LONG = ['anew', 'keep'] as const;

/** `pilothouse pilot …`: what drives a session by itself, and how a person steps in. */
export function addPilot(program: Command): void {
  const pilot = program
    .command('pilot')
    .description('see what a session’s Pilot does and why; pause, steer or stop it');
  addStatus(pilot);
  addPlain(pilot, 'pause', 'send nothing more; a turn that runs goes on', 'Pausing');
  addPlain(pilot, 'resume', 'go on, after a pause or a question', 'Resuming');
  addPlain(pilot, 'stop', 'stop the Pilot for good; the session stays yours', 'Stopping');
  const objective = withConnection(pilot.command('objective'))
    .description('change the objective, and with --checklist the checks')
    .argument('<session>', 'id of a session, or a part of it')
    .argument('<objective>', 'what to do, in your words')
    .option('--checklist <file>', 'file with the steps and their checks');
  objective.action(
    (text: string, words: string, options: ConnectionOptions & { checklist?: string }) =>
      send(text, options, 'Changed the objective of', () => ({
        action: 'objective',
        objective: words,
        ...(options.checklist !== undefined && { steps: readChecklist(options.checklist) }),
      })),
  );
  withConnection(pilot.command('confirm'))
    .description('say yes to what a co-pilot proposes, edited or not; or answer a question')
    .argument('<session>', 'id of a session, or a part of it')
    .option('--instruction <text>', 'send this in its place')
    .option('--step <n>', 'confirm only if it is still this step', parseCount)
    .option('--keep', 'go on in the conversation as it is, where it would be begun anew')
    .action(runConfirm);
  withConnection(pilot.command('conversation'))
    .description('say what becomes of a conversation that has grown long')
    .argument('<session>', 'id of a session, or a part of it')
    .addArgument(
      new Argument('<what>', 'begin it anew, told what was done, or keep it').choices(LONG),
    )
    .action((text: string, what: (typeof LONG)[number], options: ConnectionOptions) =>
      send(text, options, 'Told the Pilot of', () => ({
        action: 'conversation',
        beginsAnew: what === 'anew',
      })),
    );
}

function addStatus(pilot: Command): void {
  withConnection(pilot.command('status'))
    .description('where it stands, why, and its last decisions with their evidence')
    .argument('<session>', 'id of a session, or a part of it')
    .option('--decisions <n>', 'how many decisions to show', parseCount, DECISIONS)
    .action(async (text: string, options: ConnectionOptions & { decisions: number }) => {
      const { api } = connect(options, process.env);
      const { sessionId } = await findSession(api, text);
      const view = await api.readPilot(sessionId);
      const decisions = await api.listPilotDecisions(sessionId, options.decisions);
      print(options.json, { ...view, decisions }, () =>
        describePilot(view, decisions, paintFor(process.stdout)),
      );
    });
}

function addPlain(
  pilot: Command,
  action: 'pause' | 'resume' | 'stop',
  description: string,
  doing: string,
): void {
  withConnection(pilot.command(action))
    .description(description)
    .argument('<session>', 'id of a session, or a part of it')
    .action((text: string, options: ConnectionOptions) =>
      send(text, options, `${doing} the Pilot of`, () => ({ action })),
    );
}

async function runConfirm(
  text: string,
  options: ConnectionOptions & { instruction?: string; step?: number; keep?: true },
): Promise<void> {
  const { instruction, keep } = options;
  await send(text, options, 'Confirmed the next step of', async (readStep) => ({
    action: 'confirm',
    step: options.step ?? (await readStep()),
    ...(instruction !== undefined && { instruction }),
    ...(keep && { keep }),
  }));
}

async function send(
  text: string,
  options: ConnectionOptions,
  done: string,
  make: (readStep: () => Promise<number>) => PilotAsk | Promise<PilotAsk>,
): Promise<void> {
  const { api } = connect(options, process.env);
  const { sessionId } = await findSession(api, text);
  const ask = await make(async () => (await api.readPilot(sessionId)).step);
  await api.askPilot(sessionId, ask);
  print(
    options.json,
    { sessionId, action: ask.action, accepted: true },
    () => `${done} ${sessionId}. See it with \`pilothouse pilot status ${sessionId}\`.`,
  );
}
