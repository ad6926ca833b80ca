import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ApprovalsMode } from '../../../protocol/launch.ts';
import { codexAppServer } from '../../../runner/engines/codex/app-server/preset.ts';
import type { Engine } from '../../../runner/engines/engine.ts';
import { nativeOf } from '../../../runner/engines/codex/probe.ts';
import { installEngine, versionOf } from '../../../tools/engines/install.ts';
import { codexConfig } from '../../e2e/codex-world.ts';
import { startResponsesApi } from '../../support/model-api/responses.ts';
import { type Reply, runs, says, type Script } from '../../support/model-api/script.ts';
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
const refused = (status: number, type: string): Reply[] => [
  { kind: 'error', status, type, message: 'scripted' },
];

/** What every engine of this kind is recorded at; `shell` and `edit` are how its model calls. */
function scenariosOf(shell: (command: string) => Reply, edit: Reply): Record<string, TalkScenario> {
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
          shell('touch denied.txt'),
          shell('git push -q origin HEAD:refs/heads/feature'),
          says('Two of three.'),
        ],
      },
      moves: [
        { do: 'instruct', text: 'work on it' },
        asked,
        allow,
        asked,
        { do: 'answer', decision: 'deny', message: 'Not this one.' },
        asked,
        allow,
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
        { do: 'resume' },
        ...turn('and now'),
      ],
    },
    'refused-401': {
      script: { hello: refused(401, 'invalid_api_key') },
      moves: [{ do: 'instruct', text: 'hello' }, { until: 'fatal' }],
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

export const TALKERS: Readonly<Record<string, Talker>> = { 'codex-app-server': codexTalker };
