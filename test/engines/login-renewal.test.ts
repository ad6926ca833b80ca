import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { installEngine } from '../../tools/engines/install.ts';
import { World } from '../e2e/world.ts';
import { findChanges, findTraces, readHome } from '../support/login-traces.ts';
import { sendJson, startLoopback, type Loopback } from '../support/model-api/loopback.ts';
import { startResponsesApi, type ResponsesApi } from '../support/model-api/responses.ts';
import { says } from '../support/model-api/script.ts';
import { isSealedPeer } from '../support/peer.ts';
import { sealProblem } from '../support/sealed.ts';

const RENEWAL_URL = 'CODEX_REFRESH_TOKEN_URL_OVERRIDE';

const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

/** A token of a subscription as the engine reads it; nobody checks its signature. */
function token(name: string, expiresInS: number): string {
  const plan = { chatgpt_plan_type: 'plus', chatgpt_account_id: 'acc', chatgpt_user_id: 'ada' };
  const claims = { email: 'ada@example.com', name, 'https://api.openai.com/auth': plan };
  const exp = Math.round(Date.now() / 1_000) + expiresInS;
  return [{ alg: 'none' }, { ...claims, exp }, { none: true }].map(encode).join('.');
}

const tokensOf = (name: string, expiresInS: number) => ({
  id_token: token(name, expiresInS),
  access_token: token(name, expiresInS),
  refresh_token: `refresh-${name}`,
});

const login = z.object({
  tokens: z.object({ access_token: z.string(), refresh_token: z.string() }),
});

/** A person's machine with the real codex, logged in by a subscription whose token has expired. */
class SubscribedWorld extends World {
  readonly loginFile = join(this.home, '.codex', 'auth.json');
  readonly api: ResponsesApi;

  constructor(api: ResponsesApi, issuer: Loopback<{ refresh_token: string }>, expired: object) {
    super((home) => ({
      HOME: home,
      CODEX_HOME: join(home, '.codex'),
      PILOTHOUSE_CODEX: installEngine('codex'),
      [RENEWAL_URL]: `${issuer.url}/oauth/token`,
      // Nothing leaves this machine: what the engine asks of its provider's servers goes nowhere.
      HTTPS_PROXY: 'http://127.0.0.1:9',
    }));
    this.api = api;
    mkdirSync(join(this.home, '.codex'));
    const config = `model_provider = "loopback"

[model_providers.loopback]
name = "loopback"
base_url = "${api.url}/v1"
wire_api = "responses"
requires_openai_auth = true
request_max_retries = 0
`;
    writeFileSync(join(this.home, '.codex', 'config.toml'), config);
    const stored = {
      auth_mode: 'chatgpt',
      OPENAI_API_KEY: null,
      tokens: { ...expired, account_id: 'acc' },
      last_refresh: '2026-01-01T00:00:00Z',
    };
    writeFileSync(this.loginFile, JSON.stringify(stored), { mode: 0o600 });
    // Its name looks like a secret's, so that a seal leaves it out unless the machine says otherwise.
    this.writeLimits(
      `bypass = true\n\n[[repositories]]\ndirectory = "${this.repository}"\nvariables = ["${RENEWAL_URL}"]`,
    );
  }

  readLogin() {
    return login.parse(JSON.parse(readFileSync(this.loginFile, 'utf8'))).tokens;
  }
}

/** How much it may do unasked decides its form. */
const FORMS = [
  { form: 'a process for each turn', approvals: 'bypass' },
  { form: 'app-server', approvals: 'ask' },
] as const;

describe.skipIf(sealProblem !== null).each(FORMS)(
  'a subscription whose token expired, $form',
  ({ approvals }) => {
    const old = tokensOf('old', -60);
    const renewed = tokensOf('new', 3_600);
    let world: SubscribedWorld;
    let issuer: Loopback<{ refresh_token: string }>;
    const fromSeal: boolean[] = [];

    beforeAll(async () => {
      issuer = await startLoopback<{ refresh_token: string }>({
        parse: (path, body) =>
          path === '/oauth/token' ? (JSON.parse(body) as { refresh_token: string }) : null,
        // As the real one: a token that was renewed is worth nothing from then on.
        async answer(request, _path, response) {
          if (request) fromSeal.push(isSealedPeer(response.req.socket.remotePort));
          const first = issuer.seen.filter((each) => each.request).length === 1;
          if (first && request?.refresh_token === 'refresh-old')
            return sendJson(response, 200, renewed);
          sendJson(response, 400, { error: { code: 'refresh_token_reused' } });
        },
      });
      const api = await startResponsesApi({ 'say hi': [says('Hi.')] });
      world = new SubscribedWorld(api, issuer, old);
      await world.up();
    });
    afterAll(async () => {
      await world?.stop();
      await world?.api.close();
      await issuer?.close();
    });

    const sayHi = async () => {
      const options = ['--model', 'gpt-5.5', '--approvals', approvals];
      const id = await world.launchOn('codex', 'say hi', ...options);
      const { view } = await world.untilTurns(id, 1);
      expect(view.turns[0]).toMatchObject({ outcome: 'ok', usage: 'recorded' });
      expect(view.checkout?.grade?.grade).toBe('sealed');
      expect(view.engine?.payer).toBe('subscription');
    };

    it('is renewed in a seal, and the person has the new one in their own file', async () => {
      const before = readHome(world.home);
      await sayHi();
      expect(fromSeal).toEqual([true]);
      expect(world.api.seen.at(-1)?.apiKey).toBe(renewed.access_token);
      const { access_token, refresh_token } = renewed;
      expect(world.readLogin()).toEqual({ access_token, refresh_token });
      expect(statSync(world.loginFile).mode & 0o777).toBe(0o600);
      expect(findChanges(before, readHome(world.home))).toEqual(['.codex/auth.json']);
      const secrets = [old.access_token, old.refresh_token, access_token, refresh_token];
      expect(findTraces(world, '.codex/auth.json', secrets)).toEqual([]);
    });

    it('is one login from then on: another session renews nothing again', async () => {
      const before = readHome(world.home);
      await sayHi();
      expect(world.api.seen.at(-1)?.apiKey).toBe(renewed.access_token);
      expect(fromSeal).toEqual([true]);
      expect(findChanges(before, readHome(world.home))).toEqual([]);
      expect(world.readLogin().refresh_token).toBe('refresh-new');
    });
  },
);
