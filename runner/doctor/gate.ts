import { existsSync, readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import type { DoctorFinding } from '../../protocol/machine.ts';
import { shellWord } from '../../protocol/shell-word.ts';
import { packetOf } from '../gate/pkt-line.ts';

/** Who answers at the port through which sessions push. */
export type GateFacts = { port: number; answers: 'gate' | 'nobody' | 'another' };

const WITHIN_MS = 2_000;

/** The finding on the gate; null where no session of this machine ever had one. */
export function checkGate(facts: GateFacts | null, pidFile: string): DoctorFinding | null {
  if (facts === null) return null;
  const { port, answers } = facts;
  const finding = { check: 'gate', remedy: null };
  switch (answers) {
    case 'gate':
      return {
        ...finding,
        status: 'ok',
        message: `Sessions push through the gate at port ${port}.`,
      };
    case 'nobody':
      return {
        ...finding,
        status: 'ok',
        message: `The gate at port ${port} is closed: no sealed or fenced session is going on, or no runner runs.`,
      };
    case 'another':
      return {
        check: 'gate',
        status: 'warning',
        message: `Another program has port ${port}, at which sessions push.`,
        remedy: `Restart the runner with \`kill "$(cat ${shellWord(pidFile)})"\`: it is started again by itself, takes another port and tells every checkout.`,
      };
    default:
      return answers satisfies never;
  }
}

/** Asks at the port that the gate has kept in the runner's directory. */
export async function readGateFacts(runner: string): Promise<GateFacts | null> {
  const path = join(runner, 'gate.port');
  if (!existsSync(path)) return null;
  const port = Number(readFileSync(path, 'utf8'));
  return { port, answers: await ask(port) };
}

/** The gate refuses a session that nobody has in words of its own. */
function ask(port: number): Promise<GateFacts['answers']> {
  return new Promise((resolve) => {
    let heard = '';
    const socket = connect({ host: '127.0.0.1', port, timeout: WITHIN_MS });
    const settle = (answers: GateFacts['answers']) => {
      resolve(answers);
      socket.destroy();
    };
    socket.on('connect', () => socket.write(packetOf('git-upload-pack /ses_doctor/0\0host=x\0')));
    socket.on('data', (chunk: Buffer) => {
      heard += chunk.toString('latin1');
    });
    socket.on('close', () =>
      settle(heard.includes('no session of this machine') ? 'gate' : 'another'),
    );
    socket.on('timeout', () => settle('another'));
    socket.on('error', () => settle('nobody'));
  });
}
