/**
 * The environment of an engine's process: the machine's, without the marks of another session
 * that the engine would take itself to be inside of, and with what we add where the person has
 * not chosen.
 */
export function engineEnvironment(
  env: NodeJS.ProcessEnv,
  nested: readonly (string | RegExp)[],
  added: Readonly<Record<string, string>>,
): Record<string, string> {
  const isNested = (name: string) =>
    nested.some((known) => (typeof known === 'string' ? known === name : known.test(name)));
  const kept = Object.entries(env).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && !isNested(entry[0]),
  );
  return { ...added, ...Object.fromEntries(kept) };
}
