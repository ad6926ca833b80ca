import { ensureInstalled } from './install.mjs';
import { runPilothouse } from './run.mjs';

/**
 * Options given without the `--` that npm wants (`npm start --port 9000`) arrive as npm's own
 * configuration: read from there, they mean the same.
 * @param {NodeJS.ProcessEnv} env
 */
export function optionsFromNpm(env) {
  const options = [];
  for (const name of ['port', 'data', 'host']) {
    const value = env[`npm_config_${name}`];
    if (value === undefined || value === '') continue;
    options.push(`--${name}`);
    if (value !== 'true') options.push(value);
  }
  if (env.npm_config_runner === '') options.push('--no-runner');
  return options;
}

if (import.meta.main ?? process.argv[1] === new URL(import.meta.url).pathname) {
  ensureInstalled();
  runPilothouse(['up', ...optionsFromNpm(process.env), ...process.argv.slice(2)]);
}
