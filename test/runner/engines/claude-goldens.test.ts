import { describe, expect, test } from 'vitest';
import type { EngineItem } from '../../../runner/engines/engine.ts';
import { listCaptures, readCapture, replay } from './replay.ts';

/** One item as one line: enough to review, stable to compare. */
function showItem(item: EngineItem): string {
  switch (item.kind) {
    case 'event': {
      const { type, ...rest } = item.event;
      return `${type} ${JSON.stringify(rest)}`;
    }
    case 'delta':
      return `delta ${item.delta.blockId} ${item.delta.kind} @${item.delta.offset} ${JSON.stringify(item.delta.text)}`;
    case 'write':
      return `> ${item.line}`;
    case 'signal':
      return `signal ${item.signal}`;
    case 'output':
      return `output ${item.toolId} ${item.text.length} characters`;
    case 'fatal':
      return `fatal ${item.error.code}`;
    default:
      return item satisfies never;
  }
}

describe.each(['claude-2.1.197', 'claude-2.1.332', 'claude-2.1.332-partials'])('%s', (folder) => {
  test.each(listCaptures(folder))('%s reads as reviewed', async (name) => {
    const shown = replay(readCapture(folder, name)).map(showItem).join('\n');
    await expect(`${shown}\n`).toMatchFileSnapshot(
      `../../fixtures/engines/goldens/${folder}/${name.replace('.jsonl', '.txt')}`,
    );
  });
});
