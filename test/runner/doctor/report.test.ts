import { describe, expect, it } from 'vitest';
import { describeReport, hasProblems } from '../../../runner/doctor/report.ts';

const finding = (
  status: 'ok' | 'warning' | 'problem',
  check: string,
  remedy: string | null = null,
) => ({
  check,
  status,
  message: `About ${check}.`,
  remedy,
});
const plain = (_style: string, text: string) => text;

describe('the report of the doctor', () => {
  it('has one line per check and the remedy under it', () => {
    const findings = [finding('ok', 'git'), finding('warning', 'watches', 'do this')];
    expect(describeReport({ findings }, plain)).toBe(
      '✓ git      About git.\n! watches  About watches.\n           do this\n\n1 warning; nothing keeps sessions from running.',
    );
  });

  it('says that all is well when it is', () => {
    expect(describeReport({ findings: [finding('ok', 'git')] }, plain)).toMatch(/\nNo problems\.$/);
  });

  it('counts both, and only problems keep sessions from running', () => {
    const findings = [
      finding('problem', 'git', 'x'),
      finding('problem', 'disk', 'y'),
      finding('warning', 'a', 'z'),
    ];
    expect(describeReport({ findings }, plain)).toMatch(/\n2 problems, 1 warning\.$/);
    expect(hasProblems({ findings })).toBe(true);
    expect(hasProblems({ findings: findings.slice(2) })).toBe(false);
  });
});
