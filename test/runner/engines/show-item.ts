import type { EngineItem } from '../../../runner/engines/engine.ts';

/** One item as one line: enough to review, stable to compare. */
export function showItem(item: EngineItem): string {
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
    case 'estimate':
      return `estimate ${item.microUsd}`;
    case 'unsteered':
      return `unsteered ${item.turnId}`;
    case 'capped':
    case 'forgets':
      return item.kind;
    case 'fatal':
      return `fatal ${item.error.code}`;
    default:
      return item satisfies never;
  }
}
