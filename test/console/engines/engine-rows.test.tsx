import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { EngineRows } from '../../../console/engines/engine-rows.tsx';
import {
  BUILT_IN_ENTRIES,
  type EngineEntry,
  ownEntryOf,
  readPresetFile,
} from '../../../protocol/engines.ts';
import { aPreset } from '../../support/preset-builders.ts';
import { draw } from '../support/render.tsx';

const OWN = ownEntryOf(aPreset(), 4, 1_000);
const show = (...entries: EngineEntry[]) => {
  const actions = { edit: vi.fn(), copy: vi.fn(), history: vi.fn(), remove: vi.fn() };
  draw(<EngineRows label="Engines" entries={entries} {...actions} />);
  return { actions, rows: () => screen.getAllByRole('listitem') };
};
const buttons = () => screen.getAllByRole('button').map(({ textContent }) => textContent);

describe('the row of an engine', () => {
  it('of one’s own can be changed, and each button is of its engine', async () => {
    const other = ownEntryOf(aPreset({ id: 'other', label: 'Other' }), 1, 1_000);
    const { actions, rows } = show(OWN, other);
    const row = within(rows()[1] as HTMLElement);
    for (const [name, action] of [
      ['Edit', actions.edit],
      ['Copy', actions.copy],
      ['Versions', actions.history],
      ['Remove', actions.remove],
    ] as const) {
      await userEvent.click(row.getByRole('button', { name }));
      expect(action.mock.calls).toEqual([[other]]);
    }
  });

  it('that comes with the product can be edited, as one’s own, and exported', () => {
    const [builtIn] = BUILT_IN_ENTRIES;
    show(builtIn as EngineEntry);
    expect(buttons()).toEqual(['Edit', 'Export']);
    expect(screen.queryByText(/^version/)).toBeNull();
  });

  it('says of one of the product that nobody has seen it work, and of no other', () => {
    const [one, other] = BUILT_IN_ENTRIES as [EngineEntry, EngineEntry];
    const { rows } = show({ ...one, verified: true }, { ...other, verified: false }, OWN);
    const said = rows().map((row) => within(row).queryByText('unverified') !== null);
    expect(said).toEqual([false, true, false]);
  });

  it('says what it is a version of, or in whose place it is', () => {
    const own = ownEntryOf(aPreset({ id: 'my-claude', label: 'Mine' }), 1, 1);
    show(own, ownEntryOf(aPreset({ id: 'qwen', label: 'My qwen' }), 1, 1), OWN);
    expect(screen.getAllByText(/Your own version of Claude Code/)).toHaveLength(1);
    expect(screen.getAllByText(/In the place of Qwen Code/)).toHaveLength(1);
  });

  it('says whose cost is not known', () => {
    show(OWN, ownEntryOf(aPreset({ id: 'c', parser: 'claude-stream-json' }), 1, 1));
    expect(screen.getAllByText(/unmetered/i)).toHaveLength(1);
  });
});

describe('an engine that is exported', () => {
  afterEach(() => vi.restoreAllMocks());

  it('is a file that reads back as the same engine, and leaves nothing behind', async () => {
    const blobs: Blob[] = [];
    vi.spyOn(URL, 'createObjectURL').mockImplementation((blob) => {
      blobs.push(blob as Blob);
      return 'blob:engine';
    });
    const revoked = vi.spyOn(URL, 'revokeObjectURL').mockImplementation(() => undefined);
    const names: string[] = [];
    vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function named(
      this: HTMLAnchorElement,
    ) {
      names.push(this.download);
    });
    show(OWN);
    await userEvent.click(screen.getByRole('button', { name: 'Export' }));
    expect(names).toEqual(['my-agent.engine.json']);
    expect(readPresetFile((await blobs[0]?.text()) ?? '')).toEqual({ preset: OWN.preset });
    expect(revoked).toHaveBeenCalledWith('blob:engine');
  });
});
