import { afterEach, describe, expect, it } from 'vitest';
import {
  RECORD_PATH,
  type Repository,
  makeRepository,
  problemsOf,
  recordText,
} from '../../../support/decision-repository.ts';

let repository: Repository;
afterEach(() => repository.dispose());

const SECOND = 'docs/adr/0002-another.md';

describe('an accepted record that cannot be read', () => {
  const whole = recordText({ front: 'owner: Anna' });
  it.each([
    ['YAML that breaks off', whole.replace('owner: Anna', 'owner: [Anna')],
    ['YAML that is a list', whole.replace(/^---\n[^]*?---\n/, '---\n- status\n---\n')],
    ['a fence that is never closed', whole.replace('\n---\n\n', '\n\n')],
    ['a status that nobody knows', whole.replace('status: accepted', 'status: acepted')],
    ['no status', whole.replace('status: accepted\n', '')],
    ['a status in words of the report', whole.replace('accepted', 'unknown')],
  ])('for %s could not be checked, and nothing else is said of it', async (_, text) => {
    repository = makeRepository({ [RECORD_PATH]: whole });
    repository.write({ [RECORD_PATH]: text });
    const told = async () => {
      const report = await repository.check();
      expect(report.exitCode).toBe(2);
      expect(report.records[0]?.status).toBe('unknown');
      expect(report.records[0]?.problems[0]?.uncertain).toBe(true);
      expect(problemsOf(report)).toHaveLength(1);
      expect(problemsOf(report)[0]).toMatch(/cannot be read|no status that is known/);
    };
    await told();
    repository.commit();
    await told();
    repository.write({ [RECORD_PATH]: whole });
    expect(await repository.check()).toMatchObject({ exitCode: 0 });
    repository.write({ [RECORD_PATH]: whole.replace('We do it.', 'We do not.') });
    expect(problemsOf(await repository.check())[0]).toMatch(/not what was accepted/);
  });

  it('keeps its rules from passing where its status stands in a section', async () => {
    const text =
      '---\nenforcement:\n  - { id: a, kind: advisory, reason: It is so decided. }\n---\n# 1. A\n\n## Status\n\nAccepted\n';
    repository = makeRepository({ [RECORD_PATH]: text.replace('\n---\n', '\n') });
    expect(await repository.check()).toMatchObject({ exitCode: 2 });
  });

  it('contradicts no other record', async () => {
    const older = recordText({ status: 'superseded', front: 'superseded-by: "0002"' });
    const newer = recordText({ number: 2, title: 'Another', front: 'supersedes: "0001"' });
    repository = makeRepository({ [RECORD_PATH]: older, [SECOND]: newer });
    for (const path of [RECORD_PATH, SECOND]) {
      const text = repository.read(path);
      repository.write({ [path]: text.replace('superse', '[ superse') });
      // oxlint-disable-next-line no-await-in-loop -- one repository, one state at a time
      const report = await repository.check();
      expect([problemsOf(report).length, report.exitCode]).toEqual([1, 2]);
      repository.write({ [path]: text });
    }
  });

  it('was still a decision when its file goes', async () => {
    repository = makeRepository({
      [RECORD_PATH]: recordText(),
      [SECOND]: recordText({ number: 2, title: 'Another' }),
    });
    repository.write({ [SECOND]: '---\nstatus: [\n---\n# 2. Another\n' });
    repository.commit();
    repository.remove(SECOND);
    repository.commit();
    expect(problemsOf(await repository.check())[0]).toMatch(/was a decision and is gone/);
  });
});
