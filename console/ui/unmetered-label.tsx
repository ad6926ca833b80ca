/** Marks what cannot be metered, in the same word everywhere. */
export const UnmeteredLabel = () => (
  <span
    className="rounded-sm border px-1 text-sm text-soft"
    title="Its cost cannot be known, and its acts are only witnessed from git."
  >
    unmetered
  </span>
);
