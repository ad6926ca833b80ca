import { cleanup, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Binding } from '../../../console/operators/binding.tsx';
import { Catalogue } from '../../../console/operators/catalogue.tsx';
import { ConsentChoice } from '../../../console/operators/consent-choice.tsx';
import { standingOf } from '../../../console/operators/instance-rows.tsx';
import { MakeInstance } from '../../../console/operators/make-instance.tsx';
import { NarrowForm } from '../../../console/operators/narrow-form.tsx';
import { targetOf } from '../../../console/operators/target-field.tsx';
import { BUILT_IN_OPERATORS } from '../../../protocol/builtin-operators.ts';
import { DEFAULT_CONSENTS, type OperatorDefinition } from '../../../protocol/operator.ts';
import type { InstanceDetail, OperatorEntry } from '../../../protocol/operator-http.ts';
import { draw } from '../support/render.tsx';

const TARGET = 'tmux:default:812.1700000000:%3';
const tmux = BUILT_IN_OPERATORS[0] as OperatorDefinition;
const entry = (over: Partial<OperatorEntry> = {}): OperatorEntry => ({
  definition: tmux,
  origin: 'builtIn',
  words: ['It may read.', 'May not close it.'],
  note: null,
  publishedAt: null,
  ...over,
});

beforeEach(() =>
  vi.stubGlobal('fetch', async (path: string) =>
    Response.json(
      path.includes('/panes')
        ? { panes: [], watch: true, drive: true }
        : { items: [], nextCursor: null },
    ),
  ),
);
afterEach(() => vi.unstubAllGlobals());
const press = (name: string) => userEvent.click(screen.getByRole('button', { name }));

describe('a terminal as it is named', () => {
  it.each([
    ['', 'build', null],
    ['   ', '', null],
    [` ${TARGET} `, ' build ', { target: TARGET, label: 'build' }],
    [TARGET, '  ', { target: TARGET, label: TARGET }],
    ['kitty:41:7', 'k', { target: 'kitty:41:7', label: 'k' }],
    ['build', 'build', undefined],
    ['tmux:other:1.2:%3', '', undefined],
    [`${TARGET}; rm`, '', undefined],
  ])('%j, called %j, is %j', (target, label, bound) => {
    expect(targetOf({ target, label })).toEqual(bound);
  });
});

describe('the terminal of an instance', () => {
  const show = (bound: { target: string; label: string } | null) => {
    const bind = vi.fn<Parameters<typeof Binding>[0]['bind']>();
    draw(<Binding runnerId="run_1" bound={bound} bind={bind} busy={false} />);
    return bind;
  };

  it('asks for one before anything else, and says what is no id of one', async () => {
    const bind = show(null);
    await press('Bind this terminal');
    expect(await screen.findByText('Name a terminal first.')).toBeVisible();
    await userEvent.keyboard('{Escape}');
    await userEvent.type(screen.getByLabelText('Terminal'), 'build{Enter}');
    expect(screen.getByText(/That is no id of a terminal/)).toBeVisible();
    expect(screen.getByLabelText('Terminal')).toHaveAttribute('aria-invalid', 'true');
    expect(bind).not.toHaveBeenCalled();
  });

  it('is taken away by one press, and kept while another is chosen', async () => {
    const bind = show({ target: TARGET, label: 'build' });
    await press('Take it away');
    expect(bind).toHaveBeenLastCalledWith(null);
    await press('Choose another');
    await userEvent.type(screen.getByLabelText('Terminal'), 'kitty:41:7');
    await userEvent.type(screen.getByLabelText('What you call it'), 'logs');
    await press('Bind this terminal');
    expect(bind).toHaveBeenLastCalledWith({ target: 'kitty:41:7', label: 'logs' });
    expect(screen.getByText('build')).toBeInTheDocument();
  });
});

describe('what a person agrees to', () => {
  it('is asked only of what could be done at all, each in three words', async () => {
    const choose = vi.fn<Parameters<typeof ConsentChoice>[0]['choose']>();
    draw(
      <ConsentChoice
        consents={DEFAULT_CONSENTS}
        risks={new Set(['kill', 'read'])}
        choose={choose}
      />,
    );
    const asked = screen.getAllByRole('radiogroup').map((each) => each.getAttribute('aria-label'));
    expect(asked).toEqual(['Reads the terminal', 'Closes the terminal']);
    const closes = within(screen.getByRole('radiogroup', { name: 'Closes the terminal' }));
    expect(closes.getByRole('radio', { name: 'Never' })).toBeChecked();
    await userEvent.click(closes.getByRole('radio', { name: 'Ask me' }));
    expect(choose.mock.calls).toEqual([['kill', 'ask']]);
  });

  it('is never left without an answer', async () => {
    const choose = vi.fn<Parameters<typeof ConsentChoice>[0]['choose']>();
    draw(<ConsentChoice consents={DEFAULT_CONSENTS} risks={new Set(['run'])} choose={choose} />);
    await userEvent.click(screen.getByRole('radio', { name: 'Ask me' }));
    expect(choose).not.toHaveBeenCalled();
  });
});

