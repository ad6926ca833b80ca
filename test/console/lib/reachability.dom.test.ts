import '../support/dom.ts';
import { act, renderHook } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { noteReachability, useReachability } from '../../../console/lib/reachability.ts';

const note = (answered: boolean, atMs: number) => {
  vi.setSystemTime(atMs);
  act(() => noteReachability(answered));
};

beforeEach(() => {
  vi.useFakeTimers();
  note(true, 10_000);
});
afterEach(() => {
  noteReachability(true);
  vi.useRealTimers();
});

describe('whether the server answers', () => {
  it('is away since its last answer, however often it is asked in vain', () => {
    const { result } = renderHook(useReachability);
    expect(result.current).toEqual({ reachable: true });
    note(true, 15_000);
    note(false, 40_000);
    note(false, 50_000);
    expect(result.current).toEqual({ reachable: false, since: 15_000 });
  });

  it('is back with one answer, and away anew since that', () => {
    const { result } = renderHook(useReachability);
    note(false, 20_000);
    note(true, 30_000);
    expect(result.current).toEqual({ reachable: true });
    note(false, 45_000);
    expect(result.current).toEqual({ reachable: false, since: 30_000 });
  });

  it('is known to a page that begins to look later', () => {
    note(false, 20_000);
    expect(renderHook(useReachability).result.current.reachable).toBe(false);
  });

  it('draws nothing anew while it stays as it is', () => {
    let drawn = 0;
    renderHook(() => {
      drawn += 1;
      return useReachability();
    });
    note(true, 20_000);
    note(true, 30_000);
    expect(drawn).toBe(1);
    note(false, 40_000);
    note(false, 50_000);
    expect(drawn).toBe(2);
  });
});
