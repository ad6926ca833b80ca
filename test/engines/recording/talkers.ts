import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ApprovalsMode } from '../../../protocol/launch.ts';
import { codexAppServer } from '../../../runner/engines/codex/app-server/preset.ts';
import type { Engine } from '../../../runner/engines/engine.ts';
import { geminiAcp } from '../../../runner/engines/gemini/acp.ts';
import { opencode } from '../../../runner/engines/opencode/preset.ts';
import { qwen } from '../../../runner/engines/qwen/preset.ts';
import { nativeOf } from '../../../runner/engines/codex/probe.ts';
import { installEngine, versionOf } from '../../../tools/engines/install.ts';
import { codexConfig } from '../../e2e/codex-world.ts';
import { GEMINI_SETTINGS } from '../../e2e/gemini-world.ts';
import { OPENCODE_QUIET, opencodeConfig } from '../../e2e/opencode-world.ts';
import { qwenSettings } from '../../e2e/qwen-world.ts';
import { startChatApi } from '../../support/model-api/chat-api.ts';
import { startGeminiApi } from '../../support/model-api/gemini-api.ts';
import { startModelApi } from '../../support/model-api/server.ts';
import { startResponsesApi } from '../../support/model-api/responses.ts';
import { calls, type Reply, runs, says, type Script } from '../../support/model-api/script.ts';
import type { Move } from './talk.ts';

export type TalkScenario = { script: Script; approvals?: ApprovalsMode; moves: readonly Move[] };

/** A persistent engine, the API that it asks, and what is recorded of it. */
export type Talker = {
  engine: Engine;
  folder: string;
  version: string;
  credential: string;
  startApi(script: Script): Promise<{ url: string; close(): Promise<void> }>;
  /** Writes the engine's own configuration into a home. */
  settle(
    home: string,
    url: string,
  ): { executable: string; env: Record<string, string>; model: string | null };
  scenarios: Readonly<Record<string, TalkScenario>>;
};

const turn = (text: string): Move[] => [{ do: 'instruct', text }, { until: 'turn/ended' }];
const asked: Move = { until: 'approval/requested' };
const allow: Move = { do: 'answer', decision: 'allow' };
const SLOW: Reply = {
  kind: 'message',
  content: [{ type: 'text', text: 'one two three four five six seven eight nine ten' }],
  pieceMs: 150,
};
const refused = (status: number, type: string, message = 'scripted'): Reply[] => [
  { kind: 'error', status, type, message },
];

/** What every engine of this kind is recorded at; `shell` and `edit` are how its model calls. */
function scenariosOf(
  shell: (command: string) => Reply,
  edit: Reply,
  resumeAfterMs?: number,
): Record<string, TalkScenario> {
  return {
    'text-turns': {
      script: {
        'first question': [says('A short answer.')],
        'second question': [says('Another.')],
      },
      moves: [...turn('first question'), ...turn('second question')],
    },
    approvals: {
      script: {
        'work on it': [
          shell('touch allowed.txt'),
          shell('git push -q origin HEAD:refs/heads/feature'),
          shell('touch denied.txt'),
          says('Two of three.'),
        ],
      },
      moves: [
        { do: 'instruct', text: 'work on it' },
        asked,
        allow,
        asked,
        allow,
        asked,
        { do: 'answer', decision: 'deny', message: 'Not this one.' },
        { until: 'turn/ended' },
      ],
    },
    'for-the-session': {
      script: { 'do it twice': [shell('touch one.txt'), shell('touch one.txt'), says('Twice.')] },
      moves: [
        { do: 'instruct', text: 'do it twice' },
        asked,
        { do: 'answer', decision: 'allow', suggestion: 0 },
        { until: 'turn/ended' },
      ],
    },
    'edit-asked': {
      script: { 'edit it': [edit, says('Edited.')] },
      moves: [{ do: 'instruct', text: 'edit it' }, asked, allow, { until: 'turn/ended' }],
    },
    'edit-freely': {
      approvals: 'accept_edits',
      script: { 'edit it': [edit, says('Edited.')] },
      moves: turn('edit it'),
    },
    'command-fails': {
      script: { 'fail once': [shell('echo lost >&2; exit 3'), says('It failed.')] },
      moves: [{ do: 'instruct', text: 'fail once' }, asked, allow, { until: 'turn/ended' }],
    },
    interrupt: {
      script: { 'count slowly': [SLOW], 'and now': [says('Here again.')] },
      moves: [
        { do: 'instruct', text: 'count slowly' },
        { until: 'delta' },
        { do: 'interrupt' },
        { until: 'turn/ended' },
        ...turn('and now'),
      ],
    },
    'interrupt-asked': {
      script: { 'touch it': [shell('touch x.txt'), says('Over.')] },
      moves: [
        { do: 'instruct', text: 'touch it' },
        asked,
        { do: 'interrupt' },
        { until: 'turn/ended' },
      ],
    },
    'kill-resume': {
      script: {
        'first question': [says('First.')],
        'count slowly': [SLOW],
        'and now': [says('Here.')],
      },
      moves: [
        ...turn('first question'),
        { do: 'instruct', text: 'count slowly' },
        { until: 'delta' },
        { do: 'kill' },
        { do: 'resume', ...(resumeAfterMs && { afterMs: resumeAfterMs }) },
        ...turn('and now'),
      ],
    },
    'refused-401': {
      script: { hello: refused(401, 'authentication_error', 'invalid x-api-key') },
      moves: turn('hello'),
    },
    'refused-429': { script: { hello: refused(429, 'rate_limit_exceeded') }, moves: turn('hello') },
    'cut-off': {
      script: {
        'be cut': [
          { kind: 'message', content: [{ type: 'text', text: 'a b c d e f' }], cutAfter: 3 },
        ],
      },
      moves: turn('be cut'),
    },
  };
}