describe('the tools that an instance keeps', () => {
  const [first, second, ...rest] = tmux.ceiling.tools;
  if (!first || !second) throw new Error('an operator has tools');
  const narrowed = async (
    narrowing: Parameters<typeof NarrowForm>[0]['narrowing'],
    tool: string,
  ) => {
    const narrow = vi.fn<Parameters<typeof NarrowForm>[0]['narrow']>();
    draw(<NarrowForm definition={tmux} narrowing={narrowing} narrow={narrow} busy={false} />);
    await userEvent.click(screen.getByRole('checkbox', { name: tool }));
    return narrow.mock.calls[0]?.[0];
  };

  it('are all until one is taken away', async () => {
    expect(await narrowed({}, first)).toEqual({ tools: [second, ...rest] });
  });

  it('may be none, which is not the same as all', async () => {
    expect(await narrowed({ tools: [first] }, first)).toEqual({ tools: [] });
  });

  it('come back in their own order, and without a limit once all are there', async () => {
    expect(await narrowed({ tools: [...rest] }, second)).toEqual({ tools: [second, ...rest] });
    cleanup();
    expect(await narrowed({ tools: [second, ...rest] }, first)).toEqual({});
  });

  it('leave the other limits as they are', async () => {
    const surfaceOptions = { tmux: { prefix: 'ci-' } };
    expect(await narrowed({ surfaceOptions, tools: rest }, first)).toEqual({
      surfaceOptions,
      tools: [first, ...rest],
    });
  });
});

describe('how an instance stands', () => {
  it.each([
    ['active', null, false, 'ready', false],
    ['active', null, true, 'a version waits', true],
    ['active', 'No terminal is bound.', true, 'not ready', true],
    ['paused', 'It is paused.', true, 'paused', false],
    ['removed', null, false, 'removed', false],
  ])(
    '%s, with the obstacle %j and a version offered: %j, is “%s”',
    (state, obstacle, more, word, needsYou) => {
      const offered = more ? { definition: tmux, words: [] } : null;
      const detail = { instance: { state }, obstacle, offered } as unknown as InstanceDetail;
      expect(standingOf(detail)).toEqual({ word, needsYou });
    },
  );
});

describe('the operators to choose from', () => {
  it('may be changed and withdrawn where they are one’s own alone', async () => {
    const own = { ...tmux, id: 'opr_own' as typeof tmux.id, name: 'Mine', version: 4 };
    const [make, edit, withdraw] = [1, 2, 3].map(() => vi.fn<(chosen: OperatorEntry) => void>());
    if (!make || !edit || !withdraw) throw new Error('three were made');
    draw(
      <Catalogue
        entries={[
          entry({ note: 'Not verified on a Mac.' }),
          entry({ definition: own, origin: 'own' }),
        ]}
        make={make}
        edit={edit}
        withdraw={withdraw}
      />,
    );
    const [builtIn, mine] = screen
      .getAllByRole('heading')
      .map((heading) => within(heading.closest('li') as HTMLElement));
    expect(builtIn?.getByText('with Pilothouse')).toBeInTheDocument();
    expect(builtIn?.getByText('Not verified on a Mac.')).toBeInTheDocument();
    expect(builtIn?.queryByRole('button', { name: 'Withdraw' })).toBeNull();
    expect(mine?.getByText('yours, version 4')).toBeInTheDocument();
    await press('New version');
    await press('Withdraw');
    expect([edit, withdraw].map((each) => each.mock.calls[0]?.[0].definition.name)).toEqual([
      'Mine',
      'Mine',
    ]);
    expect(make).not.toHaveBeenCalled();
  });
});

describe('the use of an operator', () => {
  it('needs a name and a machine, and says both', async () => {
    const onMade = vi.fn<(detail: InstanceDetail) => void>();
    draw(<MakeInstance entry={entry()} onMade={onMade} />);
    await userEvent.clear(screen.getByLabelText('Name'));
    await press('Agree and use it');
    expect(screen.getByText('Say what you call it.')).toBeVisible();
    expect(screen.getByText('Start a runner on a machine of yours first.')).toBeVisible();
    expect(onMade).not.toHaveBeenCalled();
  });
});
