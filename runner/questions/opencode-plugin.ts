/**
 * What OpenCode loads so that it asks through the hook's program. Its dialog stands meanwhile, and
 * whichever answers first is taken: to a request that has its answer, another one is an error.
 * It runs inside of OpenCode and imports nothing: there is only what that brings.
 * Source: opencode.ai/docs/plugins (`event`) and the operation `permission.reply` of its server's
 * /doc; seen with 1.18.33, which never calls the hook `permission.ask` that it documents.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';

type Asked = {
  id: string;
  /** The permission, which is the name of a tool as often as not. */
  permission: string;
  /** Command lines, or files from the worktree. */
  patterns: string[];
  metadata: Record<string, unknown>;
};
type Event =
  | { type: 'permission.asked'; properties: Asked }
  | { type: 'permission.replied'; properties: { requestID: string } };
type Reply = { reply: 'once' } | { reply: 'reject'; message: string };
type Place = {
  directory: string;
  worktree: string;
  client: {
    _client: {
      post(request: {
        url: string;
        body: Reply;
        headers: Record<string, string>;
      }): Promise<{ error?: unknown }>;
    };
  };
};
/** The words of the hook's program, its arguments included. */
type Options = { hook: [string, ...string[]] };

/** Permissions whose patterns are files. */
const FILES: ReadonlySet<string> = new Set(['read', 'edit', 'list', 'external_directory']);

export function Pilothouse({ client, directory, worktree }: Place, { hook }: Options) {
  const open = new Map<string, ChildProcess>();

  function ask(asked: Asked): void {
    const [program, ...words] = hook;
    const child = spawn(program, words, { stdio: ['pipe', 'pipe', 'ignore'] });
    open.set(asked.id, child);
    child.on('error', () => open.delete(asked.id));
    child.on('close', () => open.delete(asked.id));
    child.stdin.on('error', () => undefined);
    child.stdin.write(`${JSON.stringify(questionOf(asked, directory, worktree))}\n`);
    createInterface({ input: child.stdout }).once('line', (line) => {
      open.delete(asked.id);
      answer(asked.id, line).then(
        // What was answered otherwise meanwhile is not told as taken.
        (taken) => child.stdin.end(taken ? 'taken\n' : ''),
        () => child.stdin.end(),
      );
    });
  }

  async function answer(id: string, line: string): Promise<boolean> {
    const { error } = await client._client.post({
      url: `/permission/${id}/reply`,
      body: replyOf(line),
      headers: { 'content-type': 'application/json' },
    });
    return error === undefined;
  }

  return Promise.resolve({
    event({ event }: { event: Event }): Promise<void> {
      if (event.type === 'permission.asked') ask(event.properties);
      // In the terminal, or along with another of the same conversation.
      if (event.type === 'permission.replied') open.get(event.properties.requestID)?.stdin?.end();
      return Promise.resolve();
    },
  });
}

/** The question in the form in which other agents give it to the hook's program. */
const questionOf = (asked: Asked, cwd: string, worktree: string) => ({
  hook_event_name: 'PermissionRequest',
  tool_name: asked.permission,
  tool_input: { ...asked.metadata, ...touchedBy(asked, worktree) },
  cwd,
});

function touchedBy({ permission, patterns, metadata }: Asked, worktree: string) {
  if (FILES.has(permission))
    return { files: patterns.map((path) => ({ path: resolve(worktree, path) })) };
  if (permission !== 'bash') return { patterns: patterns.join('\n') };
  // The whole line stands in the metadata; its parts would be shown twice.
  return 'command' in metadata ? {} : { commands: patterns.map((command) => ({ command })) };
}

function replyOf(line: string): Reply {
  const { hookSpecificOutput } = JSON.parse(line) as {
    hookSpecificOutput: { decision: { behavior: 'allow' | 'deny'; message?: string } };
  };
  const { behavior, message = '' } = hookSpecificOutput.decision;
  // Never `always`: what comes next is asked as well.
  return behavior === 'allow' ? { reply: 'once' } : { reply: 'reject', message };
}
