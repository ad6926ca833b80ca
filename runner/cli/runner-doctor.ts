import type { Command } from 'commander';
import { EXIT } from '../failure.ts';
import { dataDirectoryOf } from '../host/layout.ts';
import { print, paintFor, QuietFailure } from './output.ts';

/** `pilothouse runner doctor`, or `pilothouse doctor`: what keeps this machine from running sessions. */
export function addRunnerDoctor(parent: Command): void {
  parent
    .command('doctor')
    .description('check this machine and say what to do about each problem')
    .option('--data <directory>', 'data directory to check')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nEnds with 1 when there is a problem. Warnings are not problems.')
    .action(async (options: { data?: string; json?: true }) => {
      const { runDoctor } = await import('../doctor/doctor.ts');
      const { describeReport, hasProblems } = await import('../doctor/report.ts');
      const report = await runDoctor({
        ...process.env,
        PILOTHOUSE_DATA: dataDirectoryOf(options.data, process.env),
      });
      print(options.json, report, () => describeReport(report, paintFor(process.stdout)));
      if (hasProblems(report))
        throw new QuietFailure(EXIT.failed, 'doctor_problems', 'There are problems.');
    });
}
