import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import { Findings } from '../../../console/decisions/findings.tsx';
import { LongText } from '../../../console/decisions/long-text.tsx';
import { RunFacts, RunNotices } from '../../../console/decisions/run-facts.tsx';
import { aFinding, aRecord, aViolatedRule } from '../../support/adr-reports.ts';
import { draw } from '../support/render.tsx';
import { kept } from './kept.ts';

const waiver = { owner: 'ada', reason: 'Until the pool is gone.', expires: '2999-01-31' };
const items = () => screen.getAllByRole('listitem');

describe('findings', () => {
  it('put what stands before what is waived, each in the order of the report', () => {
    const named = (message: string, waived: boolean) =>
      aFinding({ message, place: null, excerpt: null, waiver: waived ? waiver : null });
    const all = [named('A', true), named('B', false), named('C', true), named('D', false)];
    draw(<Findings findings={all} label="Findings" />);
    expect(items().map((item) => item.textContent?.[0])).toEqual(['B', 'D', 'A', 'C']);
  });

  it('say who waived what until when, and why', () => {
    draw(<Findings findings={[aFinding({ waiver })]} label="Findings" />);
    expect(items()[0]).toHaveTextContent('waived until 2999-01-31by ada: Until the pool is gone.');
  });

  it.each([
    [{ path: 'a.ts', line: 3, column: 1 }, 'a.ts:3:1'],
    [{ path: 'a.ts', line: 3, column: null }, 'a.ts:3'],
    [{ path: 'a.ts', line: null, column: 7 }, 'a.ts'],
    [{ path: '\u202Ets.a', line: null, column: null }, '⟨U+202E⟩ts.a'],
  ])('name the place %j as %s', (place, shown) => {
    draw(<Findings findings={[aFinding({ place })]} label="Findings" />);
    expect(screen.getByText(shown)).toBeInTheDocument();
  });

  it('that are none are no list', () => {
    draw(<Findings findings={[]} label="Findings" />);
    expect(screen.queryByRole('list')).toBeNull();
  });
});

describe('a long text', () => {
  it('begins, says how much there is, and is whole on request', async () => {
    const { container } = draw(<LongText text={`${'a'.repeat(30)}END`} most={10} />);
    expect(container).not.toHaveTextContent('END');
    await userEvent.click(screen.getByRole('button', { name: 'Show all 33 B' }));
    expect(container.textContent).toBe(`${'a'.repeat(30)}END`);
  });
});

describe('what a run came to', () => {
  const facts = (over: Parameters<typeof kept>[0]) => {
    const { summary, report } = kept(over);
    return draw(<RunFacts run={summary} report={report} />).container;
  };

  it('has its figures where there are any, and what it looked at', () => {
    const broken = aViolatedRule({ findings: [aFinding(), aFinding({ waiver })] });
    const page = facts({ records: [aRecord({ rules: [broken] })], durationMs: 61_000 });
    expect(page).toHaveTextContent(/violations1 record.*1 finding1 waived.*everything, in 1m 01s/);
  });

  it('says nothing of findings and of a commit that there are not', () => {
    const page = facts({ commit: null });
    expect(page).toHaveTextContent('clean1 record');
    expect(page).not.toHaveTextContent(/finding|waived| at /);
  });

  it('that looked only at a change says since what', () => {
    expect(facts({ mode: 'change', base: 'origin/main' })).toHaveTextContent(
      'only what changed since origin/main',
    );
  });
});

describe('what has to be known before a report is believed', () => {
  const NOW = Date.now();
  const open = (over: Parameters<typeof kept>[0], lastFull: 'none' | 'same' | 'other') => {
    const { summary, report } = kept({ startedAt: NOW - 60_000, ...over });
    const other = { ...summary, reportId: 'drp_full' as never };
    const asked: string[] = [];
    draw(
      <RunNotices
        run={summary}
        report={report}
        lastFull={{ none: null, same: summary, other }[lastFull]}
        showRun={(id) => asked.push(id)}
      />,
    );
    return asked;
  };
  const notice = (name: string) => document.querySelector(`[data-notice="${name}"]`);

  it('is nothing of a full run of today', () => {
    open({}, 'none');
    expect(document.querySelector('[data-notice], [role="alert"]')).toBeNull();
  });

  it('is its age from a week on', () => {
    open({ startedAt: NOW - 8.5 * 24 * 60 * 60_000, commit: null }, 'none');
    expect(notice('stale')).toHaveTextContent('Last checked 8 d ago.');
  });

  it('is that a run looked only at a change, with the way to the last full one', async () => {
    const asked = open({ mode: 'change' }, 'other');
    await userEvent.click(screen.getByRole('button', { name: /The last full check was/ }));
    expect(asked).toEqual(['drp_full']);
  });

  it.each(['none', 'same'] as const)(
    'is that no full check is kept, where the last full one is this or there is none: %s',
    (lastFull) => {
      open({ mode: 'change' }, lastFull);
      expect(notice('change')).toHaveTextContent('No full check of this branch is kept.');
      expect(screen.queryByRole('button')).toBeNull();
    },
  );

  it('is what kept the check from looking', () => {
    open({ problems: [aFinding({ message: 'The configuration has no end.' })] }, 'none');
    expect(screen.getByRole('alert')).toHaveTextContent('The configuration has no end.');
  });
});
