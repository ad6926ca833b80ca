import { describe, expect, it } from 'vitest';
import type { FeedEvent } from '../../../protocol/engine-event.ts';
import { launchId } from '../../../protocol/ids.ts';
import { wholeText } from '../../../protocol/text.ts';
import { EMPTY_TRANSCRIPT, renderFrame } from '../../../runner/cli/transcript.ts';
import { aUsage, entriesOf, OTHER_TURN, SESSION, TURN } from '../../support/protocol-builders.ts';
import {
  accepted,
  anAct,
  anApproval,
  aQuestion,
  ended,
  launchFailed,
  ready,
  toolEnded,
  toolStarted,
} from '../../support/transcript-events.ts';

const options = { sessionId: SESSION, paint: (_: string, text: string) => text, live: false };

/** What these events look like on a terminal. */
const show = (...events: FeedEvent[]) =>
  renderFrame(EMPTY_TRANSCRIPT, { type: 'entries', entries: entriesOf(events) }, options).text;

describe('what was told once', () => {
  it('is not told again: an engine is ready at each turn of its launch', () => {
    expect(show(ready(), ready(), ready({ launchId: launchId.parse('lau_other') }))).toBe(
      'Engine ready · 2.1 · opus\n'.repeat(2),
    );
  });

  it('is no reason to repeat it: a launch that failed takes its instruction along', () => {
    const lost: FeedEvent = {
      type: 'turn/delivered',
      turnId: TURN,
      delivery: 'undelivered',
      reason: 'The directory is not there.',
    };
    expect(show(launchFailed(), lost)).toBe(
      'The launch failed (workspace_refused): The directory is not there.\nThe instruction was not delivered.\n',
    );
  });
});

describe('paths below the directory that the engine works in', () => {
  const prepared: FeedEvent = {
    type: 'checkout/prepared',
    mode: 'inPlace',
    directory: '/srv/site',
    branch: null,
    baseCommit: null,
    included: [],
    fromUncommitted: false,
  };

  it('are shown without it, in calls and in changed files', () => {
    const file = {
      path: '/srv/site/src/a.ts',
      change: 'edited' as const,
      patch: wholeText(''),
      additions: 1,
      deletions: 0,
    };
    const shown = show(
      prepared,
      toolStarted({ name: 'Edit', summary: '/srv/site/src/a.ts' }),
      toolEnded({ exitCode: null, files: [file] }),
    );
    expect(shown).toContain('▸ Edit src/a.ts\n  └ ok · 3.2 s · src/a.ts +1 −0\n');
  });

  it('are shown whole where they are elsewhere', () => {
    expect(show(prepared, toolStarted({ summary: '/srv/sites/b /etc/hosts' }))).toContain(
      '▸ Bash /srv/sites/b /etc/hosts\n',
    );
  });
});

describe('a question', () => {
  it('is asked with its options and answered in words', () => {
    const shown = show({ type: 'approval/requested', request: aQuestion('Which?', 'When?') });
    expect(shown).toBe(
      `? AskUserQuestion waits for you: Which? When?\n  Which?\n    - SQLite\n    - Postgres\n  When?\n    - SQLite\n    - Postgres\n  pilothouse sessions approve ${SESSION} apr_test1 --answer "…"\n`,
    );
  });

  it('of several acts names them all, in words', () => {
    const request = anApproval({ acts: ['force_push', 'pull_request'] });
    expect(show({ type: 'approval/requested', request })).toContain('(force push, pull request)');
  });
});

describe('a request', () => {
  const shownOf = (over: Parameters<typeof anApproval>[0]) =>
    show({ type: 'approval/requested', request: anApproval(over) });

  it('to follow a plan shows the whole plan', () => {
    const shown = shownOf({
      kind: 'plan',
      summary: '# Plan 1. Trim',
      input: wholeText(JSON.stringify({ plan: '# Plan\n\n1. Trim\n' })),
    });
    expect(shown).toContain('waits for you (push): # Plan 1. Trim\n  # Plan\n');
    expect(shown).toContain('\n  1. Trim\n  pilothouse sessions approve');
  });

  it('to change a file shows what goes and what comes', () => {
    const input = wholeText(
      JSON.stringify({ file_path: '/srv/a.ts', old_string: 'one\ntwo', new_string: 'three' }),
    );
    expect(shownOf({ summary: '/srv/a.ts', input })).toContain(
      '\n  /srv/a.ts\n  - one\n  - two\n  + three\n  pilothouse',
    );
  });

  it('of several changes to one file shows each', () => {
    const edits = [
      { old_string: 'a', new_string: 'b' },
      { old_string: 'c', new_string: '' },
    ];
    const input = wholeText(JSON.stringify({ file_path: 'x', edits }));
    expect(shownOf({ summary: 'x', input })).toContain('  - a\n  + b\n  - c\n  pilothouse');
  });

  it('to write a long file shows its beginning and says how much is left', () => {
    const content = `${Array.from({ length: 75 }, (_, index) => `line ${index + 1}`).join('\n')}\n`;
    const shown = shownOf({
      summary: 'x',
      input: wholeText(JSON.stringify({ file_path: 'x', content })),
    });
    expect(shown).toContain('+ line 60\n  … 15 more lines; the console shows them all\n');
    expect(shown).not.toContain('line 61');
  });

  it('to write a file cannot write to the terminal', () => {
    const input = wholeText(
      JSON.stringify({ file_path: 'x', content: `\u001b[2J${'y'.repeat(300)}` }),
    );
    const shown = shownOf({ summary: 'x', input });
    expect(shown).not.toContain('\u001b');
    expect(shown).toContain(`${'y'.repeat(200)}…`);
  });

  it('to run a command shows all of it when one line does not hold it', () => {
    const command = `echo ${'a'.repeat(100)} && rm -rf build`;
    const input = wholeText(JSON.stringify({ command }));
    expect(shownOf({ summary: command, input })).toContain(`…\n  ${command}\n`);
  });

  it('does not repeat a command that its line holds', () => {
    const input = wholeText(JSON.stringify({ command: 'git push origin main' }));
    expect(shownOf({ input }).match(/git push origin main/g)).toHaveLength(1);
  });

  it('shows the beginning of an input that was cut on its way', () => {
    const input = { text: '{"command": "cat <<E', truncated: { bytes: 20_000, sha256: 'x' } };
    expect(shownOf({ input })).toContain('\n  {"command": "cat <<E…\n');
  });
});

describe('the foot of a turn', () => {
  it('counts the turns in the order in which they were accepted', () => {
    const shown = show(
      accepted(),
      accepted({ turnId: OTHER_TURN, text: 'Then' }),
      ended({ turnId: OTHER_TURN }),
      ended(),
    );
    expect(shown.match(/── turn \d/g)).toEqual(['── turn 2', '── turn 1']);
  });

  it('has each turn’s own cost and acts', () => {
    const usage = (turnId: typeof TURN, microUsd: number): FeedEvent => ({
      type: 'usage/recorded',
      turnId,
      entries: [aUsage({ microUsd })],
    });
    const shown = show(
      accepted(),
      usage(TURN, 1_000_000),
      { type: 'act/seen', act: anAct() },
      ended(),
      accepted({ turnId: OTHER_TURN }),
      usage(OTHER_TURN, 2_000_000),
      ended({ turnId: OTHER_TURN }),
    );
    expect(shown).toContain('$1.00 reported · 1 act\n');
    expect(shown).toContain('$2.00 reported · 0 acts\n');
  });

  it('of a turn that nobody accepted here has no number', () => {
    expect(show(ended())).toMatch(/^── turn ok · /);
  });
});
