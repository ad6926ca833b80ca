import { useEffect, useEffectEvent, useState } from 'react';

export type HeldPress = { held: boolean; start: () => void; stop: () => void };

/** A press that is kept until it can be carried out, once, unless it is taken back before. */
export function useHeldPress(ready: boolean, carryOut: () => void): HeldPress {
  const [held, setHeld] = useState(false);
  const now = useEffectEvent(() => {
    setHeld(false);
    carryOut();
  });
  useEffect(() => {
    // oxlint-disable-next-line react/set-state-in-effect -- what is carried out is held no more
    if (held && ready) now();
  }, [held, ready]);
  return { held, start: () => setHeld(true), stop: () => setHeld(false) };
}
