import { argumentsFromNpm } from './arguments.mjs';
import { ensureInstalled, exitWith } from './install.mjs';
import { runPilothouse } from './run.mjs';

const meant = argumentsFromNpm(process.env, process.argv.slice(2));
if ('refusal' in meant) exitWith(meant.refusal);
else {
  ensureInstalled();
  runPilothouse(['up', ...meant.args]);
}
