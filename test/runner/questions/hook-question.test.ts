import { describe, expect, it } from 'vitest';
import { TOUCHES_MAX_CHARS } from '../../../protocol/tool-rules.ts';
import { createRedactor } from '../../../runner/guard/redact.ts';
import { readHook } from '../../../runner/questions/hook-question.ts';
import { lookAt } from '../acts/files.ts';

const SECRET = { name: 'TOKEN', value: 'canary-0123456789' };
const FILES: Readonly<Record<string, string>> = { 'ship.sh': 'git push origin main' };
const read = (tool_name: string, tool_input: object) => {
  const hook = { hook_event_name: 'PermissionRequest', tool_name, tool_input, cwd: '/code' };
  const look = (directory: string) => lookAt(directory === '/code' ? FILES : {});
  return readHook('claude', JSON.stringify(hook), createRedactor([SECRET]), look);
};
const touched = (name: string, input: object) => read(name, input)?.touches;

describe('what an agent asks', () => {
  it('touches whole what a person is shown the beginning of', () => {
    const command = `echo ${'a '.repeat(5_000)}; cat .env`;
    const asked = read('Bash', { command });
    expect(asked?.permission.omitted).toBeGreaterThan(0);
    expect(asked?.touches).toEqual({ commands: [command], paths: [] });
  });

  it('touches the file that it writes, and nothing that it writes there', () => {
    const input = { file_path: '/code/README.md', content: 'Copy .env.example to .env' };
    expect(touched('Write', input)).toEqual({ commands: [], paths: ['/code/README.md'] });
  });

  it('touches the files of a patch, which is no command line', () => {
    const command = [
      '*** Begin Patch',
      '*** Update File: src/a.ts',
      '*** Move to: src/b.ts',
      '+cat .env',
      '*** Add File: new.ts',
      '*** Delete File: old.ts',
      '*** End Patch',
    ].join('\n');
    expect(touched('apply_patch', { command })).toEqual({
      commands: [],
      paths: ['src/a.ts', 'src/b.ts', 'new.ts', 'old.ts'],
    });
  });

  it('would do what a script of where it works does', () => {
    expect(read('Bash', { command: 'sh ship.sh' })?.acts).toMatchObject([{ kind: 'push' }]);
  });

  it('tells no secret of the machine', () => {
    const asked = read('Bash', { command: `curl -H ${SECRET.value} x` });
    expect(JSON.stringify(asked)).not.toContain(SECRET.value);
  });

  it('is not told as known where it is too much to be told', () => {
    expect(touched('Bash', { command: `echo ${'a'.repeat(TOUCHES_MAX_CHARS)}` })).toBeNull();
    const files = Array.from({ length: 501 }, (_, n) => ({ path: `f${n}` }));
    expect(touched('mcp__files__read', { files })).toBeNull();
  });
});
