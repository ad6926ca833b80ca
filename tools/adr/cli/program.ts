import { Command, CommanderError } from 'commander';
import { AdrFailure, EXIT, type ExitCode } from '../failure.ts';
import { COMMAND, TOOL } from '../version.ts';
import { addCheck } from './check.ts';
import { addGraph } from './graph.ts';
import { addInit } from './init.ts';
import { addList } from './list.ts';
import { addNew } from './new.ts';
import { print, printFailure } from './output.ts';
import { addShow } from './show.ts';
import { addSupersede } from './supersede.ts';
import { addWhy } from './why.ts';

const EPILOGUE = `
Exit codes: 0 clean or done, 1 violations, 2 could not check (wrong usage included).
Records are looked for in docs/adr, docs/decisions, doc/adr and adr, or where .adr.json says.`;

/** Ends a command with its exit code, where the command has said all there is to say. */
export type End = (code: ExitCode) => void;

function createProgram(json: boolean, end: End): Command {
  const program = new Command(COMMAND)
    .description('Architecture decision records that fail the build when they are broken')
    .version(TOOL.version, '-V, --version')
    .showSuggestionAfterError()
    .showHelpAfterError('(add --help for what is possible)')
    .addHelpText('after', EPILOGUE)
    .exitOverride()
    .configureOutput({ writeErr: (text) => void (json || process.stderr.write(text)) });
  addInit(program);
  addNew(program);
  addList(program);
  addShow(program);
  addSupersede(program);
  addCheck(program, end);
  addGraph(program);
  addWhy(program);
  return program;
}

/** Runs one command line and answers its exit code. Nothing is thrown. */
export async function runAdr(argv: readonly string[]): Promise<ExitCode> {
  const json = argv.includes('--json');
  let code: ExitCode = EXIT.clean;
  try {
    const program = createProgram(json, (ended) => {
      code = ended;
    });
    if (argv.length === 0) {
      print(false, null, () => program.helpInformation().trimEnd());
      return EXIT.clean;
    }
    await program.parseAsync(argv, { from: 'user' });
    return code;
  } catch (error) {
    // Commander has printed the help that was asked for, or its own sentence.
    if (error instanceof CommanderError && error.exitCode === 0) return EXIT.clean;
    if (!(error instanceof CommanderError)) printFailure(json, error);
    else if (json) printFailure(true, new AdrFailure('usage', error.message));
    return EXIT.couldNotCheck;
  }
}
