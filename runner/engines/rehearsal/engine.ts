#!/usr/bin/env node
import { enableCompileCache } from 'node:module';

// Tests start this process hundreds of times; compiled once, it is there in a third of the time.
enableCompileCache();
await import('./main.ts');
