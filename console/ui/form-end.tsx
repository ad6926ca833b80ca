import type { ReactNode } from 'react';
import { Button, type ButtonKind } from './button.tsx';
import { Twin } from './copy.tsx';
import { ErrorPanel } from './states.tsx';

/** A request that a press sends, as far as it is shown. */
type Press = { isError: boolean; error: unknown; isPending: boolean };

/**
 * Where a form ends: why the last press was refused, the button, and the command that does the
 * same. With `onPress` the button does it by itself; without, it submits the form.
 */
export function FormEnd({
  press,
  retry,
  renew,
  command = null,
  reason = null,
  kind = 'primary',
  onPress,
  children,
}: {
  press: Press;
  retry: () => void;
  renew?: () => void;
  command?: string | null;
  /** Why it cannot be pressed now; null when it can. */
  reason?: string | null;
  kind?: ButtonKind;
  onPress?: () => void;
  children: ReactNode;
}) {
  return (
    <>
      {press.isError && (
        <div className="mb-3">
          <ErrorPanel error={press.error} retry={retry} renew={renew} />
        </div>
      )}
      <div className="flex flex-wrap items-center gap-3">
        <Button
          type={onPress ? 'button' : 'submit'}
          kind={kind}
          busy={press.isPending}
          reason={reason}
          {...(onPress && { onClick: onPress })}
        >
          {children}
        </Button>
        {command !== null && <Twin text={command} />}
      </div>
    </>
  );
}
