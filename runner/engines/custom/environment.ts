/** What every program needs to find its way: no credential is among them. */
const ORDINARY =
  /^(PATH|HOME|USER|LOGNAME|SHELL|LANG|LANGUAGE|LC_\w+|TZ|TMPDIR|TERM|NO_COLOR|XDG_\w+|SSL_CERT_(FILE|DIR))$/;

/** The environment with the ordinary variables and those of `allowed`; null allows every one. */
export function allowedEnvironment(
  env: NodeJS.ProcessEnv,
  allowed: readonly string[] | null,
): NodeJS.ProcessEnv {
  if (allowed === null) return env;
  const names = new Set(allowed);
  return Object.fromEntries(
    Object.entries(env).filter(([name]) => names.has(name) || ORDINARY.test(name)),
  );
}