const PATCH = `apply_patch <<'EOF'
*** Begin Patch
*** Update File: README.md
@@
-# A repository
+# Another repository
*** Add File: new.txt
+new
*** End Patch
EOF`;

const codexTalker: Talker = {
  engine: codexAppServer,
  folder: `codex-app-server-${versionOf('codex')}`,
  version: versionOf('codex'),
  credential: 'OPENAI_API_KEY',
  startApi: startResponsesApi,
  settle(home, url) {
    mkdirSync(join(home, '.codex'));
    writeFileSync(join(home, '.codex', 'config.toml'), codexConfig(url));
    return {
      executable: nativeOf(installEngine('codex')),
      env: { OPENAI_API_KEY: 'sk-fake', CODEX_HOME: join(home, '.codex') },
      model: 'gpt-5.5',
    };
  },
  scenarios: scenariosOf(runs, runs(PATCH)),
};

/**
 * Without the mode that its form with a person in it does not serve. Its files of conversations are
 * named by the minute: one that is loaded in the minute of its beginning is overwritten (0.61.0).
 */
const { 'edit-freely': _freely, ...ASKING } = scenariosOf(
  (command) => calls('run_shell_command', { command, description: 'run it' }),
  calls('write_file', { file_path: 'new.txt', content: 'new\n' }),
  61_000,
);

const geminiTalker: Talker = {
  engine: geminiAcp,
  folder: `gemini-acp-${versionOf('gemini')}`,
  version: versionOf('gemini'),
  credential: 'GEMINI_API_KEY',
  startApi: startGeminiApi,
  settle(home, url) {
    mkdirSync(join(home, '.gemini'));
    writeFileSync(join(home, '.gemini', 'settings.json'), JSON.stringify(GEMINI_SETTINGS));
    const env = { GEMINI_API_KEY: 'AIzaFake', GOOGLE_GEMINI_BASE_URL: url };
    return { executable: installEngine('gemini'), env, model: null };
  },
  scenarios: ASKING,
};

/** It tries again without a word where there is a rate to wait for. */
const { 'refused-429': _rate, ...PATIENT } = scenariosOf(
  (command) => calls('bash', { command, description: 'run it' }),
  calls('write', { filePath: 'new.txt', content: 'new\n' }),
);

const opencodeTalker: Talker = {
  engine: opencode,
  folder: `opencode-acp-${versionOf('opencode')}`,
  version: versionOf('opencode'),
  credential: 'ANTHROPIC_API_KEY',
  startApi: startModelApi,
  settle(home, url) {
    mkdirSync(join(home, '.config', 'opencode'), { recursive: true });
    const config = JSON.stringify(opencodeConfig(url));
    writeFileSync(join(home, '.config', 'opencode', 'opencode.json'), config);
    const env = { ANTHROPIC_API_KEY: 'sk-ant-fake', ...OPENCODE_QUIET };
    return { executable: installEngine('opencode'), env, model: null };
  },
  scenarios: PATIENT,
};

/**
 * It waits for a minute where there is a rate to wait for, suggests nothing for a session, and edits
 * by whole paths alone, which each recording has others of.
 */
const {
  'refused-429': _waits,
  'for-the-session': _session,
  'edit-asked': _asked,
  'edit-freely': _edited,
  ...QWEN
} = scenariosOf(
  (command) => calls('run_shell_command', { command, description: 'run it', is_background: false }),
  says('Not asked for.'),
);

const qwenTalker: Talker = {
  engine: qwen,
  folder: `qwen-${versionOf('qwen')}`,
  version: versionOf('qwen'),
  credential: 'OPENAI_API_KEY',
  startApi: (script) => startChatApi(script),
  settle(home, url) {
    mkdirSync(join(home, '.qwen'));
    writeFileSync(join(home, '.qwen', 'settings.json'), JSON.stringify(qwenSettings));
    const env = { OPENAI_API_KEY: 'sk-fake', OPENAI_BASE_URL: `${url}/v1` };
    return { executable: installEngine('qwen'), env, model: null };
  },
  scenarios: QWEN,
};

export const TALKERS: Readonly<Record<string, Talker>> = {
  'codex-app-server': codexTalker,
  'gemini-acp': geminiTalker,
  opencode: opencodeTalker,
  qwen: qwenTalker,
};
