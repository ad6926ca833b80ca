import { versionOf } from '../../../tools/engines/install.ts';
import { ClaudeWorld } from '../../e2e/claude-world.ts';
import { CodexWorld } from '../../e2e/codex-world.ts';
import { GEMINI_CANARY, GeminiWorld } from '../../e2e/gemini-world.ts';
import { OPENCODE_CANARY, OpencodeWorld } from '../../e2e/opencode-world.ts';
import { QWEN_CANARY, QwenWorld } from '../../e2e/qwen-world.ts';
import { billOf, tokensOf } from '../../support/model-api/bill.ts';
import { chatBillOf, chatTokensOf } from '../../support/model-api/chat-api.ts';
import { geminiBillOf, geminiTokensOf } from '../../support/model-api/gemini-bill.ts';
import { CANARY_KEY } from '../../support/model-api/raw-claude.ts';
import { responsesBillOf, responsesTokensOf } from '../../support/model-api/responses.ts';
import { calls, type Reply, runs } from '../../support/model-api/script.ts';
import type { EngineRecord, EngineWorld, Records } from './record.ts';

const CODEX_CANARY = 'sk-canary-8c2d51f07be94a63';

const refused = (status: number, type: string, headers?: Record<string, string>): Reply => ({
  kind: 'error',
  status,
  type,
  message: 'scripted',
  ...(headers && { headers }),
});

/** How a provider says that it has no such model, in words that no engine knows by heart. */
const NO_MODEL = 'model: gone-9 was not found';

const claude: EngineRecord = {
  kind: 'proven',
  version: versionOf('claude'),
  start: (script) => ClaudeWorld.start(script, CANARY_KEY),
  runs,
  bill: (world, from) => ({
    microUsd: billOf((world as ClaudeWorld).api.served.slice(from)),
    roundedMicroUsd: 0,
  }),
  tokens: (world, from) => tokensOf((world as ClaudeWorld).api.served.slice(from)),
  canary: CANARY_KEY,
  unasked: ['--approvals', 'accept_edits'],
  cutOff: 'ok',
  triesAgainAfter: [refused(529, 'overloaded_error')],
  delegates: (prompt) => [
    calls('Task', {
      description: 'count',
      prompt,
      subagent_type: 'general-purpose',
      run_in_background: false,
    }),
  ],
  refusals: [
    { status: 401, type: 'authentication_error', code: 'auth_expired' },
    { status: 429, type: 'rate_limit_error', code: 'rate_limited' },
    { status: 529, type: 'overloaded_error', code: 'overloaded' },
    { status: 404, type: 'not_found_error', message: NO_MODEL, code: 'model_not_found' },
  ],
};

/** An answer that is cut off brings no figures: what it cost, nobody is told. */
const toldByCodex = (world: EngineWorld, from: number) =>
  (world as CodexWorld).api.served.slice(from).filter(({ complete }) => complete);

const codex: EngineRecord = {
  kind: 'proven',
  version: versionOf('codex'),
  start: (script) => CodexWorld.start(script, CODEX_CANARY),
  runs,
  bill: (world, from) => ({
    microUsd: responsesBillOf(toldByCodex(world, from)),
    roundedMicroUsd: 0,
  }),
  tokens: (world, from) => responsesTokensOf(toldByCodex(world, from)),
  canary: CODEX_CANARY,
  unasked: ['--approvals', 'bypass'],
  subagentTool: /spawn_agent/,
  cutOff: 'failed',
  triesAgainAfter: [
    {
      kind: 'message',
      content: [{ type: 'text', text: 'a b c d e f' }],
      cutAfter: 3,
    },
  ],
  refusals: [
    { status: 401, type: 'invalid_api_key', code: 'auth_expired' },
    { status: 429, type: 'rate_limit_exceeded', code: 'rate_limited' },
    { status: 503, type: 'server_error', code: 'overloaded' },
    { status: 404, type: 'model_not_found', message: NO_MODEL, code: 'model_not_found' },
  ],
};

/** Where it asks: the same engine, model and bill, and subagents, whose threads it tells of. */
const codexAppServer: EngineRecord = {
  ...codex,
  subagentTool: undefined,
  unasked: ['--approvals', 'ask'],
  delegates: (prompt) => [
    calls('collaboration.spawn_agent', {
      task_name: 'helper',
      message: prompt,
      fork_turns: 'none',
    }),
    calls('collaboration.wait_agent', { timeout_ms: 60_000 }),
  ],
};

