import { randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { askPerson, type Conversation, Interrupted } from './conversation.ts';
import { hunkOf } from './hunk.ts';
import {
  blockLine,
  type Message,
  messageDelta,
  messageStart,
  newMessage,
  toolResult,
} from './output.ts';
import { startShell } from './shell.ts';
import type { StepOf } from './script.ts';

type Call = {
  toolName: string;
  input: Record<string, unknown>;
  ask: boolean;
  parent?: string | null;
};
type Done = { content: string; failed: boolean; detail: unknown };

const REJECTED = "The user doesn't want to proceed with this tool use.";

/** One tool call, as the real engine tells it: announced, asked for if need be, run, answered. */
export async function callTool(
  conversation: Conversation,
  call: Call,
  run: (input: Record<string, unknown>, toolId: string) => Promise<Done>,
): Promise<void> {
  const toolId = `toolu_${randomUUID().replaceAll('-', '').slice(0, 22)}`;
  const parent = call.parent ?? null;
  const message: Message = newMessage(parent);
  const { output } = conversation;
  await output.line(messageStart(message));
  await output.line(
    blockLine(message, { type: 'tool_use', id: toolId, name: call.toolName, input: call.input }),
  );
  await output.line(messageDelta(message, 40));
  try {
    const input = mustAsk(conversation, call)
      ? await permitted(conversation, call, toolId)
      : call.input;
    if (typeof input === 'string') {
      await output.line(toolResult(toolId, input, true, `Error: ${input}`, parent));
      return;
    }
    const done = await run(input, toolId);
    await output.line(toolResult(toolId, done.content, done.failed, done.detail, parent));
  } catch (error) {
    if (!(error instanceof Interrupted)) throw error;
    await output.line(toolResult(toolId, REJECTED, true, 'User rejected tool use', parent));
    throw error;
  }
}

const EDITING = new Set(['Write', 'Edit']);

function mustAsk(conversation: Conversation, call: Call): boolean {
  if (call.toolName === 'AskUserQuestion') return true;
  if (!call.ask || conversation.permissionMode === 'bypassPermissions') return false;
  return !(EDITING.has(call.toolName) && conversation.permissionMode === 'acceptEdits');
}

/** The input that the person allowed, or the words of the denial. */
async function permitted(
  conversation: Conversation,
  call: Call,
  toolId: string,
): Promise<Record<string, unknown> | string> {
  const command = call.input['command'];
  const suggestions = EDITING.has(call.toolName)
    ? [{ type: 'setMode', mode: 'acceptEdits', destination: 'session' }]
    : typeof command === 'string'
      ? [
          {
            type: 'addRules',
            rules: [{ toolName: call.toolName, ruleContent: command }],
            behavior: 'allow',
            destination: 'session',
          },
        ]
      : [];
  const answer = await askPerson(conversation, {
    toolId,
    toolName: call.toolName,
    input: call.input,
    suggestions,
  });
  return answer.behavior === 'allow'
    ? (answer.updatedInput ?? call.input)
    : (answer.message ?? 'Denied.');
}

export async function playBash(
  conversation: Conversation,
  step: StepOf<'bash'>,
  parent: string | null = null,
): Promise<void> {
  const input = {
    command: step.command,
    description: step.description,
    ...(step.background ? { run_in_background: true } : {}),
  };
  await callTool(
    conversation,
    { toolName: 'Bash', input, ask: step.ask, parent },
    async (allowed, toolId) => {
      const shell = startShell(String(allowed['command']), conversation.directory, step.timeoutMs);
      if (step.background) {
        const taskId = toolId.slice(-9);
        void shell.ended.then((end) =>
          conversation.output.line({
            type: 'system',
            subtype: 'task_notification',
            task_id: taskId,
            tool_use_id: toolId,
            status: end.exitCode === 0 ? 'completed' : 'failed',
            uuid: randomUUID(),
          }),
        );
        const detail = { stdout: '', stderr: '', interrupted: false, backgroundTaskId: taskId };
        return {
          content: `Command running in background with ID: ${taskId}.`,
          failed: false,
          detail,
        };
      }
      conversation.shell = shell;
      const end = await shell.ended;
      conversation.shell = null;
      if (conversation.interrupted) throw new Interrupted();
      const failed = end.exitCode !== 0;
      const content = failed
        ? `Exit code ${end.exitCode ?? 137}\n${end.output}`
        : end.output || '(Bash completed with no output)';
      return {
        content,
        failed,
        detail: failed
          ? `Error: ${content}`
          : { stdout: end.output, stderr: '', interrupted: false },
      };
    },
  );
}

export async function playRead(conversation: Conversation, step: StepOf<'read'>): Promise<void> {
  const path = resolve(conversation.directory, step.path);
  await callTool(
    conversation,
    { toolName: 'Read', input: { file_path: path }, ask: false },
    async () => {
      const content = readFileSync(path, 'utf8');
      return {
        content,
        failed: false,
        detail: { type: 'text', file: { filePath: path, content } },
      };
    },
  );
}

export async function playWrite(conversation: Conversation, step: StepOf<'write'>): Promise<void> {
  const path = resolve(conversation.directory, step.path);
  const input = { file_path: path, content: step.content };
  await callTool(conversation, { toolName: 'Write', input, ask: step.ask }, async () => {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, step.content);
    const detail = {
      type: 'create',
      filePath: path,
      content: step.content,
      structuredPatch: [],
      originalFile: null,
    };
    return { content: `File created successfully at: ${path}`, failed: false, detail };
  });
}

export async function playEdit(conversation: Conversation, step: StepOf<'edit'>): Promise<void> {
  const path = resolve(conversation.directory, step.path);
  const input = { file_path: path, old_string: step.find, new_string: step.replace };
  await callTool(conversation, { toolName: 'Edit', input, ask: step.ask }, async () => {
    const before = readFileSync(path, 'utf8');
    if (!before.includes(step.find))
      return {
        content: 'String to replace not found in file.',
        failed: true,
        detail: 'Error: String to replace not found in file.',
      };
    const after = before.replace(step.find, () => step.replace);
    writeFileSync(path, after);
    const detail = {
      filePath: path,
      oldString: step.find,
      newString: step.replace,
      originalFile: before,
      structuredPatch: hunkOf(before, after),
    };
    return { content: `The file ${path} has been updated successfully.`, failed: false, detail };
  });
}

export async function playQuestion(
  conversation: Conversation,
  step: StepOf<'question'>,
): Promise<void> {
  const { question, header, options, multiSelect } = step;
  const input = { questions: [{ question, header, options, multiSelect }] };
  await callTool(
    conversation,
    { toolName: 'AskUserQuestion', input, ask: true },
    async (answered) => {
      const answers = answered['answers'] ?? {};
      return {
        content: `Your questions have been answered: ${JSON.stringify(answers)}`,
        failed: false,
        detail: answered,
      };
    },
  );
}

export async function playSubagent(
  conversation: Conversation,
  step: StepOf<'subagent'>,
): Promise<void> {
  const input = {
    description: step.description,
    prompt: step.text,
    subagent_type: 'general-purpose',
  };
  await callTool(conversation, { toolName: 'Task', input, ask: false }, async (_input, toolId) => {
    const said = newMessage(toolId);
    await conversation.output.line(blockLine(said, { type: 'text', text: step.text }));
    await playBash(
      conversation,
      {
        do: 'bash',
        command: step.command,
        description: '',
        background: false,
        timeoutMs: 120_000,
        ask: false,
      },
      toolId,
    );
    return {
      content: `${step.description}: done.`,
      failed: false,
      detail: { status: 'completed' },
    };
  });
}
