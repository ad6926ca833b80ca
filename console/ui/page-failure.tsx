import { ErrorPanel } from './states.tsx';

/** A page that could not be drawn. A new version may have replaced its files: reloading helps. */
export function PageFailure({ error }: { error: unknown }) {
  return (
    <main className="mx-auto w-full max-w-2xl p-6">
      <ErrorPanel error={error} retry={() => location.reload()} />
    </main>
  );
}
