import { basename } from 'node:path';
import { parseEnv } from 'node:util';
import { parse as parseTomlText, TomlError } from 'smol-toml';
import { withoutComments } from '../json-comments.ts';
import { parseJson } from '../json.ts';

/**
 * A value that must not leave the machine, and the name that is shown in its place. With `pattern`
 * the value is the source of a pattern (see `patterns/compile.ts`), and what it matches must not.
 */
export type Secret = { name: string; value: string; pattern?: true };

/** Shorter values occur by chance, and redacting them would hide what was never secret. */
export const SECRET_MIN_CHARS = 8;

const SECRET_WORD =
  /(^|[^a-z])(api_?keys?|keys?|[a-z]*tokens?|[a-z]*secrets?|passw(or)?d|passphrase|pass|mysql_pwd|pgpassword|credentials?|auth|bearer|cookie|dsn|pat|private|webhook|connection_?string)([^a-z]|$)/i;
/** Their values say where a secret is, not what it is. */
const PLACE_WORD = /(^|_)(sock|socket|file|path|dir|home|credentials?)$/i;
const PASSWORD_WORD = /pass|pwd/i;
const ORDINARY = new Set(
  (
    'undefined localhost development production disabled required optional password changeme keychain ' +
    'automatic anonymous subscription'
  ).split(' '),
);

/** Whether a variable of this name is taken to hold a secret. */
export function isSecretName(name: string): boolean {
  return SECRET_WORD.test(name.replaceAll(/([a-z])([A-Z])/g, '$1_$2'));
}

/**
 * The secrets of an environment: values of secret-looking names, of the given `names`, and the
 * passwords inside addresses whatever they are called. Values shorter than
 * {@link SECRET_MIN_CHARS} and ordinary words are left out.
 */
export function collectSecrets(env: NodeJS.ProcessEnv, names: readonly string[] = []): Secret[] {
  const named = new Set(names);
  return Object.entries(env).flatMap(([name, value]) => {
    if (value === undefined) return [];
    const whole = named.has(name) || (isSecretName(name) && !isOrdinary(name, value));
    return atLeastMinimum([...(whole ? [{ name, value }] : []), ...passwordsIn(name, value)]);
  });
}

/**
 * The secrets of a file that was copied into a checkout. A file of variables counts whole, apart
 * from plain words, numbers and addresses without credentials; in JSON and TOML the
 * secret-looking keys count. What stands under one of `names` is a secret whatever it looks like.
 */
export function secretsOfFile(path: string, text: string, names: readonly string[] = []): Secret[] {
  const named = new Set(names);
  const tree = parseTree(path, text);
  if (tree !== null) return atLeastMinimum(secretsOfJson(tree, basename(path), named));
  return atLeastMinimum(
    Object.entries(parseEnv(text)).flatMap(([name, value]) => {
      if (value === undefined) return [];
      const looks = isSecretName(name) ? !isOrdinary(name, value) : !isPlain(value);
      const secret = named.has(name) || looks;
      return [...(secret ? [{ name, value }] : []), ...passwordsIn(name, value)];
    }),
  );
}

function atLeastMinimum(secrets: Secret[]): Secret[] {
  return secrets.filter(({ value }) => value.trim().length >= SECRET_MIN_CHARS);
}

function isOrdinary(name: string, value: string): boolean {
  if (ORDINARY.has(value.toLowerCase())) return true;
  if (/^[\d.,:]+$/.test(value)) return !PASSWORD_WORD.test(name);
  return PLACE_WORD.test(name) && /^[~./]/.test(value);
}

/** A word, a number, a version, a place: what a file of variables holds beside its secrets. */
function isPlain(value: string): boolean {
  if (/^([a-z]+([ _.-][a-z]+)*|[\d.,:]+|\.{0,2}\/[\w./-]*)$/i.test(value)) return true;
  const address = parseAddress(value);
  return address !== null && !address.password && !address.search && address.pathname.length <= 1;
}

/** The password in `scheme://user:password@host`, as written and as it is meant. */
function passwordsIn(name: string, value: string): Secret[] {
  const password = parseAddress(value)?.password;
  if (!password) return [];
  const values = new Set([password, decodeOrSame(password)]);
  return [...values].map((each) => ({ name, value: each }));
}

function parseAddress(value: string): URL | null {
  return /^[a-z][\w+.-]*:\/\//i.test(value) ? URL.parse(value) : null;
}

function decodeOrSame(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function parseTree(path: string, text: string): unknown {
  // Not what its name says after all: read as a file of variables, which accepts any text.
  if (/\.jsonc?$/.test(path)) return parseJson(withoutComments(text)) ?? null;
  return path.endsWith('.toml') ? parseToml(text) : null;
}

function parseToml(text: string): unknown {
  try {
    return parseTomlText(text);
  } catch (error) {
    // Not TOML after all: read as a file of variables, which accepts any text.
    if (error instanceof TomlError) return null;
    throw error;
  }
}

function secretsOfJson(node: unknown, name: string, named: ReadonlySet<string>): Secret[] {
  if (typeof node === 'string') {
    const whole = named.has(name) || (isSecretName(name) && !isOrdinary(name, node));
    return [...(whole ? [{ name, value: node }] : []), ...passwordsIn(name, node)];
  }
  if (Array.isArray(node)) return node.flatMap((each) => secretsOfJson(each, name, named));
  if (typeof node !== 'object' || node === null) return [];
  return Object.entries(node).flatMap(([key, value]) => secretsOfJson(value, key, named));
}
