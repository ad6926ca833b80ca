import { cx } from '../lib/class-names.ts';
import { BAR_KEYS, type BarKey } from './keys.ts';

const NAMES: Partial<Record<BarKey, string>> = {
  '←': 'Left',
  '↑': 'Up',
  '↓': 'Down',
  '→': 'Right',
};

const LOOK =
  'grid h-11 min-w-11 flex-1 place-items-center rounded-md border border-line bg-raised font-mono text-md';

/** The keys that a phone's own keyboard lacks. Pressing one leaves that keyboard where it is. */
export function KeyBar({
  press,
  ctrl,
  toggleCtrl,
}: {
  press: (key: BarKey) => void;
  /** Ctrl is held for the next letter. */
  ctrl: boolean;
  toggleCtrl: () => void;
}) {
  return (
    <div
      role="toolbar"
      aria-label="Keys"
      className="flex gap-1 border-t px-2 py-1.5"
      onPointerDown={(event) => event.preventDefault()}
    >
      {BAR_KEYS.slice(0, 2).map((key) => (
        <button key={key} type="button" className={LOOK} onClick={() => press(key)}>
          {key}
        </button>
      ))}
      <button
        type="button"
        aria-pressed={ctrl}
        className={cx(LOOK, ctrl && 'border-accent bg-accent-wash text-accent')}
        onClick={toggleCtrl}
      >
        Ctrl
      </button>
      {BAR_KEYS.slice(2).map((key) => (
        <button
          key={key}
          type="button"
          aria-label={NAMES[key]}
          className={LOOK}
          onClick={() => press(key)}
        >
          {key}
        </button>
      ))}
    </div>
  );
}
