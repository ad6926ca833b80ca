import { X } from 'lucide-react';
import { Dialog as Radix } from 'radix-ui';
import type { ReactNode } from 'react';
import { cx } from '../lib/class-names.ts';

/** Who opens a dialog to type begins in its field; otherwise Enter would press what closes it. */
function beginInField(event: Event): void {
  const { currentTarget: dialog } = event;
  const field =
    dialog instanceof HTMLElement && dialog.querySelector<HTMLElement>('input, textarea');
  if (!field) return;
  event.preventDefault();
  field.focus();
}

/** A question or a panel above the page. `sheet` comes from below on a phone. */
export function Dialog({
  open,
  onOpenChange,
  title,
  description,
  children,
  sheet = false,
}: {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: string;
  description?: string;
  children: ReactNode;
  sheet?: boolean;
}) {
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-40 bg-[rgb(0_0_0/0.45)]" />
        <Radix.Content
          onOpenAutoFocus={beginInField}
          {...(description === undefined ? { 'aria-describedby': undefined } : {})}
          className={cx(
            'fixed z-50 flex flex-col border bg-paper animate-appear outline-none',
            sheet
              ? 'inset-x-0 bottom-0 max-h-[85dvh] rounded-t-md pb-[env(safe-area-inset-bottom)]'
              : 'top-[12dvh] left-1/2 max-h-[76dvh] w-[min(520px,calc(100vw-24px))] -translate-x-1/2 rounded-md',
          )}
        >
          <div className="flex items-center gap-2 border-b px-4 py-2">
            <Radix.Title className="flex-1 font-semibold">{title}</Radix.Title>
            <Radix.Close
              aria-label="Close"
              className="grid size-8 place-items-center rounded-sm text-faint hover:bg-sunken"
            >
              <X />
            </Radix.Close>
          </div>
          <div className="min-h-0 flex-1 overflow-y-auto p-4">
            {description !== undefined && (
              <Radix.Description className="mb-3 text-soft">{description}</Radix.Description>
            )}
            {children}
          </div>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
