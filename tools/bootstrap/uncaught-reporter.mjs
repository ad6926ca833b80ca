// A reporter for vitest: its `json` reporter keeps silent about errors that belong to no test.
import { writeFileSync } from 'node:fs';

/** Writes the messages of what no test caught, as a JSON array, to the path in PILOTHOUSE_UNCAUGHT. */
export default class {
  /**
   * @param {unknown} _modules
   * @param {readonly { message: string }[]} errors
   */
  onTestRunEnd(_modules, errors) {
    writeFileSync(
      process.env.PILOTHOUSE_UNCAUGHT,
      JSON.stringify(errors.map(({ message }) => message)),
    );
  }
}
