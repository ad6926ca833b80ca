import { describe, expect, test } from 'vitest';
import { listCaptures, readCapture } from '../replay.ts';
import { showItem } from '../show-item.ts';
import { FOLDER, replay } from './replay.ts';

describe('the captures of codex 0.171.0', () => {
  test.each(listCaptures(FOLDER))('%s reads as reviewed', async (name) => {
    const shown = replay(readCapture(FOLDER, name)).map(showItem).join('\n');
    await expect(`${shown}\n`).toMatchFileSnapshot(
      `../../../fixtures/engines/goldens/${FOLDER}/${name.replace('.jsonl', '.txt')}`,
    );
  });
});
