import { calls, runs, says, type Script } from '../../support/model-api/script.ts';
import { answer, control, isResult, startRun, waitForAsk, type Run } from './run.ts';

/** One recording: what the model says, how claude is started, and what its driver does. */
export type Scenario = {
  script: Script;
  args?: readonly string[];
  env?: Record<string, string>;
  /** `null` starts claude without a key. */
  apiKey?: string | null;
  drive(run: Run): Promise<void>;
};

/** As root, claude refuses this mode unless it is told that it runs in a sandbox. */
const BYPASS = { args: ['--permission-mode', 'bypassPermissions'], env: { IS_SANDBOX: '1' } };

const allow = async (run: Run) => {
  const asked = await waitForAsk(run.claude);
  answer(run.claude, asked, { behavior: 'allow', updatedInput: asked.request.input });
};

const instruct = (text: string) => async (run: Run) => {
  run.claude.say(text);
  await run.claude.waitFor(isResult);
};

const SLOW = { pieceMs: 150 } as const;
/** A command that waits: claude refuses a `sleep` of more than a few seconds before it starts. */
export const WAITS = 'timeout 40 tail -f /dev/null';
const LONG = 'one two three four five six seven eight nine ten eleven twelve thirteen fourteen';

export const SCENARIOS: Record<string, Scenario> = {
  'text-turns': {
    script: {
      'first question': [
        {
          kind: 'message',
          content: [
            { type: 'thinking', thinking: 'Short is better.' },
            { type: 'text', text: 'A short answer.' },
          ],
        },
      ],
      'second question': [says('Another answer.')],
    },
    async drive(run) {
      await control(run.claude, 'initialize-1', { subtype: 'initialize' });
      await control(run.claude, 'usage-1', { subtype: 'get_usage' });
      await instruct('first question')(run);
      await instruct('second question')(run);
      await control(run.claude, 'usage-2', { subtype: 'get_usage' });
    },
  },
  approvals: {
    script: {
      'make two files': [
        calls('Write', { file_path: 'allowed.txt', content: 'yes\n' }, 'I will write a file.'),
        calls('Bash', { command: 'touch denied.txt', description: 'Create a file' }),
        says('One was made.'),
      ],
    },
    async drive(run) {
      run.claude.say('make two files');
      await allow(run);
      const second = await waitForAsk(run.claude);
      answer(run.claude, second, { behavior: 'deny', message: 'Not this one.' });
      await run.claude.waitFor(isResult);
    },
  },
  'tools-bypass': {
    ...BYPASS,
    script: {
      'look around': [
        {
          kind: 'message',
          content: [
            { type: 'text', text: 'Both at once.' },
            {
              type: 'tool_use',
              name: 'Bash',
              input: { command: 'cat README.md', description: 'Read' },
            },
            {
              type: 'tool_use',
              name: 'Bash',
              input: { command: 'echo lost >&2; exit 3', description: 'Fail' },
            },
          ],
        },
        says('Seen.'),
      ],
    },
    drive: instruct('look around'),
  },
  subagent: {
    ...BYPASS,
    script: {
      'have it counted': [
        calls('Task', {
          description: 'Count the files',
          prompt: 'subtask: count files',
          subagent_type: 'general-purpose',
          run_in_background: false,
        }),
        says('There is one file.'),
      ],
      'subtask: count files': [runs('ls | wc -l'), says('I count 1.')],
    },
    drive: instruct('have it counted'),
  },
  'interrupt-text': {
    script: {
      'tell a long story': [{ kind: 'message', content: [{ type: 'text', text: LONG }], ...SLOW }],
      'and now': [says('Here again.')],
    },
    async drive(run) {
      run.claude.say('tell a long story');
      await run.claude.waitFor(
        (line) => line.type === 'stream_event' && JSON.stringify(line).includes('three'),
      );
      await control(run.claude, 'interrupt-1', { subtype: 'interrupt' });
      await run.claude.waitFor(isResult);
      await instruct('and now')(run);
    },
  },
  'interrupt-tool': {
    ...BYPASS,
    script: { 'wait long': [runs(WAITS)] },
    async drive(run) {
      run.claude.say('wait long');
      await run.claude.waitFor(({ type }) => type === 'assistant');
      await new Promise((resolve) => setTimeout(resolve, 1000));
      await control(run.claude, 'interrupt-1', { subtype: 'interrupt' });
      await run.claude.waitFor(isResult);
    },
  },
  question: {
    script: {
      'ask me': [
        calls('AskUserQuestion', {
          questions: [
            {
              question: 'Which colour?',
              header: 'Colour',
              multiSelect: false,
              options: [
                { label: 'Red', description: 'Warm' },
                { label: 'Blue', description: 'Cool' },
              ],
            },
          ],
        }),
        says('Blue it is.'),
      ],
    },
    async drive(run) {
      run.claude.say('ask me');
      const asked = await waitForAsk(run.claude);
      const updatedInput = { ...asked.request.input, answers: { 'Which colour?': 'Blue' } };
      answer(run.claude, asked, { behavior: 'allow', updatedInput });
      await run.claude.waitFor(isResult);
    },
  },
  'git-push': {
    ...BYPASS,
    script: {
      'publish it': [
        runs('echo more >> README.md && git commit -qam "Say more"'),
        runs('git push origin HEAD:main'),
        says('Pushed.'),
      ],
    },
    drive: instruct('publish it'),
  },
  steer: {
    ...BYPASS,
    script: {
      'start slowly': [runs('sleep 2; echo slept'), says('Both done.')],
      'also this': [says('Both done.')],
    },
    async drive(run) {
      run.claude.say('start slowly');
      await run.claude.waitFor(({ type }) => type === 'assistant');
      run.claude.say('also this');
      await run.claude.waitFor(isResult);
      await new Promise((resolve) => setTimeout(resolve, 500));
    },
  },
  'eof-pending-approval': {
    script: {
      'touch it': [calls('Bash', { command: 'touch x', description: 'x' }), says('Over.')],
    },
    async drive(run) {
      run.claude.say('touch it');
      await waitForAsk(run.claude);
      await run.claude.end();
    },
  },
  'eof-mid-text': {
    script: {
      'tell a long story': [{ kind: 'message', content: [{ type: 'text', text: LONG }], ...SLOW }],
    },
    async drive(run) {
      run.claude.say('tell a long story');
      await run.claude.waitFor(({ type }) => type === 'stream_event');
      await run.claude.end();
    },
  },
  'no-key': { script: {}, apiKey: null, drive: instruct('hello') },
  'refused-401': {
    script: {
      hello: [
        { kind: 'error', status: 401, type: 'authentication_error', message: 'invalid x-api-key' },
      ],
    },
    env: { CLAUDE_CODE_MAX_RETRIES: '1' },
    drive: instruct('hello'),
  },
};

/** Plays one scenario to its end; the process is over when this resolves. */
export async function play(
  scenario: Scenario,
  hooks: Pick<NonNullable<Parameters<typeof startRun>[1]>, 'onStart' | 'onTraffic'> = {},
): Promise<Run> {
  const { script, drive, ...options } = scenario;
  const run = await startRun(script, { ...options, ...hooks });
  try {
    await drive(run);
    await run.claude.end();
  } catch (error) {
    run.claude.kill('SIGKILL');
    throw error;
  } finally {
    await run.claude.exited;
    await run.api.close();
    run.workspace.remove();
  }
  return run;
}
