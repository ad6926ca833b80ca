import { readFileSync } from 'node:fs';
import Draft4 from 'ajv-draft-04';
import addFormats from 'ajv-formats';

// The schema is written for a regular expression without the `u` flag.
const ajv = new Draft4({ allErrors: true, strict: false, unicodeRegExp: false });
addFormats(ajv);
const validate = ajv.compile(
  JSON.parse(readFileSync('test/fixtures/adr/sarif/sarif-2.1.0-rtm.5.json', 'utf8')) as object,
);

/** What the official schema of SARIF 2.1.0 has against a log. */
export function matchesSarif(log: unknown): string[] {
  validate(log);
  return (validate.errors ?? []).map((error) => `${error.instancePath}: ${error.message}`);
}
