import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { describe, expect, it } from 'vitest';
import type { DecisionsSearch } from '../../../console/decisions/filter.ts';
import { RecordList } from '../../../console/decisions/record-list.tsx';
import type { AdrRecordResult } from '../../../protocol/adr-report.ts';
import { aFinding, aRecord, aRule, aViolatedRule } from '../../support/adr-reports.ts';
import { draw } from '../support/render.tsx';
import { kept } from './kept.ts';

/** The list as its page holds it: what is chosen is in the address. */
function open(records: AdrRecordResult[], first: DecisionsSearch = {}) {
  const { report, summary } = kept({ records });
  const seen: { search: DecisionsSearch } = { search: first };
  const Page = () => {
    const [search, setSearch] = useState(first);
    seen.search = search;
    return (
      <RecordList
        report={report}
        run={summary}
        search={search}
        choose={(change) => setSearch((before) => ({ ...before, ...change }))}
      />
    );
  };
  draw(<Page />);
  return seen;
}
const rows = () => [...document.querySelectorAll<HTMLElement>('[data-record-button]')];
const row = (title: string) => screen.getByRole('button', { name: new RegExp(title) });

const RECORDS = [
  aRecord({ rules: [aViolatedRule()] }),
  aRecord({ id: '0002', title: 'Second', status: 'superseded', supersededBy: ['0003', '0404'] }),
  aRecord({ id: '0003', title: 'Third', rules: [], date: null }),
];

describe('the records of a report', { timeout: 20_000 }, () => {
  it('say what enforces each, and that nothing does', () => {
    open([
      aRecord({ rules: [aRule(), aRule(), aRule({ level: 'advisory' })] }),
      aRecord({ title: 'Advice', rules: [aRule({ level: 'advisory' })] }),
      aRecord({ title: 'Bare', rules: [] }),
    ]);
    expect(row('One pool')).toHaveTextContent('2 rules enforced, 1 advisory');
    expect(row('Advice')).toHaveTextContent('1 advisory');
    expect(row('Advice')).not.toHaveTextContent('enforced,');
    expect(row('Bare')).toHaveTextContent('no rules');
  });

  it('are filtered by what is chosen, and the choice taken back leaves all of them', async () => {
    const seen = open(RECORDS);
    await userEvent.click(screen.getByRole('radio', { name: 'Violated 1' }));
    await waitFor(() => expect(rows()).toHaveLength(1));
    expect(seen.search).toEqual({ show: 'failing' });
    await userEvent.click(screen.getByRole('radio', { name: 'All 3' }));
    await waitFor(() => expect(rows()).toHaveLength(3));
    expect(seen.search.show).toBeUndefined();
  });

  it('are filtered by status and by words, and say when that leaves none', async () => {
    const seen = open(RECORDS);
    await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Status' }), 'superseded');
    await waitFor(() => expect(rows()).toHaveLength(1));
    await userEvent.type(screen.getByRole('searchbox'), 'kraken');
    expect(await screen.findByText('No record is left by this filter.')).toBeInTheDocument();
    expect(seen.search).toEqual({ status: 'superseded', text: 'kraken' });
    await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Status' }), '');
    await userEvent.clear(screen.getByRole('searchbox'));
    await waitFor(() => expect(rows()).toHaveLength(3));
    expect(seen.search).toEqual({ status: undefined, text: undefined });
  });

  it('that there are none of are not said to be filtered away', () => {
    open([]);
    expect(screen.getByText(/The check found no record at all/)).toBeInTheDocument();
  });

  it('are searched from anywhere by one key', async () => {
    open(RECORDS);
    await userEvent.keyboard('/');
    expect(screen.getByRole('searchbox')).toHaveFocus();
    expect(screen.getByRole('searchbox')).toHaveValue('');
  });

  it('are walked through no further than their ends', async () => {
    open(RECORDS);
    await userEvent.keyboard('jjjjj');
    expect(rows()[2]).toHaveFocus();
    await userEvent.keyboard('kkkkk');
    expect(rows()[0]).toHaveFocus();
  });

  it('come a hundred at a time, and one that is led to comes with all before it', async () => {
    const many = Array.from({ length: 120 }, (_, index) =>
      aRecord({ id: `R${index}`, title: `Title ${index}`, rules: [], supersedes: ['R109'] }),
    );
    open(many);
    expect(rows()).toHaveLength(100);
    await userEvent.click(screen.getByText('Title 4'));
    await userEvent.click(screen.getByText('R109'));
    expect(rows()).toHaveLength(110);
    expect(screen.getByText('10 records not shown')).toBeInTheDocument();
    await waitFor(() => expect(rows()[109]).toHaveFocus());
  });
});

describe('a record that is opened', () => {
  it('is closed by the same press, and leaves others as they are', async () => {
    open(RECORDS);
    await userEvent.click(row('One pool'));
    await userEvent.click(row('Third'));
    expect(rows().map((each) => each.getAttribute('aria-expanded'))).toEqual([
      'true',
      'false',
      'true',
    ]);
    await userEvent.click(row('Third'));
    expect(row('Third')).toHaveAttribute('aria-expanded', 'false');
    expect(screen.getByRole('region', { name: 'One pool of connections' })).toBeInTheDocument();
  });

  it('leads to what replaced it through the filter that hides that, and to nothing that is not there', async () => {
    const seen = open(RECORDS, { status: 'superseded' });
    await userEvent.click(row('Second'));
    const second = within(screen.getByRole('region', { name: 'Second' }));
    await userEvent.click(second.getByRole('button', { name: '0404' }));
    expect(seen.search).toEqual({ status: 'superseded' });
    await userEvent.click(second.getByRole('button', { name: '0003' }));
    expect(seen.search.status).toBeUndefined();
    await waitFor(() => expect(row('Third')).toHaveFocus());
    expect(screen.getByText(/Nothing checks this record/)).toBeInTheDocument();
  });

  it('shows the problems of the record itself before its rules', async () => {
    open([aRecord({ problems: [aFinding({ message: 'It has no status.', place: null })] })]);
    await userEvent.click(row('One pool'));
    const problems = screen.getByRole('list', { name: 'Problems of 0001' });
    expect(problems).toHaveTextContent('It has no status.');
    const rules = screen.getByRole('list', { name: 'Rules of 0001' });
    expect(problems.compareDocumentPosition(rules)).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
  });

  it('says of each rule whether it was looked at, how long that took, and why it is there', async () => {
    open([
      aRecord({
        rules: [
          aRule({ id: 'looked', note: 'Only *.ts.' }),
          aRule({ id: 'left', state: 'skipped' }),
          aRule({ id: 'void', examined: { count: 0, unit: 'files' } }),
        ],
      }),
    ]);
    await userEvent.click(row('One pool'));
    const rule = (id: string) => document.querySelector<HTMLElement>(`[data-rule="${id}"]`);
    expect(rule('looked')).toHaveTextContent('Connections are counted in one place.Only *.ts.');
    expect(rule('looked')).toHaveTextContent('took 13 ms');
    expect(rule('left')).toHaveTextContent('left out');
    expect(rule('left')).not.toHaveTextContent('took');
    expect(rule('void')).toHaveTextContent('examined nothing');
  });

  it('shows what would deceive the eye as what it is', async () => {
    open([aRecord({ title: 'Safe\u202Egnihton', path: 'docs/\u200Badr.md' })]);
    await userEvent.click(row('Safe'));
    expect(screen.getByRole('region')).toHaveAccessibleName('Safe⟨U+202E⟩gnihton');
    expect(screen.getByText('docs/⟨U+200B⟩adr.md')).toBeInTheDocument();
  });
});
