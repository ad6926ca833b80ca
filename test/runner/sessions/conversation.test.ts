import { describe, expect, test } from 'vitest';
import {
  checkConversation,
  checkUnheld,
  findHolder,
} from '../../../runner/sessions/conversation.ts';
import { refusalOf } from '../../../runner/sessions/launcher.ts';
import { aLaunch } from '../../support/protocol-builders.ts';
import { scriptedEngine } from '../../support/scripted-engine.ts';

const running = (argv: string[], directory = '/r', pid = 7) => ({ pid, argv, directory });
const resumption = (over = {}) => ({
  engineSessionId: 'c-1',
  directory: '/r',
  begunByHand: false,
  ...over,
});
const codeFrom = (check: () => void) => {
  try {
    check();
    return null;
  } catch (error) {
    return refusalOf(error).code;
  }
};

describe('a conversation is held', () => {
  test.each([
    ['by an engine that names it', resumption(), running(['claude', '--resume', 'c-1'], '/else')],
    ['by one that names it in one word', resumption(), running(['claude', '--resume=c-1'])],
    [
      'by one at the place of one begun by hand',
      resumption({ begunByHand: true }),
      running(['claude', '-r', 'c-2']),
    ],
    ['by one that takes up the newest there', resumption(), running(['claude', '--continue'])],
    ['by another’s newest', resumption(), running(['codex', 'resume', '--last'])],
    ['by one that asks which one', resumption(), running(['claude', '--resume'])],
    ['by one that may take it up at any time', resumption(), running(['claude'])],
  ])('%s', (_, wanted, process) => {
    expect(findHolder(wanted, [running(['claude'], '/other', 3), process])).toBe(process);
  });

  test.each([
    ['by nobody', resumption(), []],
    ['not by another conversation in its place', resumption(), [running(['claude', '-r', 'c-2'])]],
    ['not by one more way', resumption(), [running(['codex', 'resume', 'c-2'])]],
    ['not by an id in one word', resumption(), [running(['opencode', '--session=c-2'])]],
    ['not by one elsewhere', resumption(), [running(['claude', '--continue'], '/s')]],
    ['not by an engine elsewhere', resumption({ begunByHand: true }), [running(['claude'], '/s')]],
  ])('%s', (_, wanted, processes) => {
    expect(findHolder(wanted, processes)).toBeNull();
  });
});

describe('a launch that carries on a conversation', () => {
  const launch = (over = {}) => aLaunch({ conversation: 'c-1', checkout: 'inPlace', ...over });

  test('is refused while somebody else is at it, with the process to end', () => {
    const check = () => checkUnheld(resumption(), [running(['claude', '-r', 'c-1'], '/r', 42)]);
    expect(codeFrom(check)).toBe('conversation_held');
    expect(check).toThrow('pid 42');
    expect(codeFrom(() => checkUnheld(resumption(), []))).toBeNull();
  });

  test('is refused away from where it was begun, and by an engine that cannot resume', () => {
    const engine = scriptedEngine();
    const oneTime = { ...engine, capabilities: { ...engine.capabilities, resume: false } };
    expect(codeFrom(() => checkConversation(launch({ checkout: 'own' }), engine))).toBe(
      'conversation_elsewhere',
    );
    expect(codeFrom(() => checkConversation(launch(), oneTime))).toBe('resume_unsupported');
    expect(codeFrom(() => checkConversation(launch(), engine))).toBeNull();
    expect(codeFrom(() => checkConversation(aLaunch(), oneTime))).toBeNull();
  });
});
