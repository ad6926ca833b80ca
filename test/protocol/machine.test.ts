import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  HEARTBEAT_MS,
  OFFLINE_AFTER_MS,
  decidePresence,
  doctorReport,
  engineReadiness,
  machineFacts,
  presence,
} from '../../protocol/machine.ts';

const time = fc.integer({ min: 0, max: 4_000_000_000_000 });

const READY = {
  engineId: 'claude',
  label: 'Claude Code',
  ready: true,
  version: '2.1.332',
  payer: 'api-key',
  credential: 'ANTHROPIC_API_KEY',
  approvals: ['ask'],
  problem: null,
  remedy: null,
};
const MACHINE = {
  hostname: 'desk',
  platform: 'linux',
  arch: 'x64',
  nodeVersion: '24.0.0',
  pilothouseVersion: '0.1.0',
  homeDirectory: '/home/dev',
  limits: {
    source: null,
    directories: ['/home/dev'],
    engines: ['claude'],
    bypass: false,
    noOutputMaxMs: 3_600_000,
    minimumGrade: 'open',
  },
  engines: [READY],
};

describe('presence', () => {
  it('is never claimed without a connection, whenever the last word came', () => {
    fc.assert(
      fc.property(fc.option(time), time, (lastHeardAt, now) => {
        expect(decidePresence(lastHeardAt, false, now)).toBe('offline');
      }),
    );
  });

  it('is online exactly while the last word is young enough', () => {
    fc.assert(
      fc.property(time, fc.nat(2 * OFFLINE_AFTER_MS), (heard, silence) => {
        expect(decidePresence(heard, true, heard + silence)).toBe(
          silence <= OFFLINE_AFTER_MS ? 'online' : 'offline',
        );
      }),
    );
  });

  it('does not go away because a clock stands a little behind', () => {
    expect(decidePresence(1_000, true, 400)).toBe('online');
  });

  it('survives two lost heartbeats, and not a machine that is gone', () => {
    expect(OFFLINE_AFTER_MS).toBeGreaterThan(2 * HEARTBEAT_MS);
    expect(OFFLINE_AFTER_MS).toBeLessThanOrEqual(4 * HEARTBEAT_MS);
  });

  it('has a word for not knowing', () => {
    expect(presence.options).toContain('unknown');
  });
});

describe('the facts of a machine', () => {
  it('are read back from JSON without a difference', () => {
    expect(machineFacts.parse(JSON.parse(JSON.stringify(MACHINE)))).toEqual(MACHINE);
  });

  it.each(Object.keys(MACHINE))('are incomplete without %s', (field) => {
    expect(machineFacts.safeParse({ ...MACHINE, [field]: undefined }).success).toBe(false);
  });

  it('may name engines that the server does not know', () => {
    const facts = { ...MACHINE, engines: [{ ...READY, engineId: 'brand-new' }] };
    expect(machineFacts.safeParse(facts).success).toBe(true);
  });

  it('of an engine that is not ready say what is in the way and what to do', () => {
    const missing = {
      ...READY,
      ready: false,
      version: null,
      credential: null,
      payer: 'unknown',
      problem: 'It is not installed.',
      remedy: 'Install it.',
    };
    expect(engineReadiness.parse(missing)).toEqual(missing);
  });

  it('do not say that an engine is paid by anybody else', () => {
    expect(engineReadiness.safeParse({ ...READY, payer: 'the neighbour' }).success).toBe(false);
  });
});

describe('the report of the doctor', () => {
  it('has findings that are fine, worth a look or a problem', () => {
    const finding = (status: string) => ({ check: 'git', status, message: 'm', remedy: null });
    const report = { findings: ['ok', 'warning', 'problem'].map(finding) };
    expect(doctorReport.parse(report)).toEqual(report);
    expect(doctorReport.safeParse({ findings: [finding('fatal')] }).success).toBe(false);
  });
});
