import { LogIn } from 'lucide-react';
import type { ReactNode } from 'react';
import { cliTwin } from '../format/cli.ts';
import { Button } from '../ui/button.tsx';
import { Command } from '../ui/copy.tsx';
import { useTitle } from '../ui/page.tsx';

/** How to get in: shown wherever somebody is not. */
export function SignedOut({ children, retry }: { children?: ReactNode; retry: () => void }) {
  useTitle('Sign in');
  return (
    <main className="mx-auto flex min-h-full w-full max-w-md flex-col justify-center gap-4 p-6">
      <div className="flex items-center gap-2 text-faint">
        <LogIn /> Pilothouse
      </div>
      <h1 className="text-xl font-semibold">You are not signed in</h1>
      {children ?? (
        <p className="text-soft">
          There is no password here. A sign-in link opens this console in one browser, once.
        </p>
      )}
      <ol className="space-y-3">
        <li>
          <p className="mb-1">
            <code>npm start</code> prints a link when Pilothouse starts: open that one.
          </p>
        </li>
        <li>
          <p className="mb-1">Or make a new link, in a terminal on the machine it runs on:</p>
          <Command text={cliTwin.link()} />
        </li>
      </ol>
      <div>
        <Button onClick={retry}>I have signed in: try again</Button>
      </div>
    </main>
  );
}
