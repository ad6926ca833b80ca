import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { hookWords } from '../../../runner/questions/hook-command.ts';
import { type HookLine, HookSocket } from '../../../runner/questions/hook-socket.ts';
import { Pilothouse } from '../../../runner/questions/opencode-plugin.ts';
import { endProcessesOf } from '../../support/processes.ts';
import { until } from '../../support/until.ts';

/** The plugin as OpenCode loads it, with the hook's real program and the socket that this asks. */
let directory: string;
let socket: HookSocket;
let asked: HookLine[];
let taken: string[];
let left: number;
/** What OpenCode was told, and what it says to the next: an error where the request is over. */
let told: { url: string; body: unknown }[];
let error: unknown;
type Event = Parameters<Awaited<ReturnType<typeof Pilothouse>>['event']>[0]['event'];
let say: (event: Event) => Promise<void>;

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'pilothouse-plugin-'));
  [asked, taken, told, left, error] = [[], [], [], 0, undefined];
  const path = join(directory, 'ask.sock');
  socket = new HookSocket(path, {
    asked: async (line) => asked.push(line) > 0,
    taken: (id) => void taken.push(id),
    left: () => void (left += 1),
    failed: (failure) => {
      throw failure;
    },
  });
  socket.listen();
  const post = async ({ url, body }: { url: string; body: unknown }) => {
    told.push({ url, body });
    // It tells of every answer, its own included, before it says whether it took it.
    if (!error) await say({ type: 'permission.replied', properties: { requestID: 'per_1' } });
    return error ? { error } : {};
  };
  const place = {
    directory: '/code/shop/web',
    worktree: '/code/shop',
    client: { _client: { post } },
  };
  const hook: [string, ...string[]] = [...hookWords(path), '60000', 'opencode'];
  const { event } = await Pilothouse(place, { hook });
  say = (each) => event({ event: each });
});
afterEach(() => {
  socket.close();
  endProcessesOf(directory);
  rmSync(directory, { recursive: true });
});

const BASH = {
  id: 'per_1',
  permission: 'bash',
  patterns: ['touch a', 'git push'],
  metadata: { command: 'touch a && git push' },
};
async function ask(properties = BASH): Promise<HookLine> {
  await say({ type: 'permission.asked', properties });
  return until('the question', () => asked[0]);
}
const over = () => until('the hook to end', () => left === 1);
const inputOf = ({ hook }: HookLine) => (JSON.parse(hook) as { tool_input: unknown }).tool_input;

it('asks what OpenCode asks, and gives it a yes for this once', async () => {
  const line = await ask();
  expect(line.engine).toBe('opencode');
  expect(JSON.parse(line.hook)).toEqual({
    hook_event_name: 'PermissionRequest',
    tool_name: 'bash',
    tool_input: { command: 'touch a && git push' },
    cwd: '/code/shop/web',
  });
  socket.tell(line.id, { behavior: 'allow', message: '' });
  await over();
  expect(told).toEqual([{ url: '/permission/per_1/reply', body: { reply: 'once' } }]);
  expect(taken).toEqual([line.id]);
});

it('gives it a no with its reason', async () => {
  const { id } = await ask();
  socket.tell(id, { behavior: 'deny', message: 'A person said no.' });
  await over();
  expect(told[0]?.body).toEqual({ reply: 'reject', message: 'A person said no.' });
  expect(taken).toEqual([id]);
});

it('does not say that an answer was taken which came after the terminal’s', async () => {
  error = { _tag: 'PermissionNotFoundError' };
  const { id } = await ask();
  socket.tell(id, { behavior: 'allow', message: '' });
  await over();
  expect([told.length, taken]).toEqual([1, []]);
});

it('ends once it is answered in the terminal, and says nothing there', async () => {
  await ask();
  await say({ type: 'permission.replied', properties: { requestID: 'per_2' } });
  await say({ type: 'permission.replied', properties: { requestID: 'per_1' } });
  await over();
  expect([told, taken]).toEqual([[], []]);
});

it('leaves it to OpenCode’s dialog where nobody answers', async () => {
  const { id } = await ask();
  socket.tell(id, { behavior: 'none', message: '' });
  await over();
  expect(told).toEqual([]);
});

it('names files from the worktree by their whole path, and commands where they stand alone', async () => {
  const read = { id: 'per_1', permission: 'read', patterns: ['web/.env'], metadata: {} };
  expect(inputOf(await ask({ ...read, metadata: {} as never }))).toEqual({
    files: [{ path: '/code/shop/web/.env' }],
  });
  asked.length = 0;
  expect(inputOf(await ask({ ...BASH, id: 'per_3', metadata: {} as never }))).toEqual({
    commands: [{ command: 'touch a' }, { command: 'git push' }],
  });
});
