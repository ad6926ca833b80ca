import { DropdownMenu } from 'radix-ui';
import type { ReactNode } from 'react';

/** A menu under a button. */
export function Menu({ trigger, children }: { trigger: ReactNode; children: ReactNode }) {
  return (
    <DropdownMenu.Root>
      <DropdownMenu.Trigger asChild>{trigger}</DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content
          align="end"
          sideOffset={4}
          collisionPadding={8}
          className="z-50 max-w-[min(420px,calc(100vw-16px))] min-w-48 rounded-md border border-line-strong bg-raised p-1 animate-appear"
        >
          {children}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}

const ITEM =
  'flex min-h-8 w-full items-center gap-2 rounded-sm px-2 py-1 text-left outline-none data-highlighted:bg-sunken';

/** One thing to do from a menu. */
export function MenuItem({ onSelect, children }: { onSelect: () => void; children: ReactNode }) {
  return (
    <DropdownMenu.Item className={ITEM} onSelect={onSelect}>
      {children}
    </DropdownMenu.Item>
  );
}

/** A file to save from a menu. */
export function MenuLink({ href, children }: { href: string; children: ReactNode }) {
  return (
    <DropdownMenu.Item asChild>
      <a className={ITEM} href={href} download>
        {children}
      </a>
    </DropdownMenu.Item>
  );
}

/** A few values of which one holds, chosen within a menu. */
export function MenuChoice<T extends string>({
  label,
  value,
  options,
  onChoose,
}: {
  label: string;
  value: T;
  options: readonly T[];
  onChoose: (value: T) => void;
}) {
  return (
    <>
      <DropdownMenu.Label className="px-2 pt-1 text-xs text-faint">{label}</DropdownMenu.Label>
      <DropdownMenu.RadioGroup value={value} onValueChange={(next) => onChoose(next as T)}>
        {options.map((option) => (
          <DropdownMenu.RadioItem key={option} value={option} className={ITEM}>
            <span aria-hidden className="w-3 text-accent">
              {option === value ? '●' : ''}
            </span>
            <span className="capitalize">{option}</span>
          </DropdownMenu.RadioItem>
        ))}
      </DropdownMenu.RadioGroup>
    </>
  );
}

export const MenuLine = () => <DropdownMenu.Separator className="my-1 h-px bg-line" />;

export const MenuLabel = ({ children }: { children: ReactNode }) => (
  <DropdownMenu.Label className="px-2 pt-1 text-xs text-faint">{children}</DropdownMenu.Label>
);
