import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { sessionId } from '../../../../protocol/ids.ts';
import { createApi, type Api } from '../../../../runner/cli/api.ts';
import { findSession } from '../../../../runner/cli/sessions/find.ts';
import { EXIT } from '../../../../runner/failure.ts';
import { aRunner, FakeCloud } from '../../../support/fake-cloud.ts';
import { FakeSession } from '../../../support/fake-session.ts';
import { created } from '../../../support/protocol-builders.ts';

let cloud: FakeCloud;
let api: Api;
beforeEach(async () => {
  cloud = await FakeCloud.listen();
  api = createApi(cloud.url, cloud.token);
});
afterEach(() => cloud.close());

const add = (...ids: string[]) => {
  for (const id of ids)
    cloud.addSession(new FakeSession(sessionId.parse(id), aRunner('run_1', 'laptop')), created());
};
const failureOf = (text: string) => findSession(api, text).then(String, (error: unknown) => error);

describe('the session that a person means', () => {
  it('is a whole id as it is, without asking whether it exists', async () => {
    const whole = `ses_${'0'.repeat(22)}`;
    expect(await findSession(api, whole)).toEqual({ sessionId: whole });
    expect(cloud.asked).toEqual([]);
  });

  it.each(['ses_01abc7x2m', '7x2m', 'ses_01', 'abc'])(
    'is the only one whose id has %s in it',
    async (text) => {
      add('ses_01abc7x2m', 'ses_02def9y4n');
      expect(await findSession(api, text)).toEqual({ sessionId: 'ses_01abc7x2m' });
    },
  );

  it('is looked for among the last five hundred', async () => {
    add('ses_1');
    await findSession(api, 'ses_1');
    expect(cloud.asked.map(({ query }) => query)).toEqual([{ limit: '500' }]);
  });

  it('is never guessed: several are named, five of them at most', async () => {
    add(...Array.from({ length: 7 }, (_, index) => `ses_same${index}`));
    expect(await failureOf('same')).toMatchObject({
      exitCode: EXIT.refused,
      code: 'session_not_found',
      message:
        '7 sessions have same in their id. Give more of it: ses_same6, ses_same5, ses_same4, ses_same3, ses_same2.',
    });
  });

  it.each(['nothing', 'ses_zzz', 'SES_01ABC7X2M'])('is none for %s', async (text) => {
    add('ses_01abc7x2m');
    expect(await failureOf(text)).toMatchObject({
      exitCode: EXIT.refused,
      code: 'session_not_found',
    });
  });

  it('cannot be looked for where nothing answers', async () => {
    const away = createApi('http://127.0.0.1:1', 't');
    await expect(findSession(away, 'x')).rejects.toMatchObject({ exitCode: EXIT.unreachable });
  });
});
