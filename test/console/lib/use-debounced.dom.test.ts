import '../support/dom.ts';
import { act, renderHook } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { useDebounced } from '../../../console/lib/use-debounced.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const pass = (ms: number) => act(() => void vi.advanceTimersByTime(ms));
const typing = () =>
  renderHook(({ typed }) => useDebounced(typed, 300), { initialProps: { typed: '' } });

describe('a value that follows what is typed', () => {
  it('is at first what was there, without a wait', () => {
    expect(typing().result.current).toBe('');
  });

  it('waits until typing rests, and then is the last of it', () => {
    const { result, rerender } = typing();
    for (const typed of ['/', '/h', '/ho']) {
      rerender({ typed });
      pass(299);
      expect(result.current).toBe('');
    }
    pass(1);
    expect(result.current).toBe('/ho');
  });

  it('does not change when typing comes back to where it was', () => {
    const { result, rerender } = typing();
    rerender({ typed: 'x' });
    pass(100);
    rerender({ typed: '' });
    pass(1_000);
    expect(result.current).toBe('');
  });

  it('leaves no timer behind when the page goes', () => {
    typing().unmount();
    expect(vi.getTimerCount()).toBe(0);
  });
});
