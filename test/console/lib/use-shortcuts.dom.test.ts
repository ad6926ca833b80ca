import '../support/dom.ts';
import { renderHook } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { useShortcuts } from '../../../console/lib/use-shortcuts.ts';

const ran: string[] = [];
const shortcuts = Object.fromEntries(
  ['n', '?', 's', 'g s', 'g m', 's n'].map((keys) => [keys, () => void ran.push(keys)]),
);

/** Presses a key `atMs`; whether the page took it for itself. */
function press(
  key: string,
  {
    atMs = 0,
    on = document.body,
    ...held
  }: KeyboardEventInit & { atMs?: number; on?: HTMLElement } = {},
): boolean {
  const event = new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true, ...held });
  Object.defineProperty(event, 'timeStamp', { value: atMs });
  on.dispatchEvent(event);
  return event.defaultPrevented;
}

beforeEach(() => {
  ran.length = 0;
  document.body.replaceChildren();
});

describe('a shortcut', () => {
  beforeEach(() => void renderHook(() => useShortcuts(shortcuts)));

  it('runs and takes the key from the browser', () => {
    expect(press('n')).toBe(true);
    expect(ran).toEqual(['n']);
  });

  it('that there is not leaves the key to the browser', () => {
    expect(press('q')).toBe(false);
    expect(ran).toEqual([]);
  });

  it('of two keys goes before that of the second alone', () => {
    expect(press('g')).toBe(false);
    expect(press('s', { atMs: 1_199 })).toBe(true);
    expect(ran).toEqual(['g s']);
  });

  it('of two keys is over when the second comes late', () => {
    press('g');
    press('s', { atMs: 1_200 });
    press('g', { atMs: 2_000 });
    press('m', { atMs: 3_200 });
    expect(ran).toEqual(['s']);
  });

  it('of two keys begins anew with its first key', () => {
    press('g');
    press('g', { atMs: 1_000 });
    press('m', { atMs: 2_000 });
    expect(ran).toEqual(['g m']);
  });

  it('of two keys does not begin another with its second', () => {
    press('g');
    press('s', { atMs: 100 });
    press('n', { atMs: 200 });
    expect(ran).toEqual(['g s', 'n']);
  });

  it('that is no pair is the second key by itself', () => {
    press('q');
    press('n', { atMs: 100 });
    expect(ran).toEqual(['n']);
  });

  it.each(['ctrlKey', 'metaKey', 'altKey'])('with %s held is the browser’s own', (held) => {
    expect(press('n', { [held]: true })).toBe(false);
    expect(ran).toEqual([]);
  });

  it('is pressed with Shift where its key needs it', () => {
    press('?', { shiftKey: true });
    expect(ran).toEqual(['?']);
  });

  it.each(['input', 'textarea', 'select'])('is a letter in a %s', (tag) => {
    const field = document.body.appendChild(document.createElement(tag));
    expect(press('n', { on: field })).toBe(false);
    expect(ran).toEqual([]);
  });

  it('is a letter where text is edited in place', () => {
    const place = document.body.appendChild(document.createElement('div'));
    Object.defineProperty(place, 'isContentEditable', { value: true });
    press('n', { on: place });
    expect(ran).toEqual([]);
  });

  it('works with the focus on a button', () => {
    press('n', { on: document.body.appendChild(document.createElement('button')) });
    expect(ran).toEqual(['n']);
  });
});

describe('the shortcuts of a page', () => {
  it('do what they do now, not what they did at first', () => {
    const { rerender } = renderHook(({ say }) => useShortcuts({ n: () => void ran.push(say) }), {
      initialProps: { say: 'before' },
    });
    rerender({ say: 'after' });
    press('n');
    expect(ran).toEqual(['after']);
  });

  it('go with the page', () => {
    renderHook(() => useShortcuts(shortcuts)).unmount();
    expect(press('n')).toBe(false);
    expect(ran).toEqual([]);
  });
});
