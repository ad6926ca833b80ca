// @vitest-environment node
import { describe, expect, it } from 'vitest';
import { describeInput } from '../../../console/transcript/describe-input.ts';

describe('the input of a tool', () => {
  it('with a command is a command', () => {
    expect(describeInput('{"command":"ls","description":"Look"}')).toEqual({
      kind: 'command',
      command: 'ls',
      description: 'Look',
    });
  });

  it('with two texts of a file is a change of it', () => {
    expect(describeInput('{"file_path":"/a","old_string":"x","new_string":"y"}')).toEqual({
      kind: 'patch',
      path: '/a',
      patch: '-x\n+y',
    });
  });

  it('with a whole content is a new file', () => {
    expect(describeInput('{"file_path":"/a","content":"x"}')).toMatchObject({ patch: '+x' });
  });

  it('with a plan is a plan', () => {
    expect(describeInput('{"plan":"# Go"}')).toEqual({ kind: 'plan', text: '# Go' });
  });

  it('of any other shape is readable JSON', () => {
    expect(describeInput('{"query":"x"}')).toEqual({ kind: 'text', text: '{\n  "query": "x"\n}' });
  });

  it('that was cut is shown as it is', () => {
    expect(describeInput('{"command":"l')).toEqual({ kind: 'text', text: '{"command":"l' });
  });
});
