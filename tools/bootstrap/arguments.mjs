/**
 * Options given without the `--` that npm wants (`npm start --port 9000`) arrive as npm's own
 * configuration, their values as left-over arguments. Returns the arguments as they were meant,
 * or a sentence when npm has lost which value belongs to which option.
 * @param {NodeJS.ProcessEnv} env
 * @param {readonly string[]} rest arguments that npm passed on
 * @returns {{args: string[]} | {refusal: string}}
 */
export function argumentsFromNpm(env, rest) {
  const whole = [];
  const split = [];
  for (const name of ['port', 'data', 'host']) {
    const value = env[`npm_config_${name}`];
    if (value === undefined || value === '') continue;
    if (value === 'true') split.push(`--${name}`);
    else whole.push(`--${name}`, value);
  }
  if (env.npm_config_runner === '') whole.push('--no-runner');
  const valued = split.filter((option) => option !== '--host');
  if (valued.length > 1 || (valued.length === 1 && split.length > 1)) {
    return {
      refusal: `npm lost which value belongs to which option. Put two dashes before them: \`npm start -- ${split.join(' … ')} …\`.`,
    };
  }
  return { args: [...whole, ...split, ...rest] };
}
