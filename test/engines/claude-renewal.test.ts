import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { installEngine } from '../../tools/engines/install.ts';
import { World } from '../e2e/world.ts';
import { findChanges, findTraces, readHome } from '../support/login-traces.ts';
import { Issuer, Refusal } from '../support/issuer.ts';
import { claudeEnv } from '../support/model-api/raw-claude.ts';
import { says } from '../support/model-api/script.ts';
import { startModelApi, type ModelApi } from '../support/model-api/server.ts';
import { sealProblem } from '../support/sealed.ts';

const OLD = { access: 'sk-ant-oat01-old', refresh: 'sk-ant-ort01-old' };
const NEW = { access: 'sk-ant-oat01-new', refresh: 'sk-ant-ort01-new' };
const SCOPES = ['user:inference', 'user:profile', 'user:sessions:claude_code'];

const stored = z.object({
  claudeAiOauth: z.object({ accessToken: z.string(), refreshToken: z.string() }),
});

/**
 * A person's machine with the real claude, logged in by a subscription whose token has expired.
 * `claude auth status`, by which the runner looks who is logged in, would renew it as well: whoever
 * asks from outside of a seal finds the issuer busy.
 */
class SubscribedWorld extends World {
  readonly loginFile = join(this.home, '.claude', '.credentials.json');
  readonly authority = join(this.home, 'authority');
  issuer!: Issuer;
  readonly api: ModelApi;

  constructor(api: ModelApi, env: NodeJS.ProcessEnv) {
    super((home) => {
      Object.assign(env, claudeEnv(home, api.url, null), {
        PILOTHOUSE_CLAUDE: installEngine('claude'),
        NODE_EXTRA_CA_CERTS: join(home, 'authority', 'ca.pem'),
        CLAUDE_CODE_MAX_RETRIES: '1',
        CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      });
      // Where it asks for its model is built in, as where it asks for a token.
      delete env['ANTHROPIC_BASE_URL'];
      return env;
    });
    this.api = api;
    mkdirSync(join(this.home, '.claude'));
    const login = {
      accessToken: OLD.access,
      refreshToken: OLD.refresh,
      expiresAt: Date.now() - 3_600_000,
      scopes: SCOPES,
      subscriptionType: 'max',
    };
    writeFileSync(this.loginFile, JSON.stringify({ claudeAiOauth: login }), { mode: 0o600 });
    const shown = `[[repositories]]\ndirectory = "${this.repository}"\nshow = ["${this.authority}"]`;
    this.writeLimits(`bypass = true\n\n${shown}`);
  }

  /** As the real one: a token that was renewed is worth nothing from then on. */
  static async start(): Promise<SubscribedWorld> {
    const env: NodeJS.ProcessEnv = {};
    const world = new SubscribedWorld(await startModelApi({ 'say hi': [says('Hi.')] }), env);
    let renewed = false;
    const names = ['platform.claude.com', 'api.anthropic.com', 'console.anthropic.com'];
    world.issuer = await Issuer.start(
      world.authority,
      names,
      world.api.url,
      ({ path, body, sealed }) => {
        if (path.startsWith('/v1/messages')) return null;
        if (path !== '/v1/oauth/token') return {};
        if (!sealed) return new Refusal(503, { error: 'busy' });
        if (renewed || !body.includes(OLD.refresh)) return { error: 'invalid_grant' };
        renewed = true;
        return {
          token_type: 'Bearer',
          access_token: NEW.access,
          refresh_token: NEW.refresh,
          expires_in: 28_800,
          scope: SCOPES.join(' '),
        };
      },
    );
    env['HTTPS_PROXY'] = world.issuer.proxyUrl;
    await world.up();
    return world;
  }

  get renewals() {
    return this.issuer.called.filter(({ path, sealed }) => sealed && path === '/v1/oauth/token');
  }

  readLogin() {
    return stored.parse(JSON.parse(readFileSync(this.loginFile, 'utf8'))).claudeAiOauth;
  }
}

describe.skipIf(sealProblem !== null)('a subscription of claude whose token expired', () => {
  let world: SubscribedWorld;
  beforeAll(async () => void (world = await SubscribedWorld.start()), 180_000);
  afterAll(async () => {
    world?.issuer.close();
    await world?.stop();
    await world?.api.close();
  });

  const sayHi = async (...options: string[]) => {
    const id = await world.launchOn('claude', 'say hi', '--approvals', 'accept_edits', ...options);
    const { view } = await world.untilTurns(id, 1);
    expect(view.turns[0]).toMatchObject({ outcome: 'ok', usage: 'recorded' });
    expect(view.checkout?.grade?.grade).toBe('sealed');
    const asked = world.issuer.called.findLast(({ path }) => path.startsWith('/v1/messages'));
    expect(asked?.login).toBe(`Bearer ${NEW.access}`);
    const used = await world.events(id, 'usage/recorded');
    const payers = used.flatMap(({ entries }) => entries.map(({ payer }) => payer));
    expect(new Set(payers)).toEqual(new Set(['subscription']));
    return view;
  };

  it('is renewed in a seal, and the person has the new one in their own file', async () => {
    const before = readHome(world.home);
    await sayHi();
    expect(world.renewals).toHaveLength(1);
    expect(world.readLogin()).toMatchObject({
      accessToken: NEW.access,
      refreshToken: NEW.refresh,
    });
    expect(statSync(world.loginFile).mode & 0o777).toBe(0o600);
    expect(findChanges(before, readHome(world.home))).toEqual(['.claude/.credentials.json']);
    const secrets = [OLD, NEW].flatMap(({ access, refresh }) => [access, refresh]);
    expect(findTraces(world, '.claude/.credentials.json', secrets)).toEqual([]);
  });

  it('is one login from then on: another session renews nothing again', async () => {
    await sayHi();
    expect(world.renewals).toHaveLength(1);
    expect(world.readLogin().refreshToken).toBe(NEW.refresh);
  });

  it('reaches its provider from a session that is kept to its model, by the proxy of the machine', async () => {
    const before = world.issuer.called.length;
    const view = await sayHi('--network', 'model-only');
    expect(view.checkout?.grade?.network).toBe('model-only');
    expect(world.issuer.called.slice(before).map(({ path }) => path)).toContainEqual(
      expect.stringMatching(/^\/v1\/messages/),
    );
  });
});
