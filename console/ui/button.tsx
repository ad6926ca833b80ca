import { Popover } from 'radix-ui';
import type { ComponentProps, ReactNode } from 'react';
import { cx } from '../lib/class-names.ts';
import { Words } from './words.tsx';

/** `primary` is the one thing to do here; there is at most one in sight. */
export type ButtonKind = 'primary' | 'plain' | 'quiet' | 'danger';

const KINDS: Record<ButtonKind, string> = {
  primary: 'bg-accent-fill text-on-fill border-transparent hover:brightness-110',
  plain: 'bg-raised text-ink border-line hover:border-line-strong',
  quiet: 'bg-transparent text-soft border-transparent hover:bg-sunken hover:text-ink',
  danger: 'bg-red-fill text-on-fill border-transparent hover:brightness-110',
};

/** The look of a button, also for a link that is pressed like one. */
export function buttonClass(
  kind: ButtonKind = 'plain',
  size: 'small' | 'normal' | 'large' = 'normal',
) {
  return cx(
    'inline-flex items-center justify-center gap-1.5 rounded-md border font-medium whitespace-nowrap',
    'transition-[background-color,border-color,filter] duration-150',
    size === 'small' && 'h-6 px-2 text-sm',
    size === 'normal' && 'h-8 px-3',
    size === 'large' && 'h-11 px-4 text-md',
    KINDS[kind],
  );
}

type ButtonProps = Omit<ComponentProps<'button'>, 'disabled'> & {
  kind?: ButtonKind;
  size?: 'small' | 'normal' | 'large';
  /** Why it cannot be pressed now; null when it can. Pressing it then tells the reason. */
  reason?: string | null;
  busy?: boolean;
  children: ReactNode;
};

/** A button. One that cannot be pressed stays reachable and says why: on hover, focus and press. */
export function Button({
  kind,
  size,
  reason = null,
  busy = false,
  className,
  ...rest
}: ButtonProps) {
  const look = cx(buttonClass(kind, size), className);
  if (reason === null) {
    return (
      <button
        type="button"
        {...rest}
        aria-busy={busy}
        disabled={busy}
        className={cx(look, busy && 'cursor-progress opacity-70')}
      />
    );
  }
  const { onClick: _, type: __, ...labelled } = rest;
  return (
    <Popover.Root>
      <Popover.Trigger
        {...labelled}
        type="button"
        aria-disabled
        title={reason}
        className={cx(buttonClass('plain', size), 'text-faint! cursor-not-allowed!', className)}
      />
      <Popover.Portal>
        <Popover.Content
          side="top"
          sideOffset={6}
          collisionPadding={8}
          className="z-50 max-w-72 rounded-md border border-line-strong bg-raised p-3 text-sm animate-appear"
        >
          <Words text={reason} />
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}
