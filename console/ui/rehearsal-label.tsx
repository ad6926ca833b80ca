/** Stands wherever a rehearsal is named, so that nobody takes it for work. */
export function RehearsalLabel() {
  return (
    <span
      className="shrink-0 rounded-sm border border-line-strong px-1 text-xs text-soft"
      title="Nothing is asked of a model and nobody is charged."
    >
      rehearsal
    </span>
  );
}
