import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { actId, requestId, turnId } from '../../../protocol/ids.ts';
import { actIdOf, approvalId, engineTurnId, turnUuid } from '../../../runner/engines/ids.ts';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const turn = fc.stringMatching(/^[0-9a-z]{1,40}$/).map((rest) => turnId.parse(`trn_${rest}`));
const any = fc.string({ unit: 'binary' });

describe('the name of an instruction towards the engine', () => {
  test('is a UUID in form, whatever the turn is called', () => {
    fc.assert(
      fc.property(turn, (id) => {
        expect(turnUuid(id)).toMatch(UUID);
      }),
    );
  });

  test('is the same in every process, so that an echo is recognised after a restart', () => {
    expect(turnUuid(turnId.parse('trn_first'))).toBe(turnUuid(turnId.parse('trn_first')));
  });

  test('differs between two turns', () => {
    fc.assert(
      fc.property(turn, turn, (one, other) => {
        fc.pre(one !== other);
        expect(turnUuid(one)).not.toBe(turnUuid(other));
      }),
    );
  });
});

describe('our name of what the engine names', () => {
  test('is one that the protocol accepts, whatever the engine says', () => {
    fc.assert(
      fc.property(any, any, fc.nat(50), (scope, name, index) => {
        expect(requestId.safeParse(approvalId(scope, name)).success).toBe(true);
        expect(turnId.safeParse(engineTurnId(scope, name)).success).toBe(true);
        expect(actId.safeParse(actIdOf(scope, name, index)).success).toBe(true);
      }),
    );
  });

  test('of a request by UUID shows that UUID, so that logs of both can be compared', () => {
    const uuid = 'C0FFEE00-1234-4ABC-8DEF-000000000001';
    expect(approvalId('any', uuid)).toBe('apr_c0ffee0012344abc8def000000000001');
  });

  test('of a request without a UUID is different in another conversation', () => {
    expect(approvalId('one', 'request-1')).not.toBe(approvalId('other', 'request-1'));
    expect(approvalId('one', 'request-1')).toBe(approvalId('one', 'request-1'));
  });

  test.each([
    ['conversation', actIdOf('one', 't', 0), actIdOf('other', 't', 0)],
    ['tool call', actIdOf('one', 't', 0), actIdOf('one', 'u', 0)],
    ['place in the command line', actIdOf('one', 't', 0), actIdOf('one', 't', 1)],
  ])('of an act is different for another %s', (_what, one, other) => {
    expect(one).not.toBe(other);
  });

  test('of a turn of the engine’s own is different for another line or launch', () => {
    expect(engineTurnId('lau_a', 'u1')).not.toBe(engineTurnId('lau_a', 'u2'));
    expect(engineTurnId('lau_a', 'u1')).not.toBe(engineTurnId('lau_b', 'u1'));
  });
});
