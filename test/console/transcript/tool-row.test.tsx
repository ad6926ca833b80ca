import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it, vi } from 'vitest';
import { wholeText } from '../../../protocol/text.ts';
import type { ToolItem } from '../../../console/feed/items.ts';
import { WorkDirectory } from '../../../console/transcript/shorten.ts';
import { ToolRow } from '../../../console/transcript/tool-row.tsx';
import { SESSION, TURN } from '../../support/protocol-builders.ts';
import { anAct, toolEnded } from '../../support/transcript-events.ts';
import { draw } from '../support/render.tsx';

const tool = (over: Partial<ToolItem> = {}): ToolItem => ({
  kind: 'tool',
  key: 'tool:tool-1',
  at: Date.now(),
  turnId: TURN,
  parentToolId: null,
  toolId: 'tool-1',
  name: 'Bash',
  summary: 'cat /srv/work/src/a.ts',
  input: wholeText('{"command":"npm test"}'),
  ended: null,
  acts: [],
  ...over,
});
const edited = {
  path: '/srv/work/src/a.ts',
  change: 'edited',
  patch: wholeText('@@ -1 +1 @@\n-old\n+new\n'),
  additions: 1,
  deletions: 4,
} as const;

const show = (item: ToolItem, over: Partial<Parameters<typeof ToolRow>[0]> = {}) => {
  const toggle = vi.fn<() => void>();
  const row = { sessionId: SESSION, open: false, steps: 0, waiting: false, toggle };
  draw(
    <WorkDirectory value="/srv/work">
      <ToolRow item={item} {...row} {...over} />
    </WorkDirectory>,
  );
  return toggle;
};
const line = () => screen.getByRole('button', { name: /Bash/ });

describe('the line of a tool call', () => {
  it('says what it does with short paths, and opens by a press', async () => {
    const toggle = show(tool());
    expect(line()).toHaveTextContent('cat src/a.ts');
    expect(line()).toHaveAttribute('aria-expanded', 'false');
    expect(screen.queryByText('npm test')).toBeNull();
    await userEvent.click(line());
    expect(toggle).toHaveBeenCalledOnce();
  });

  it('counts the time while it runs, and never below nothing', () => {
    show(tool({ at: Date.now() + 60_000 }));
    expect(line()).toHaveTextContent('running for0 ms');
  });

  it('waits for a person in place of running, and so does what it would commit', () => {
    const marked = { act: anAct(), outcome: null, reason: null, decidedBy: null, gate: [] };
    show(tool({ acts: [{ ...marked, witnesses: [] }] }), { waiting: true });
    expect(screen.getAllByText('waits for you')).toHaveLength(2);
    expect(screen.queryByText('running for')).toBeNull();
  });

  it.each([
    ['ok', 0, 'exit 03.2 s'],
    ['ok', null, '3.2 s'],
    ['failed', 2, 'failedexit 23.2 s'],
    ['denied', null, 'denied3.2 s'],
    ['interrupted', null, 'interrupted3.2 s'],
    ['unknown', null, 'outcome not known3.2 s'],
  ] as const)('tells of one that ended %s with code %j: %s', (outcome, exitCode, facts) => {
    show(tool({ ended: toolEnded({ outcome, exitCode }) }));
    expect(line().textContent).toBe(`Bashcat src/a.ts${facts}`);
  });

  it('counts the steps of a subagent, and the lines of the one file it changed', () => {
    show(tool({ ended: toolEnded({ files: [edited] }) }), { steps: 1 });
    expect(line()).toHaveTextContent('1 step');
    expect(line()).toHaveTextContent('+1 −4');
  });

  it('adds up no lines of several files', () => {
    show(tool({ ended: toolEnded({ files: [edited, { ...edited, path: '/srv/b' }] }) }));
    expect(line()).not.toHaveTextContent('+1');
  });
});

describe('an open tool call', () => {
  it('shows what went in before anything came out', () => {
    show(tool(), { open: true });
    expect(line()).toHaveAttribute('aria-expanded', 'true');
    expect(screen.getByText('npm test')).toBeInTheDocument();
    expect(screen.queryByText('It printed nothing.')).toBeNull();
  });

  it('shows what went in and what was printed', () => {
    show(tool({ ended: toolEnded({ output: wholeText('12 passed') }) }), { open: true });
    expect(screen.getByText('npm test')).toBeInTheDocument();
    expect(screen.getByText('12 passed')).toBeInTheDocument();
  });

  it('shows a diff alone where the tool changed a file and went well', () => {
    const ended = toolEnded({ files: [edited], output: wholeText('The file was edited.') });
    show(tool({ ended }), { open: true });
    expect(screen.getByText('new')).toBeInTheDocument();
    expect(screen.queryByText('npm test')).toBeNull();
    expect(screen.queryByText('The file was edited.')).toBeNull();
  });

  it('shows why a change failed below its diff', () => {
    const ended = toolEnded({ files: [edited], outcome: 'failed', output: wholeText('No room.') });
    show(tool({ ended }), { open: true });
    expect(screen.getByText('new')).toBeInTheDocument();
    expect(screen.getByText('No room.')).toBeInTheDocument();
  });
});
