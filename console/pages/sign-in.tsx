import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { me } from '../../protocol/http.ts';
import { read } from '../api/client.ts';
import { signIn } from '../api/requests.ts';
import { tellError } from '../errors.ts';
import { SignedOut } from '../frame/signed-out.tsx';
import { api } from '../paths.ts';
import { ErrorPanel } from '../ui/states.tsx';
import { Words } from '../ui/words.tsx';

const attempts = new Map<string, Promise<void>>();

/**
 * Exchanges the link's token, once however often the page is drawn. A link that was used by this
 * very browser is no failure: the cookie it got then still opens the door.
 */
function exchange(token: string): Promise<void> {
  const running = attempts.get(token);
  if (running) return running;
  const attempt = signIn(token).then(
    () => undefined,
    async (failure: unknown) => {
      await read(me, api.me).catch(() => {
        throw failure;
      });
    },
  );
  attempts.set(token, attempt);
  return attempt;
}

/** `/sign-in#token`: the token is behind the hash, which no browser sends to any server. */
export function SignInPage() {
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const [token] = useState(() => location.hash.slice(1));
  const [failure, setFailure] = useState<unknown>(null);
  useEffect(() => {
    if (token === '') return undefined;
    // It leaves the address bar and the history before anything else happens.
    history.replaceState(null, '', location.pathname);
    let shown = true;
    void exchange(token).then(
      () => {
        queryClient.clear();
        return shown ? navigate({ to: '/', replace: true }) : undefined;
      },
      (error: unknown) => {
        if (shown) setFailure(error);
      },
    );
    return () => {
      shown = false;
    };
  }, [token, navigate, queryClient]);

  const retry = () => void navigate({ to: '/' });
  if (token === '') return <SignedOut retry={retry} />;
  if (failure === null) {
    return (
      <main className="grid min-h-full place-items-center text-soft">
        <output>Signing in…</output>
      </main>
    );
  }
  return (
    <SignedOut retry={retry}>
      {tellError(failure).retryable ? (
        <ErrorPanel error={failure} />
      ) : (
        <p role="alert" className="text-soft">
          <Words text={tellError(failure).sentence} />
        </p>
      )}
    </SignedOut>
  );
}
