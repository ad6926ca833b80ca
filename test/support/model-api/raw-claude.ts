import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { createInterface } from 'node:readline';

export type Line = Record<string, unknown> & { type: string };

/** The false key of the tests: a canary that must turn up nowhere. */
export const CANARY_KEY = 'sk-ant-canary-5f1e0c7a9d3b4e6288';

/** Environment for a real claude with a home of its own, against a loopback model API. */
export const claudeEnv = (home: string, apiUrl: string, apiKey: string | null = CANARY_KEY) => ({
  PATH: process.env['PATH'] ?? '',
  HOME: home,
  ANTHROPIC_BASE_URL: apiUrl,
  ...(apiKey && { ANTHROPIC_API_KEY: apiKey }),
  DISABLE_AUTOUPDATER: '1',
  DISABLE_TELEMETRY: '1',
  CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
});

/** One line that went in or came out; `err` is raw text, `exit` the process's end. */
export type Traffic = { dir: 'in' | 'out' | 'err' | 'note' | 'exit'; line: unknown };

export type RawClaude = {
  pid: number;
  lines: Line[];
  /** Resolves with the exit code, or null when a signal ended it. */
  exited: Promise<number | null>;
  kill(signal: NodeJS.Signals): void;
  say(text: string): string;
  write(message: unknown): void;
  /** The next line, from `after` on, that matches. */
  waitFor(matches: (line: Line) => boolean, timeoutMs?: number): Promise<Line>;
  end(): Promise<number | null>;
};

/** Drives the real claude by its own protocol, with nothing of the product in between. */
export function startRawClaude(
  executable: string,
  args: readonly string[],
  options: { cwd: string; env: Record<string, string>; onTraffic?: (traffic: Traffic) => void },
): RawClaude {
  const { onTraffic = () => {}, ...spawnOptions } = options;
  const base = [
    '-p',
    '--input-format',
    'stream-json',
    '--output-format',
    'stream-json',
    '--verbose',
  ];
  const child = spawn(executable, [...base, ...args], {
    ...spawnOptions,
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const lines: Line[] = [];
  const watchers = new Set<() => void>();
  let read = 0;
  createInterface({ input: child.stdout }).on('line', (text) => {
    const line = JSON.parse(text) as Line;
    onTraffic({ dir: 'out', line });
    lines.push(line);
    for (const watcher of watchers) watcher();
  });
  createInterface({ input: child.stderr }).on('line', (line) => onTraffic({ dir: 'err', line }));
  // 'close' comes after the last line of output, 'exit' may come before it.
  const exited = new Promise<number | null>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, sig) => {
      onTraffic({ dir: 'exit', line: { code, sig } });
      resolve(code);
    });
  });
  const write = (message: unknown) => {
    onTraffic({ dir: 'in', line: message });
    child.stdin.write(`${JSON.stringify(message)}\n`);
  };
  return {
    pid: child.pid ?? 0,
    lines,
    exited,
    kill(signal) {
      onTraffic({ dir: 'note', line: `kill ${signal}` });
      child.kill(signal);
    },
    write,
    say(text) {
      const uuid = randomUUID();
      const content = [{ type: 'text', text }];
      write({ type: 'user', uuid, message: { role: 'user', content }, parent_tool_use_id: null });
      return uuid;
    },
    waitFor(matches, timeoutMs = 120_000) {
      return new Promise((resolve, reject) => {
        const timer = setTimeout(() => {
          watchers.delete(check);
          reject(
            new Error(`no such line within ${timeoutMs} ms; last: ${JSON.stringify(lines.at(-1))}`),
          );
        }, timeoutMs);
        const check = () => {
          const index = lines.findIndex((line, at) => at >= read && matches(line));
          if (index === -1) return;
          read = index + 1;
          clearTimeout(timer);
          watchers.delete(check);
          resolve(lines[index] as Line);
        };
        watchers.add(check);
        check();
      });
    },
    end() {
      if (!child.stdin.writableEnded) {
        onTraffic({ dir: 'in', line: '<EOF>' });
        child.stdin.end();
      }
      return exited;
    },
  };
}
