import { expect, it } from 'vitest';
import { ObjectAlarm } from '../../../workers/relay/alarm.ts';

const HOUR = 60 * 60 * 1_000;

/** An alarm over storage in which this one is set, and those that it sets. */
async function alarmSetAt(at: number | null): Promise<{ alarm: ObjectAlarm; set: number[] }> {
  const set: number[] = [];
  const storage = {
    getAlarm: () => Promise.resolve(at),
    setAlarm: (next: number) => Promise.resolve(void set.push(next)),
  };
  const alarm = new ObjectAlarm(storage as unknown as DurableObjectStorage);
  await alarm.load();
  return { alarm, set };
}

it('lets an overdue alarm go off now, though what is asked for is far later', async () => {
  const before = Date.now();
  const { alarm, set } = await alarmSetAt(before - 5_000);
  await alarm.ensure(before + HOUR);
  expect(set).toHaveLength(1);
  expect(set[0]).toBeGreaterThanOrEqual(before);
  expect(set[0]).toBeLessThan(before + HOUR);
});

it('leaves one that goes off in time, and is written once', async () => {
  const { alarm, set } = await alarmSetAt(Date.now() + HOUR);
  await alarm.ensure(Date.now() + 2 * HOUR);
  expect(set).toEqual([]);
});

it('moves one that is set too late, and sets one where none is', async () => {
  const at = Date.now() + HOUR;
  for (const known of [at + HOUR, null]) {
    const { alarm, set } = await alarmSetAt(known);
    await alarm.ensure(at);
    await alarm.ensure(at + 1);
    expect(set).toEqual([at]);
  }
});
