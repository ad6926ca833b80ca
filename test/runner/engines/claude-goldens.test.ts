import { describe, expect, test } from 'vitest';
import { listCaptures, readCapture, replay } from './replay.ts';
import { showItem } from './show-item.ts';

describe.each(['claude-2.1.197', 'claude-2.1.332', 'claude-2.1.332-partials'])('%s', (folder) => {
  test.each(listCaptures(folder))('%s reads as reviewed', async (name) => {
    const shown = replay(readCapture(folder, name)).map(showItem).join('\n');
    await expect(`${shown}\n`).toMatchFileSnapshot(
      `../../fixtures/engines/goldens/${folder}/${name.replace('.jsonl', '.txt')}`,
    );
  });
});
