import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { commandSchema } from '../../protocol/command.ts';
import { consoleFrame, feedFrame } from '../../protocol/console-frames.ts';
import { feedEntry, feedEvent } from '../../protocol/engine-event.ts';
import { relayFrame, runnerFrame } from '../../protocol/runner-frames.ts';

/**
 * Golden wire fixtures: what these files hold is what older peers send. A change here that makes
 * one of them unreadable is a breaking change of the protocol.
 */
const FIXTURES = {
  'runner-frames': runnerFrame,
  'relay-frames': relayFrame,
  'console-frames': consoleFrame,
  'feed-frames': feedFrame,
  'feed-entries': feedEntry,
} as const;

function readFixture(name: string): unknown[] {
  const url = new URL(`../fixtures/wire/${name}.json`, import.meta.url);
  return z.array(z.unknown()).parse(JSON.parse(readFileSync(url, 'utf8')));
}

const typesOf = (schema: { options: readonly { shape: { type: z.ZodLiteral<string> } }[] }) =>
  schema.options.map((option) => option.shape.type.value);

describe.each(Object.entries(FIXTURES))('the golden %s', (name, schema) => {
  it('are read and written without a difference', () => {
    const frames = readFixture(name);
    expect(frames.length).toBeGreaterThan(0);
    for (const frame of frames) expect(schema.parse(frame)).toEqual(frame);
  });
});

describe('the golden fixtures', () => {
  const seen = (name: string) =>
    new Set(readFixture(name).map((frame) => (frame as { type: string }).type));

  it('hold every frame that a runner, a relay, a console and a feed can send', () => {
    expect(typesOf(runnerFrame).filter((type) => !seen('runner-frames').has(type))).toEqual([]);
    expect(typesOf(relayFrame).filter((type) => !seen('relay-frames').has(type))).toEqual([]);
    expect(typesOf(consoleFrame).filter((type) => !seen('console-frames').has(type))).toEqual([]);
    expect(typesOf(feedFrame).filter((type) => !seen('feed-frames').has(type))).toEqual([]);
  });

  it('hold every event', () => {
    const types = new Set(
      readFixture('feed-entries').map((entry) => feedEntry.parse(entry).event.type),
    );
    const all = feedEvent.options.map((option) => option.shape.type.value);
    expect(all.filter((type) => !types.has(type))).toEqual([]);
  });

  it('hold every command', () => {
    const methods = new Set(
      readFixture('relay-frames').flatMap((frame) => {
        const parsed = relayFrame.parse(frame);
        return parsed.type === 'command' ? [parsed.command.method] : [];
      }),
    );
    const all = commandSchema.options.map((option) => option.shape.method.value);
    expect(all.filter((method) => !methods.has(method))).toEqual([]);
  });
});
