import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ScriptInput } from '../../runner/engines/rehearsal/script.ts';
import { World } from './world.ts';

/** A person's machine without any engine: every session plays one script. */
export class RehearsalWorld extends World {
  constructor(script: ScriptInput) {
    super((home) => {
      const file = join(home, 'script.json');
      mkdirSync(home, { recursive: true });
      writeFileSync(file, JSON.stringify(script));
      return { PILOTHOUSE_REHEARSAL_SCRIPT: file };
    });
  }

  static async start(script: ScriptInput, ...args: string[]): Promise<RehearsalWorld> {
    const world = new RehearsalWorld(script);
    await world.up(...args);
    return world;
  }

  launch(objective: string, ...options: string[]): Promise<string> {
    return this.launchOn('rehearsal', objective, ...options);
  }
}
