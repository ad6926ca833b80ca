import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import { addUsage } from '../../../protocol/usage.ts';
import { DayPanels } from '../../../console/ledger/day-chart.tsx';
import { linePoints, Reads } from '../../../console/ledger/reads.tsx';
import { SelfReported, UnmeteredWork } from '../../../console/ledger/unmetered-work.tsx';
import { addressOf, ExportMenu } from '../../../console/ui/export-links.tsx';
import { cliTwin } from '../../../console/format/cli.ts';
import { aUsage } from '../../support/protocol-builders.ts';
import { draw } from '../support/render.tsx';

const charged = {
  day: '2026-11-28',
  payer: 'api-key',
  totals: addUsage({}, aUsage({ microUsd: 1_250_000 })),
} as const;

describe('the chart by day', () => {
  it('says in words what it shows, and has every figure in a table', async () => {
    draw(<DayPanels days={[charged]} />);
    expect(screen.getByRole('figure', { name: /^Charged, by day: 1 bar,/ })).toBeInTheDocument();
    await userEvent.click(screen.getByText('As a table'));
    const table = screen.getByRole('region', { name: 'Charged, by day' });
    expect(within(table).getByRole('columnheader', { name: 'API key, reported' })).toBeVisible();
    expect(within(table).getByText('$1.25')).toBeVisible();
  });

  it('has a panel of its own for list prices, and none where there are none', () => {
    const { redraw } = draw(<DayPanels days={[charged]} />);
    expect(screen.queryByRole('figure', { name: /Notional/ })).toBeNull();
    const notional = aUsage({ payer: 'subscription', microUsd: 9_000_000 });
    redraw(
      <DayPanels
        days={[charged, { ...charged, payer: 'subscription', totals: addUsage({}, notional) }]}
      />,
    );
    expect(screen.getAllByRole('figure')).toHaveLength(2);
  });

  it('draws nothing where no figure has a price', () => {
    const totals = addUsage({}, aUsage({ microUsd: null, provenance: 'unmetered' }));
    draw(<DayPanels days={[{ ...charged, totals }]} />);
    expect(screen.queryByRole('figure')).toBeNull();
  });
});

describe('what each turn read', () => {
  it('is a line, with its ends in words', () => {
    draw(<Reads readTokens={[12_000, 790_000]} />);
    expect(
      screen.getByRole('img', { name: '12 K to 790 K tokens read in a turn, over 2 turns' }),
    ).toBeInTheDocument();
  });

  it('is no line before there are two turns to compare', () => {
    draw(<Reads readTokens={[12_000]} />);
    expect(screen.queryByRole('img')).toBeNull();
  });

  it('stays within its frame, the highest at the top', () => {
    expect(linePoints([0, 50, 100])).toBe('0,19 44,10 88,1');
    expect(linePoints([0, 0])).toBe('0,19 88,19');
  });
});

describe('work that nothing measures', () => {
  const work = { drives: 12, aiCliDrives: 3, instances: 1, lastAt: 1_000, windowDays: 30 };

  it('is said beside the figures, and is itself no figure', () => {
    draw(<UnmeteredWork unmetered={work} />);
    const note = screen.getByRole('note');
    expect(note).toHaveTextContent(
      '1 operator wrote 12 times into terminals in the last 30 days, 3 times into the command line of an AI.',
    );
    expect(note).toHaveTextContent('in no sum here');
    expect(note).not.toHaveTextContent('$');
  });

  it.each([undefined, { ...work, drives: 0 }])(
    'is not mentioned where there is none: %j',
    (none) => {
      draw(<UnmeteredWork unmetered={none} />);
      expect(screen.queryByRole('note')).toBeNull();
    },
  );
});

describe('what programs in terminals say of themselves', () => {
  const tokens = { inputTokens: 9, outputTokens: 1, cacheReadTokens: 0, cacheWriteTokens: 0 };

  it('has a label of its own, and is said to be in no figure', () => {
    draw(<SelfReported selfReported={{ drives: 1, microUsd: 20_000, unpriced: 0, ...tokens }} />);
    expect(screen.getByRole('note')).toHaveTextContent(
      /^◌ self-reported: .* \$0\.02 .* in no figure/,
    );
  });

  it('is not mentioned where none does', () => {
    draw(<SelfReported selfReported={undefined} />);
    expect(screen.queryByRole('note')).toBeNull();
  });
});

describe('an export', () => {
  it('has an address for each form, and the command that writes the same', async () => {
    const command = cliTwin.exportLedger('usage export', { from: 0, to: undefined });
    draw(
      <ExportMenu path="/v1/usage/export" query={{ from: 0, to: undefined }} command={command} />,
    );
    await userEvent.click(screen.getByRole('button', { name: 'Export' }));
    expect(screen.getByRole('menuitem', { name: 'Save as CSV' })).toHaveAttribute(
      'href',
      '/v1/usage/export?from=0&format=csv',
    );
    expect(
      screen.getByText('pilothouse usage export --from 1970-01-01T00:00:00.000Z'),
    ).toBeVisible();
  });

  it('leaves out of its address what is not asked for', () => {
    expect(addressOf('/v1/acts', { kind: undefined })).toBe('/v1/acts');
  });
});
