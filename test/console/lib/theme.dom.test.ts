import '../support/dom.ts';
import { act, renderHook } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';

/** The theme as a page that was just loaded has it. */
async function load() {
  vi.resetModules();
  return import('../../../console/lib/theme.ts');
}
const applied = () => document.documentElement.dataset['theme'];

beforeEach(() => {
  localStorage.clear();
  delete document.documentElement.dataset['theme'];
});

describe('the theme', () => {
  it('follows the machine until somebody chooses', async () => {
    const { useTheme } = await load();
    expect(renderHook(useTheme).result.current).toBe('system');
    expect(applied()).toBeUndefined();
  });

  it('that is chosen is applied, told to every part that shows it, and there after a reload', async () => {
    const { setTheme, useTheme } = await load();
    const parts = [renderHook(useTheme), renderHook(useTheme)];
    act(() => setTheme('light'));
    expect(parts.map(({ result }) => result.current)).toEqual(['light', 'light']);
    expect(applied()).toBe('light');
    const reloaded = await load();
    expect(renderHook(reloaded.useTheme).result.current).toBe('light');
  });

  it('of the machine is chosen by forgetting the choice', async () => {
    const { setTheme } = await load();
    setTheme('dark');
    setTheme('system');
    expect(applied()).toBeUndefined();
    expect(localStorage).toHaveLength(0);
  });

  it('is the machine’s where something else was left in its place', async () => {
    localStorage.setItem('pilothouse:theme', '"sepia"');
    const { useTheme } = await load();
    expect(renderHook(useTheme).result.current).toBe('system');
  });
});
