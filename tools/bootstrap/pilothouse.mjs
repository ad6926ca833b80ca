#!/usr/bin/env node
import { ensureInstalled } from './install.mjs';
import { runPilothouse } from './run.mjs';

ensureInstalled();
runPilothouse(process.argv.slice(2));
