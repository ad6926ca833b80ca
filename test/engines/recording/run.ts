import { installEngine } from '../../../tools/engines/install.ts';
import {
  claudeEnv,
  startRawClaude,
  type Line,
  type RawClaude,
  type Traffic,
} from '../../support/model-api/raw-claude.ts';
import type { Script } from '../../support/model-api/script.ts';
import { startModelApi, type ModelApi } from '../../support/model-api/server.ts';
import { createWorkspace, type Workspace } from './workspace.ts';

export type Run = { api: ModelApi; claude: RawClaude; workspace: Workspace };

/** What a supervisor passes: partial messages, echoes, approvals over the protocol. */
export const SUPERVISED = [
  '--include-partial-messages',
  '--replay-user-messages',
  '--permission-prompt-tool',
  'stdio',
] as const;

export type RunOptions = {
  args?: readonly string[];
  env?: Record<string, string>;
  apiKey?: string | null;
  /** A workspace to go on in; without it the run makes one. */
  workspace?: Workspace;
  api?: ModelApi;
  onStart?: (argv: string[], env: Record<string, string>, workspace: Workspace) => void;
  onTraffic?: (traffic: Traffic) => void;
};

/** Starts the real claude in a workspace of its own against a model API that plays `script`. */
export async function startRun(script: Script, options: RunOptions = {}): Promise<Run> {
  const workspace = options.workspace ?? createWorkspace();
  const api = options.api ?? (await startModelApi(script));
  const args = [...SUPERVISED, ...(options.args ?? ['--permission-mode', 'default'])];
  const env = { ...claudeEnv(workspace.home, api.url, options.apiKey), ...options.env };
  options.onStart?.(args, env, workspace);
  const claude = startRawClaude(installEngine('claude'), args, {
    cwd: workspace.repo,
    env,
    ...(options.onTraffic && { onTraffic: options.onTraffic }),
  });
  return { api, claude, workspace };
}

export const isResult = (line: Line) => line.type === 'result';

type Asked = { request_id: string; request: { tool_name: string; input: Record<string, unknown> } };

/** Waits for the next request to use a tool. */
export const waitForAsk = async (claude: RawClaude): Promise<Asked> => {
  const line = await claude.waitFor(
    ({ type, request }) =>
      type === 'control_request' && (request as { subtype?: string }).subtype === 'can_use_tool',
  );
  return line as unknown as Asked;
};

/** Answers a request to use a tool. */
export const answer = (claude: RawClaude, asked: Asked, response: Record<string, unknown>) =>
  claude.write({
    type: 'control_response',
    response: { subtype: 'success', request_id: asked.request_id, response },
  });

/** Sends a control request and resolves with the reply's inner part. */
export async function control(
  claude: RawClaude,
  id: string,
  request: Record<string, unknown>,
): Promise<Record<string, unknown>> {
  claude.write({ type: 'control_request', request_id: id, request });
  const line = await claude.waitFor(
    ({ type, response }) =>
      type === 'control_response' && (response as { request_id?: string }).request_id === id,
  );
  return line['response'] as Record<string, unknown>;
}
