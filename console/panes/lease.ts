import { useState } from 'react';
import type { z } from 'zod';
import { takenOver } from '../../protocol/takeover.ts';
import { inTab, readStored, writeStored } from '../lib/storage.ts';

type Lease = z.infer<typeof takenOver>;

/** What proves that this tab types into a terminal, kept across reloads; the server may know better. */
export function usePaneLease(target: string): [Lease | null, (lease: Lease | null) => void] {
  const name = `pane:${target}`;
  const [lease, setLease] = useState(() => readStored(name, takenOver, inTab));
  const hold = (now: Lease | null) => {
    writeStored(name, now, inTab);
    setLease(now);
  };
  return [lease, hold];
}
