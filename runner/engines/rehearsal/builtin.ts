import type { Script, Step, StepOf } from './script.ts';

/** The name by which the scratch repository is recognised: see `repository.ts`. */
export const SCRATCH_PROJECT = 'harbour-log';

const say = (text: string, when?: Step['when']): StepOf<'text'> => ({
  do: 'text',
  text,
  when,
  chunkChars: 8,
  everyMs: 15,
});

const bash = (command: string, description: string, ask = false): StepOf<'bash'> => ({
  do: 'bash',
  command,
  description,
  ask,
  background: false,
  timeoutMs: 120_000,
});

const usage = (outputTokens: number, costUsd: number): StepOf<'usage'> => ({
  do: 'usage',
  inputTokens: 1_200,
  outputTokens,
  cacheReadTokens: 8_400,
  cacheWriteTokens: 600,
  costUsd,
});

const again: Step[] = [
  say('Here is what the history looks like now.'),
  bash('git log --oneline -n 5', 'Show recent commits'),
  say('That is all there is to this rehearsal: a real engine would now do what you asked.'),
  usage(60, 0.0031),
];

/** Played in the scratch repository: finds the bug, repairs it, commits, asks before pushing. */
export const SCRATCH_SCRIPT: Script = {
  turns: [
    [
      {
        do: 'thinking',
        text: 'A test is failing. I will run it, read the function it covers, and repair that.',
        narration: false,
      },
      say('I will start with the tests, to see what fails.'),
      bash('node --test', 'Run the tests'),
      { do: 'read', path: 'src/tide.js' },
      say('The average is divided by one too many. I will correct `src/tide.js`.'),
      {
        do: 'edit',
        path: 'src/tide.js',
        find: '/ (readings.length + 1)',
        replace: '/ readings.length',
        ask: false,
      },
      bash('node --test', 'Run the tests again'),
      bash(
        'git add src/tide.js && git commit -m "Divide the average tide by the number of readings"',
        'Commit the correction',
      ),
      say(
        'The tests pass and the correction is committed. Pushing leaves this machine, so I ask first.',
      ),
      bash('git push origin HEAD', 'Push the branch', true),
      say(
        'Pushed. The failing test was right: the average counted one reading too many.',
        'allowed',
      ),
      say('I left it unpushed, as you asked. The commit is on the branch.', 'denied'),
      usage(420, 0.0184),
    ],
    again,
  ],
};

/** Played in a repository of the person's own: looks, asks to write one note, pushes nothing. */
export const VISITOR_SCRIPT: Script = {
  turns: [
    [
      say(
        'This is a rehearsal in a repository of your own, so I only look around and write one note.',
      ),
      bash('git status --short --branch', 'Show the state of the repository'),
      {
        do: 'write',
        path: 'REHEARSAL.md',
        content:
          '# Rehearsal\n\nWritten by a rehearsal of Pilothouse. Nothing was asked of a model. Delete it whenever you like.\n',
        ask: true,
      },
      say('I wrote `REHEARSAL.md`. Nothing was committed or pushed.', 'allowed'),
      say('I wrote nothing, as you asked.', 'denied'),
      usage(180, 0.0062),
    ],
    again,
  ],
};
