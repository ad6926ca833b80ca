import { Command, CommanderError } from 'commander';
import { PilothouseError } from '../../protocol/errors.ts';
import { EXIT, type ExitCode, Failure } from '../failure.ts';
import { addActs } from './acts.ts';
import { addAudit } from './ledgers/audit.ts';
import { addAttach } from './attach/attach.ts';
import { addBrainKeys } from './brain-keys/brain-keys.ts';
import { addNotifications } from './notifications/notifications.ts';
import { addBreaches } from './breaches/breaches.ts';
import { addBudget } from './budgets/budget.ts';
import { addCheckouts } from './checkouts/checkouts.ts';
import { addChecks } from './checks/checks.ts';
import { addCompare } from './compare.ts';
import { addDecisions } from './decisions/decisions.ts';
import { addEngines } from './engines/engines.ts';
import { addGithub } from './github/github.ts';
import { addMcp } from './mcp/mcp.ts';
import { addOperators } from './operators/operators.ts';
import { addPolicy } from './policy/policy.ts';
import { addLaunch } from './launch.ts';
import { addLink } from './link.ts';
import { note, printFailure, QuietFailure, say } from './output.ts';
import { addPilot } from './pilot/pilot.ts';
import { addRunner } from './runner.ts';
import { addRunnerDoctor } from './runner-doctor.ts';
import { addSessions } from './sessions/sessions.ts';
import { addUp } from './up.ts';
import { addUsage } from './usage.ts';
import { addTakeover } from './takeover/takeover.ts';
import { addWatch } from './watch.ts';
import { readVersion } from './version.ts';

const EPILOGUE = `
Decision records have a tool of their own: pilothouse adr --help.

Exit codes: 0 done, 1 failed, 2 wrong usage, 3 not reachable or not running, 4 refused,
130 ended at once by a second Ctrl-C; sessions status has further ones, see its --help.
The running instance is found by its data directory (--data, PILOTHOUSE_DATA, ~/.pilothouse),
or set PILOTHOUSE_URL and PILOTHOUSE_TOKEN.`;

/** The whole command line. Each command adds itself. */
function createProgram(json: boolean): Command {
  const program = new Command('pilothouse')
    .description('A control plane for coding agents that work on your own machines')
    .version(readVersion(), '-V, --version')
    .showSuggestionAfterError()
    .showHelpAfterError('(add --help for what is possible)')
    .addHelpText('after', EPILOGUE)
    .exitOverride()
    // With --json what is wrong with the usage is an object too, printed where it is caught.
    .configureOutput({
      writeOut: say,
      writeErr: (text) => void (json || note(text)),
    });
  addUp(program);
  addLink(program);
  addLaunch(program);
  addSessions(program);
  addWatch(program);
  addCompare(program);
  addPilot(program);
  addChecks(program);
  addBrainKeys(program);
  addNotifications(program);
  addTakeover(program);
  addAttach(program);
  addUsage(program);
  addActs(program);
  addAudit(program);
  addBreaches(program);
  addCheckouts(program);
  addEngines(program);
  addPolicy(program);
  addBudget(program);
  addDecisions(program);
  addOperators(program);
  addMcp(program);
  addGithub(program);
  addRunner(program);
  addRunnerDoctor(program);
  return program;
}

/** Runs one command line and answers its exit code. Nothing is thrown. */
export async function runCli(argv: readonly string[]): Promise<ExitCode> {
  const json = argv.includes('--json');
  try {
    const program = createProgram(json);
    if (argv.length === 0) {
      program.outputHelp();
      return EXIT.ok;
    }
    if (argv[0] === 'help') {
      findCommand(program, argv.slice(1)).outputHelp();
      return EXIT.ok;
    }
    await program.parseAsync(argv, { from: 'user' });
    return EXIT.ok;
  } catch (error) {
    // Commander has printed the help that was asked for, or its own sentence.
    if (error instanceof CommanderError && error.exitCode === 0) return EXIT.ok;
    if (error instanceof CommanderError) {
      if (json) printFailure(true, new Failure(EXIT.usage, 'usage', error.message));
      return EXIT.usage;
    }
    if (error instanceof QuietFailure) return error.exitCode;
    printFailure(json, error);
    return exitCodeOf(error);
  }
}

/** The command that words name, for its help. Throws for a word that names none. */
function findCommand(program: Command, words: readonly string[]): Command {
  let found = program;
  for (const word of words.filter((each) => !each.startsWith('-'))) {
    const next = found.commands.find((command) => command.name() === word);
    if (!next)
      return found.error(`error: unknown command '${word}'`, { code: 'commander.unknownCommand' });
    found = next;
  }
  return found;
}

function exitCodeOf(error: unknown): ExitCode {
  if (error instanceof Failure) return error.exitCode;
  return error instanceof PilothouseError ? EXIT.refused : EXIT.failed;
}
