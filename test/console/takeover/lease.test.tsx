import { act, screen } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { holdLease, readLeaseKey, useLeaseKey } from '../../../console/takeover/lease.ts';
import { LOCAL_ACTOR } from '../../../protocol/ids.ts';
import { SESSION } from '../../support/protocol-builders.ts';
import { draw } from '../support/render.tsx';

const KEY = 'k'.repeat(24);
const STORED = `pilothouse:lease:${SESSION}`;
const takeover = (epoch: number) =>
  ({ form: 'keys', actorId: LOCAL_ACTOR, channel: 'console', epoch, at: 1 }) as const;

beforeEach(() => {
  holdLease(SESSION, null);
  sessionStorage.clear();
});

describe('the key with which a tab drives a session', () => {
  it('is good for the epoch that it was given for, and for no other', () => {
    holdLease(SESSION, { key: KEY, epoch: 3 });
    expect([2, 3, 4].map((epoch) => readLeaseKey(SESSION, takeover(epoch)))).toEqual([
      null,
      KEY,
      null,
    ]);
    expect(readLeaseKey(SESSION, null)).toBeNull();
    expect(readLeaseKey('ses_other', takeover(3))).toBeNull();
  });

  it('is there after a reload, from this tab’s own storage', () => {
    sessionStorage.setItem(STORED, JSON.stringify({ key: KEY, epoch: 3 }));
    expect(readLeaseKey(SESSION, takeover(3))).toBe(KEY);
    expect(localStorage).toHaveLength(0);
  });

  it.each(['', '{', '{"key":"short","epoch":3}', '{"epoch":3}'])(
    'is none where something else is stored: %j',
    (stored) => {
      sessionStorage.setItem(STORED, stored);
      expect(readLeaseKey(SESSION, takeover(3))).toBeNull();
    },
  );

  it('drives on in a browser that keeps nothing', () => {
    const refuse = () => {
      throw new DOMException('off', 'SecurityError');
    };
    vi.stubGlobal('sessionStorage', { getItem: refuse, setItem: refuse, removeItem: refuse });
    holdLease(SESSION, { key: KEY, epoch: 3 });
    expect(readLeaseKey(SESSION, takeover(3))).toBe(KEY);
    vi.unstubAllGlobals();
    expect(sessionStorage.getItem(STORED)).toBeNull();
  });

  it('is followed by what is on the page, and forgotten with it', () => {
    const Shown = () => <p>{useLeaseKey(SESSION, takeover(3)) ?? 'watches'}</p>;
    const { unmount } = draw(<Shown />);
    expect(screen.getByText('watches')).toBeInTheDocument();
    act(() => holdLease(SESSION, { key: KEY, epoch: 3 }));
    expect(screen.getByText(KEY)).toBeInTheDocument();
    act(() => holdLease(SESSION, null));
    expect(screen.getByText('watches')).toBeInTheDocument();
    unmount();
  });
});
