import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { installEngine } from '../../tools/engines/install.ts';
import { GEMINI_SETTINGS } from '../e2e/gemini-world.ts';
import { World } from '../e2e/world.ts';
import { findChanges, findNamed, findTraces, readHome } from '../support/login-traces.ts';
import { type Called, Issuer } from '../support/issuer.ts';
import { startGeminiApi, type GeminiApi } from '../support/model-api/gemini-api.ts';
import { calls, says } from '../support/model-api/script.ts';
import { sealProblem } from '../support/sealed.ts';

const OLD = { access: 'ya29.canary-old', refresh: '1//canary-refresh' };
const NEW = 'ya29.canary-new';
const SCOPE = 'https://www.googleapis.com/auth/cloud-platform';

/** Hosts whose names gemini 0.61.0 has built in. */
const HOSTS = [
  'oauth2.googleapis.com',
  'cloudcode-pa.googleapis.com',
  'www.googleapis.com',
  'play.googleapis.com',
];

const stored = z.object({
  access_token: z.string(),
  refresh_token: z.string(),
  expiry_date: z.number(),
});

/** It tries to write to the person's home, where a seal has another one. */
const WRITES = 'touch ~/evil ~/.gemini/evil && ls ~/evil; echo "{}" >> ~/.gemini/settings.json';

/** A person's machine with the real gemini, logged in with Google, whose token has expired. */
class SubscribedWorld extends World {
  readonly own = join(this.home, '.gemini');
  readonly loginFile = join(this.own, 'oauth_creds.json');
  readonly authority = join(this.home, 'authority');
  issuer!: Issuer;
  readonly api: GeminiApi;

  constructor(api: GeminiApi, env: NodeJS.ProcessEnv) {
    super((home) =>
      Object.assign(env, {
        HOME: home,
        PILOTHOUSE_GEMINI: installEngine('gemini'),
        NODE_EXTRA_CA_CERTS: join(home, 'authority', 'ca.pem'),
      }),
    );
    this.api = api;
    mkdirSync(this.own);
    const security = { auth: { selectedType: 'oauth-personal' } };
    writeFileSync(
      join(this.own, 'settings.json'),
      JSON.stringify({ ...GEMINI_SETTINGS, security }),
    );
    const login = {
      access_token: OLD.access,
      refresh_token: OLD.refresh,
      scope: SCOPE,
      token_type: 'Bearer',
      expiry_date: Date.now() - 3_600_000,
    };
    writeFileSync(this.loginFile, JSON.stringify(login), { mode: 0o600 });
    const shown = `[[repositories]]\ndirectory = "${this.repository}"\nshow = ["${this.authority}"]`;
    this.writeLimits(`bypass = true\n\n${shown}`);
  }

  static async start(): Promise<SubscribedWorld> {
    const env: NodeJS.ProcessEnv = {};
    const script = {
      'say hi': [says('Hi.')],
      'write out': [calls('run_shell_command', { command: WRITES }), says('Written.')],
    };
    const world = new SubscribedWorld(await startGeminiApi(script), env);
    world.issuer = await Issuer.start(world.authority, HOSTS, world.api.url, answerAs);
    env['HTTPS_PROXY'] = world.issuer.proxyUrl;
    await world.up();
    return world;
  }

  get renewals() {
    return this.issuer.called.filter(({ path }) => path === '/token');
  }

  readLogin() {
    return stored.parse(JSON.parse(readFileSync(this.loginFile, 'utf8')));
  }
}

/** Google's part; what asks the model is the API's. */
function answerAs({ host, path, body }: Called): object | null {
  if (path.startsWith('/v1internal:loadCodeAssist'))
    return {
      currentTier: { id: 'standard-tier', name: 'Standard' },
      cloudaicompanionProject: 'a-project',
    };
  if (/^\/v1internal:(streamG|g)enerateContent/.test(path)) return null;
  if (host === 'oauth2.googleapis.com' && path === '/token')
    return new URLSearchParams(body).get('refresh_token') === OLD.refresh
      ? { access_token: NEW, expires_in: 3_599, token_type: 'Bearer', scope: SCOPE }
      : { error: 'invalid_grant' };
  if (path.startsWith('/tokeninfo')) return { aud: 'gemini', scope: SCOPE, expires_in: 3_599 };
  if (path.startsWith('/oauth2/v2/userinfo')) return { email: 'ada@example.com' };
  return {};
}

/** How much it may do unasked decides its form, and whether it tells what it used. */
const FORMS = [
  { form: 'a process for each turn', approvals: 'bypass', usage: 'recorded' },
  { form: 'ACP', approvals: 'ask', usage: 'unobservable' },
] as const;

describe.skipIf(sealProblem !== null).each(FORMS)(
  'a login with Google whose token expired, $form',
  ({ approvals, usage }) => {
    let world: SubscribedWorld;
    beforeAll(async () => void (world = await SubscribedWorld.start()), 180_000);
    afterAll(async () => {
      world?.issuer.close();
      await world?.stop();
      await world?.api.close();
    });

    const work = async (objective: string) => {
      const id = await world.launchOn('gemini', objective, '--approvals', approvals);
      await world.approveUntilEnd(id);
      const { view } = await world.untilTurns(id, 1);
      expect(view.turns[0]).toMatchObject({ outcome: 'ok', usage });
      expect(view.checkout?.grade?.grade).toBe('sealed');
      expect(view.engine?.payer).toBe('subscription');
      const asked = world.issuer.called.findLast(({ path }) => path.includes('enerateContent'));
      expect([asked?.host, asked?.login]).toEqual(['cloudcode-pa.googleapis.com', `Bearer ${NEW}`]);
    };

    it('is renewed in a seal, and the person has the new one in their own file', async () => {
      const before = readHome(world.home);
      await work('say hi');
      expect(world.renewals.map(({ sealed }) => sealed)).toEqual([true]);
      const login = world.readLogin();
      expect(login).toMatchObject({ access_token: NEW, refresh_token: OLD.refresh });
      expect(login.expiry_date).toBeGreaterThan(Date.now());
      expect(statSync(world.loginFile).mode & 0o777).toBe(0o600);
      expect(findChanges(before, readHome(world.home))).toEqual(['.gemini/oauth_creds.json']);
      const secrets = [OLD.access, OLD.refresh, NEW];
      expect(findTraces(world, '.gemini/oauth_creds.json', secrets)).toEqual([]);
    });

    it('is one login from then on: another session renews nothing, and writes nothing at home', async () => {
      const before = readHome(world.home);
      await work('write out');
      expect(findNamed(world, 'evil').length).toBeGreaterThan(0);
      expect(world.renewals).toHaveLength(1);
      expect(findChanges(before, readHome(world.home))).toEqual([]);
    });
  },
);
