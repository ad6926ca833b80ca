import { useEffect, useEffectEvent, useState } from 'react';

export type HeldPress = { held: boolean; start: () => void; stop: () => void };

/**
 * A press that is kept until it can be carried out, once, unless it is taken back before. `of` names
 * what was pressed for: for another it is not held.
 */
export function useHeldPress(of: string, ready: boolean, carryOut: () => void): HeldPress {
  const [heldOf, setHeldOf] = useState<string | null>(null);
  const held = heldOf === of;
  const now = useEffectEvent(() => {
    setHeldOf(null);
    carryOut();
  });
  useEffect(() => {
    // oxlint-disable-next-line react/set-state-in-effect -- what is carried out is held no more
    if (held && ready) now();
  }, [held, ready]);
  return { held, start: () => setHeldOf(of), stop: () => setHeldOf(null) };
}