const gemini: EngineRecord = {
  kind: 'proven',
  version: versionOf('gemini'),
  start: (script) => GeminiWorld.start(script),
  runs: (command) => calls('run_shell_command', { command, description: 'run it' }),
  // Each entry is rounded by half a micro-dollar at most, two turns of two models are four, and
  // the bill itself rounds once for each model.
  bill: (world, from) => ({
    microUsd: geminiBillOf((world as GeminiWorld).api.served.slice(from)),
    roundedMicroUsd: 3,
  }),
  tokens: (world, from) => geminiTokensOf((world as GeminiWorld).api.served.slice(from)),
  canary: GEMINI_CANARY,
  unasked: [],
  cutOff: 'failed',
  // It waits five seconds and then ten, whatever shorter wait it is told.
  triesAgainAfter: [refused(429, 'RESOURCE_EXHAUSTED'), refused(503, 'UNAVAILABLE')],
  patiently: (script) => GeminiWorld.start(script, GEMINI_CANARY, 'its own'),
  subagentTool: /"invoke_agent"/,
  refusals: [
    { status: 401, type: 'UNAUTHENTICATED', code: 'auth_expired' },
    { status: 429, type: 'RESOURCE_EXHAUSTED', code: 'rate_limited' },
    { status: 503, type: 'UNAVAILABLE', code: 'overloaded' },
    { status: 404, type: 'NOT_FOUND', message: NO_MODEL, code: 'model_not_found' },
  ],
};

/** Where it asks: what it tells of its use is not what is billed, and of a command not its exit. */
const geminiAcp: EngineRecord = {
  ...gemini,
  subagentTool: undefined,
  triesAgainAfter: undefined,
  unasked: ['--approvals', 'ask'],
  pushed: 'unknown',
};

const opencode: EngineRecord = {
  kind: 'proven',
  version: versionOf('opencode'),
  start: (script) => OpencodeWorld.start(script),
  runs: (command) => calls('bash', { command, description: 'run it' }),
  bill: (world, from) => ({
    microUsd: billOf((world as OpencodeWorld).api.served.slice(from)),
    roundedMicroUsd: 0,
  }),
  canary: OPENCODE_CANARY,
  unasked: ['--approvals', 'ask'],
  // After five more attempts, for which it waits a minute in all.
  cutOff: 'failed',
  // It waits as long as it is told, and twice as long each time where it is not.
  triesAgainAfter: [
    refused(429, 'rate_limit_error', { 'retry-after-ms': '50' }),
    refused(529, 'overloaded_error', { 'retry-after-ms': '50' }),
    refused(429, 'rate_limit_error', { 'retry-after-ms': '50' }),
  ],
  subagentTool: /"name":"task"/,
  // It hands on the provider's words without the status. Where there is a rate or an overload to wait
  // for it asks five times more, without a word.
  refusals: [
    {
      status: 401,
      type: 'authentication_error',
      message: 'invalid x-api-key',
      code: 'auth_expired',
    },
    {
      status: 429,
      type: 'rate_limit_error',
      message: 'This request would exceed your account’s rate limit. Please try again later.',
      headers: { 'retry-after-ms': '50' },
      code: 'rate_limited',
    },
    {
      status: 529,
      type: 'overloaded_error',
      message: 'Overloaded',
      headers: { 'retry-after-ms': '50' },
      code: 'overloaded',
    },
    { status: 404, type: 'not_found_error', message: NO_MODEL, code: 'model_not_found' },
  ],
};

/** How long an engine is to wait before it asks again. */
const SOON = { 'retry-after-ms': '50' };

const qwen: EngineRecord = {
  kind: 'proven',
  version: versionOf('qwen'),
  start: (script) => QwenWorld.start(script),
  runs: (command) =>
    calls('run_shell_command', { command, description: 'run it', is_background: false }),
  // Each of two turns is rounded once, and so is the bill.
  bill: (world, from) => ({
    microUsd: chatBillOf((world as QwenWorld).api.served.slice(from)),
    roundedMicroUsd: 1,
  }),
  tokens: (world, from) => chatTokensOf((world as QwenWorld).api.served.slice(from)),
  canary: QWEN_CANARY,
  unasked: ['--approvals', 'ask'],
  cutOff: 'failed',
  triesAgainAfter: [refused(429, 'rate_limit_exceeded', SOON), refused(503, 'server_error', SOON)],
  subagentTool: /"name":"agent"/,
  // It asks seven times, for more than a minute in all where it is not told how long to wait.
  refusals: [
    { status: 401, type: 'invalid_api_key', code: 'auth_expired' },
    { status: 429, type: 'rate_limit_exceeded', code: 'rate_limited', headers: SOON },
    { status: 503, type: 'server_error', code: 'overloaded', headers: SOON },
    { status: 404, type: 'model_not_found', message: NO_MODEL, code: 'model_not_found' },
  ],
};

/** One record per registered engine. */
export const RECORDS: Records = {
  claude,
  codex,
  'codex-app-server': codexAppServer,
  gemini,
  'gemini-acp': geminiAcp,
  opencode,
  qwen,
  rehearsal: {
    kind: 'no-model',
    reason: 'It is part of the product and asks no model; test/runner/engines/rehearsal proves it.',
  },
};
