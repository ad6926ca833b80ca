import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { FeedFrame } from '../../../protocol/console-frames.ts';
import type { EventOf, FeedEvent, TextDelta } from '../../../protocol/engine-event.ts';
import { actId, LOCAL_ACTOR, launchId, requestId } from '../../../protocol/ids.ts';
import { wholeText } from '../../../protocol/text.ts';
import { EMPTY_TRANSCRIPT, renderFrame } from '../../../runner/cli/transcript.ts';
import { aUsage, entriesOf, SESSION, TURN } from '../../support/protocol-builders.ts';

function show(frames: readonly FeedFrame[], live = true): string {
  const options = { sessionId: SESSION, paint: (_style: string, text: string) => text, live };
  let state = EMPTY_TRANSCRIPT;
  let shown = '';
  for (const frame of frames) {
    const step = renderFrame(state, frame, options);
    state = step.state;
    shown += step.text;
  }
  return shown;
}
const entries = (...events: FeedEvent[]): FeedFrame => ({
  type: 'entries',
  entries: entriesOf(events),
});
const delta = (text: string, offset: number, over: Partial<TextDelta> = {}): FeedFrame => ({
  type: 'deltas',
  deltas: [
    {
      sessionId: SESSION,
      turnId: TURN,
      blockId: 'b1',
      parentToolId: null,
      kind: 'answer',
      offset,
      text,
      ...over,
    },
  ],
});
const said = (text: string, over: Partial<EventOf<'text/completed'>> = {}): FeedEvent => ({
  type: 'text/completed',
  turnId: TURN,
  blockId: 'b1',
  parentToolId: null,
  kind: 'answer',
  text: wholeText(text),
  ...over,
});
const toolStarted = (toolId: string, summary: string): FeedEvent => ({
  type: 'tool/started',
  turnId: TURN,
  toolId,
  parentToolId: null,
  name: 'Bash',
  summary,
  input: wholeText('{}'),
});
const toolEnded = (toolId: string, over: Partial<EventOf<'tool/ended'>> = {}): FeedEvent => ({
  type: 'tool/ended',
  toolId,
  outcome: 'ok',
  exitCode: 0,
  output: wholeText(''),
  files: [],
  durationMs: 3_200,
  ...over,
});
const ended = (over: Partial<EventOf<'turn/ended'>> = {}): FeedEvent => ({
  type: 'turn/ended',
  turnId: TURN,
  outcome: 'ok',
  error: null,
  durationMs: 134_000,
  usage: 'recorded',
  acts: 'recorded',
  ...over,
});
const accepted: FeedEvent = {
  type: 'turn/accepted',
  turnId: TURN,
  text: 'Fix the test',
  actorId: LOCAL_ACTOR,
};

describe('text on its way', () => {
  it('is written as it comes, and completed without repeating a word', () => {
    expect(show([delta('Hello', 0), delta(' wor', 5), entries(said('Hello world'))])).toBe(
      'Hello world\n',
    );
  });

  it('comes once when deltas overlap', () => {
    expect(show([delta('Hello', 0), delta('llo wor', 2), entries(said('Hello world'))])).toBe(
      'Hello world\n',
    );
  });

  it('pauses at a gap and is completed whole', () => {
    expect(show([delta('Hel', 0), delta('world', 6), entries(said('Hello world'))])).toBe(
      'Hello world\n',
    );
  });

  it('that began before the viewer came is shown when it is complete', () => {
    expect(show([delta('world', 6), entries(said('Hello world'))])).toBe('Hello world\n');
  });

  it('gives way to a whole line', () => {
    expect(show([delta('Hello', 0), entries(toolStarted('t1', 'npm test'))])).toBe(
      'Hello\n▸ Bash npm test\n',
    );
  });

  it('of a subagent or a thought is not streamed', () => {
    expect(show([delta('x', 0, { parentToolId: 't1' }), delta('y', 0, { kind: 'thinking' })])).toBe(
      '',
    );
  });

  it('is not streamed into a pipe', () => {
    expect(show([delta('Hello', 0), entries(said('Hello'))], false)).toBe('Hello\n');
  });

  it('ends as the whole text, whatever of it came before and in which pieces', () => {
    const pieces = fc.array(fc.tuple(fc.nat(40), fc.nat(12)), { maxLength: 12 });
    fc.assert(
      fc.property(fc.stringMatching(/^[a-z ]{0,40}$/), pieces, (text, cuts) => {
        const frames = cuts.map(([offset, length]) =>
          delta(text.slice(offset, offset + length), offset),
        );
        expect(show([...frames, entries(said(text))]).trimStart()).toBe(`${text}\n`.trimStart());
      }),
    );
  });
});

describe('a tool call', () => {
  it('is one line when it begins and one when it ends', () => {
    expect(
      show([
        entries(toolStarted('t1', 'npm test'), toolEnded('t1', { exitCode: 1, outcome: 'failed' })),
      ]),
    ).toBe('▸ Bash npm test\n  └ exit 1 · 3.2 s\n');
  });

  it('that ends among others says which it is', () => {
    const shown = show([
      entries(toolStarted('t1', 'npm test'), toolStarted('t2', 'ls'), toolEnded('t1')),
    ]);
    expect(shown).toContain('└ Bash npm test · exit 0 · 3.2 s');
  });

  it('names the files that it changed', () => {
    const file = {
      path: 'src/a.ts',
      change: 'edited' as const,
      patch: wholeText(''),
      additions: 4,
      deletions: 1,
    };
    expect(
      show([entries(toolStarted('t1', 'x'), toolEnded('t1', { exitCode: null, files: [file] }))]),
    ).toContain('└ ok · 3.2 s · src/a.ts +4 −1');
  });

  it('cannot steer the terminal', () => {
    const shown = show([
      entries(toolStarted('t1', 'echo \u001b[2J\u0007x'), said('\u001b]0;owned\u0007hi')),
    ]);
    // oxlint-disable-next-line no-control-regex -- control characters are what must not be there
    expect(shown).not.toMatch(/[\u0000-\u0008\u000b-\u001f]/);
  });
});

