import { CodexWorld } from '../../e2e/codex-world.ts';
import { responsesBillOf } from '../../support/model-api/responses.ts';
import { runs } from '../../support/model-api/script.ts';
import type { EngineRecord, Records } from './record.ts';

const CODEX_CANARY = 'sk-canary-8c2d51f07be94a63';

const codex: EngineRecord = {
  kind: 'proven',
  start: (script) => CodexWorld.start(script, CODEX_CANARY),
  runs,
  bill: (world, from) => responsesBillOf((world as CodexWorld).api.served.slice(from)),
  canary: CODEX_CANARY,
  unasked: ['--approvals', 'bypass'],
  refusals: [
    { status: 401, type: 'invalid_api_key', code: 'auth_expired' },
    { status: 429, type: 'rate_limit_exceeded', code: 'rate_limited' },
    { status: 503, type: 'server_error', code: 'overloaded' },
  ],
};

/** One record per registered engine. */
export const RECORDS: Records = {
  claude: { kind: 'elsewhere', file: 'test/engines/claude-journey.test.ts' },
  codex,
  gemini: { kind: 'elsewhere', file: 'test/engines/gemini-journey.test.ts' },
  rehearsal: {
    kind: 'no-model',
    reason: 'It is part of the product and asks no model; test/runner/engines/rehearsal proves it.',
  },
};
