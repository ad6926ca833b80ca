// @vitest-environment node
import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { launchRequest } from '../../../protocol/http.ts';
import { cliTwin } from '../../../console/format/cli.ts';

const request = (over: object = {}) =>
  launchRequest.parse({
    runnerId: 'run_a',
    engineId: 'claude',
    directory: '/home/me/a b',
    objective: "Fix it, don't break it",
    ...over,
  });

describe('the command that does what a page does', () => {
  it.each([
    [cliTwin.sessions(), 'pilothouse sessions list'],
    [cliTwin.diff('ses_a'), 'pilothouse sessions diff ses_a'],
    [cliTwin.pack('ses_a'), 'pilothouse sessions pack ses_a'],
    [cliTwin.compare(['ses_a', 'ses_b']), 'pilothouse compare ses_a ses_b'],
    [cliTwin.pilot('ses_a', 'pause'), 'pilothouse pilot pause ses_a'],
    [cliTwin.attach('tmux:own:1.2:%3'), 'pilothouse attach tmux:own:1.2:%3'],
    [cliTwin.readDigest(), 'pilothouse notifications digest'],
  ])('is %s', (twin, command) => {
    expect(twin).toBe(command);
  });

  it('launches with what was chosen and leaves defaults out', () => {
    expect(cliTwin.launch(request())).toBe(
      `pilothouse launch --runner run_a --engine claude --directory '/home/me/a b' 'Fix it, don'\\''t break it'`,
    );
  });

  it('names every choice that is not the default', () => {
    const twin = cliTwin.launch(
      request({
        checkout: 'inPlace',
        baseRef: 'main',
        fromUncommitted: true,
        approvals: 'plan',
        model: 'big',
        conversation: 'c-1',
        budgetMicroUsd: 2_500_000,
        noOutputMs: 2_700_000,
        answerMs: 1_800_000,
      }),
    );
    expect(twin).toContain(
      '--in-place --base main --uncommitted --approvals plan --model big --conversation c-1 --budget 2.5 --silence 45 --answer-within 0.5 ',
    );
  });

  it('answers, speaks and acts on a session by its id', () => {
    expect(cliTwin.answer('ses_a', 'apr_b', 'deny')).toBe('pilothouse sessions deny ses_a apr_b');
    expect(cliTwin.say('ses_a', 'go on')).toBe("pilothouse sessions say ses_a 'go on'");
    expect(cliTwin.act('ses_a', 'stop')).toBe('pilothouse sessions stop ses_a');
  });
});

describe('the command for a launch with a Pilot', () => {
  const steps = [{ title: 'It’s done', check: "test -f 'a b'" }];

  it('has its checklist in a pipe, and its bounds', () => {
    const twin = cliTwin.launch(
      request({
        pilot: {
          mode: 'co_pilot',
          brain: { kind: 'checklist', steps },
          bounds: { maxTurns: 7, maxWallMs: 1_800_000 },
          beginsAnew: true,
        },
      }),
    );
    expect(twin).toContain(
      '--mode co-pilot --checklist - --max-turns 7 --max-hours 0.5 --begin-anew',
    );
    const piped = /^printf %s (.*) \| pilothouse launch /.exec(twin)?.[1] ?? '';
    const printed = execFileSync('sh', ['-c', `printf %s ${piped}`], { encoding: 'utf8' });
    expect(JSON.parse(printed)).toMatchObject({
      steps: [{ title: 'It’s done', check: "test -f 'a b'", seconds: 600 }],
    });
  });

  it('names the key and the model that decide', () => {
    const brain = { kind: 'api', keyId: 'bky_1', model: 'some-model', steps };
    expect(cliTwin.launch(request({ pilot: { mode: 'pilot', brain } }))).toContain(
      '--brain api --brain-key bky_1 --brain-model some-model',
    );
  });

  it('names the engine as the brain, and its model where that is another', () => {
    const twin = (model: string | null) =>
      cliTwin.launch(
        request({ pilot: { mode: 'pilot', brain: { kind: 'engine', model, steps } } }),
      );
    expect(twin('small')).toContain('--brain engine --brain-model small');
    expect(twin(null)).toContain('--brain engine');
    expect(twin(null)).not.toContain('--brain-model');
  });
});