describe('the foot of a turn', () => {
  it('says outcome, time, cost with provenance, and acts', () => {
    const usage: FeedEvent = {
      type: 'usage/recorded',
      turnId: TURN,
      entries: [aUsage({ microUsd: 210_000 })],
    };
    expect(show([entries(accepted, usage, ended())])).toBe(
      '› Fix the test\n── turn 1 ok · 2m 14s · $0.21 reported · 0 acts\n\n',
    );
  });

  const act = {
    actId: actId.parse('act_1'),
    turnId: TURN,
    toolId: null,
    kind: 'force_push' as const,
    command: 'git push -f origin main',
    target: 'origin main',
    witness: 'stream' as const,
    uncertain: false,
  };
  const actEnded = (outcome: 'done' | 'not_done' | 'unknown'): FeedEvent => ({
    type: 'act/ended',
    actId: act.actId,
    outcome,
  });

  it('tells an act once it is known what became of it, and counts it', () => {
    const seen: FeedEvent = { type: 'act/seen', act };
    expect(show([entries(accepted, seen)])).not.toContain('⚑');
    const shown = show([entries(accepted, seen, actEnded('done'), ended())]);
    expect(shown).toContain('⚑ force push origin main  git push -f origin main\n');
    expect(shown).toContain('· 1 act\n');
  });

  it.each([
    ['not_done', 'not done'],
    ['unknown', 'unknown'],
  ] as const)('tells an act that is %s as %s', (outcome, words) => {
    const shown = show([entries({ type: 'act/seen', act }, actEnded(outcome))]);
    expect(shown).toMatch(new RegExp(`⚑ force push .* ${words}\\n`));
  });

  it('tells an act that the gate saw once, with what the gate says of it', () => {
    const gateId = actId.parse('act_gate');
    const gate: FeedEvent = {
      type: 'act/seen',
      act: { ...act, actId: gateId, witness: 'gate', claimId: act.actId, target: 'origin gated' },
    };
    const end = (outcome: 'done' | 'not_done', reason?: string): FeedEvent => ({
      type: 'act/ended',
      actId: gateId,
      outcome,
      by: 'policy',
      ...(reason !== undefined && { reason }),
    });
    const shownWith = (...events: FeedEvent[]) =>
      show([entries(accepted, { type: 'act/seen', act }, gate, ...events, ended())]);
    const refused = shownWith(end('not_done', 'main is protected'), actEnded('done'));
    expect(refused).toContain('  not done: main is protected\n');
    expect(refused).toContain('· 1 act\n');
    expect(refused).not.toContain('gated');
    expect(shownWith(end('done'), actEnded('unknown'))).toContain(
      '⚑ force push origin main  git push -f origin main\n',
    );
  });

  it('says what went wrong', () => {
    const error = { code: 'rate_limited' as const, message: 'Too many requests' };
    expect(show([entries(ended({ outcome: 'failed', error }))])).toContain(
      'failed: Too many requests ·',
    );
  });

  it('says that an engine cannot tell, which is not zero', () => {
    const shown = show([entries(ended({ usage: 'unobservable', acts: 'unobservable' }))]);
    expect(shown).toContain('cost cannot be observed · acts are witnessed only');
  });
});

describe('an approval', () => {
  it('shows what is asked, its acts, and the commands that answer it', () => {
    const request: EventOf<'approval/requested'>['request'] = {
      requestId: requestId.parse('apr_1'),
      turnId: TURN,
      toolId: null,
      kind: 'tool',
      toolName: 'Bash',
      input: wholeText('{}'),
      summary: 'git push origin main',
      acts: ['push'],
      questions: [],
      suggestions: [],
      requestedAt: 1,
      expiresAt: null,
    };
    const shown = show([entries({ type: 'approval/requested', request })]);
    expect(shown).toContain('? Bash waits for you (push): git push origin main\n');
    expect(shown).toContain(`pilothouse sessions approve ${SESSION} apr_1\n`);
    expect(shown).toContain(`pilothouse sessions deny ${SESSION} apr_1 --message`);
  });
});

describe('the machine and the launch', () => {
  it('say that the machine is away', () => {
    expect(show([{ type: 'presence', presence: 'offline' }])).toBe(
      'The machine is offline; what you send waits for it.\n',
    );
    expect(show([{ type: 'presence', presence: 'online' }])).toBe('');
  });

  it('say why a launch failed, with the last words of the engine', () => {
    const shown = show([
      entries({
        type: 'launch/failed',
        launchId: launchId.parse('lau_1'),
        state: 'provider_failed',
        stage: 'spawned',
        error: { code: 'auth_missing', message: 'Not signed in' },
        elapsedMs: 900,
        stderrTail: ['Invalid API key'],
      }),
    ]);
    expect(shown).toBe('The launch failed (auth_missing): Not signed in\n  Invalid API key\n');
  });
});
