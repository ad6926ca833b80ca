import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { installEngine } from '../../tools/engines/install.ts';
import { OPENCODE_QUIET } from '../e2e/opencode-world.ts';
import { World } from '../e2e/world.ts';
import { type Called, Issuer } from '../support/issuer.ts';
import { findChanges, findNamed, findTraces, readHome } from '../support/login-traces.ts';
import { startResponsesApi, type ResponsesApi } from '../support/model-api/responses.ts';
import { calls, says } from '../support/model-api/script.ts';
import { sealProblem } from '../support/sealed.ts';

const OLD = { access: 'oat-canary-old', refresh: 'ort-canary-old' };
const NEW = { access: 'oat-canary-new', refresh: 'ort-canary-new' };
const LOGIN = '.local/share/opencode/auth.json';

/** Hosts of a login with ChatGPT whose names opencode 1.18.33 has built in. */
const HOSTS = ['auth.openai.com', 'chatgpt.com'];

const stored = z.object({
  openai: z.object({ access: z.string(), refresh: z.string(), expires: z.number() }),
  groq: z.object({ key: z.string() }),
});

/** It tries to write to the person's home, where a seal has another one. */
const WRITES = 'touch ~/evil ~/.config/opencode/evil; echo "{}" > ~/.config/opencode/opencode.json';

/** A person's machine with the real opencode, logged in with ChatGPT, whose token has expired. */
class SubscribedWorld extends World {
  readonly loginFile = join(this.home, LOGIN);
  readonly authority = join(this.home, 'authority');
  issuer!: Issuer;
  readonly api: ResponsesApi;

  constructor(api: ResponsesApi, env: NodeJS.ProcessEnv) {
    // Its own part that knows ChatGPT's login is one of the plugins that it has by default.
    const { OPENCODE_DISABLE_DEFAULT_PLUGINS: _, ...quiet } = OPENCODE_QUIET;
    super((home) =>
      Object.assign(env, quiet, {
        HOME: home,
        PILOTHOUSE_OPENCODE: installEngine('opencode'),
        NODE_EXTRA_CA_CERTS: join(home, 'authority', 'ca.pem'),
      }),
    );
    this.api = api;
    const config = join(this.home, '.config', 'opencode', 'opencode.json');
    mkdirSync(dirname(config), { recursive: true });
    writeFileSync(
      config,
      JSON.stringify({
        $schema: 'https://opencode.ai/config.json',
        autoupdate: false,
        share: 'disabled',
        model: 'openai/gpt-5.5',
        small_model: 'openai/gpt-5.5',
        enabled_providers: ['openai'],
      }),
    );
    mkdirSync(dirname(this.loginFile), { recursive: true });
    const openai = { type: 'oauth', ...OLD, expires: Date.now() - 3_600_000, accountId: 'acc' };
    // Another login beside it, which a renewal writes again and must not lose.
    const groq = { type: 'api', key: 'gsk-canary-other' };
    writeFileSync(this.loginFile, JSON.stringify({ openai, groq }), { mode: 0o600 });
    const shown = `[[repositories]]\ndirectory = "${this.repository}"\nshow = ["${this.authority}"]`;
    this.writeLimits(`bypass = true\n\n${shown}`);
  }

  /** As the real one: a token that was renewed is worth nothing from then on. */
  static async start(): Promise<SubscribedWorld> {
    const env: NodeJS.ProcessEnv = {};
    const script = {
      'say hi': [says('Hi.')],
      'write out': [calls('bash', { command: WRITES, description: 'write' }), says('Written.')],
    };
    const world = new SubscribedWorld(await startResponsesApi(script), env);
    let renewed = false;
    const answer = ({ host, path, body }: Called): object | null => {
      if (path === '/backend-api/codex/responses') return null;
      if (host !== 'auth.openai.com' || path !== '/oauth/token') return {};
      if (renewed || new URLSearchParams(body).get('refresh_token') !== OLD.refresh)
        return { error: 'invalid_grant' };
      renewed = true;
      return { access_token: NEW.access, refresh_token: NEW.refresh, expires_in: 28_800 };
    };
    world.issuer = await Issuer.start(world.authority, HOSTS, world.api.url, answer);
    env['HTTPS_PROXY'] = world.issuer.proxyUrl;
    await world.up();
    return world;
  }

  get renewals() {
    return this.issuer.called.filter(({ path }) => path === '/oauth/token');
  }

  readLogin() {
    return stored.parse(JSON.parse(readFileSync(this.loginFile, 'utf8')));
  }
}

describe.skipIf(sealProblem !== null)(
  'a login with ChatGPT of opencode whose token expired',
  () => {
    let world: SubscribedWorld;
    beforeAll(async () => void (world = await SubscribedWorld.start()));
    afterAll(async () => {
      world?.issuer.close();
      await world?.stop();
      await world?.api.close();
    });

    const work = async (objective: string, ...options: string[]) => {
      const id = await world.launchOn('opencode', objective, '--approvals', 'ask', ...options);
      await world.approveUntilEnd(id);
      const { view } = await world.untilTurns(id, 1);
      expect(view.turns[0]).toMatchObject({ outcome: 'ok' });
      expect(view.checkout?.grade?.grade).toBe('sealed');
      const asked = world.issuer.called.findLast(({ path }) => path.endsWith('/responses'));
      expect([asked?.host, asked?.login]).toEqual(['chatgpt.com', `Bearer ${NEW.access}`]);
      return view;
    };

    it('is renewed in a seal, and the person has the new one in their own file', async () => {
      const before = readHome(world.home);
      await work('say hi');
      expect(world.renewals).toHaveLength(1);
      const { openai, groq } = world.readLogin();
      expect(openai).toMatchObject(NEW);
      expect(openai.expires).toBeGreaterThan(Date.now());
      expect(groq.key).toBe('gsk-canary-other');
      expect(statSync(world.loginFile).mode & 0o777).toBe(0o600);
      expect(findChanges(before, readHome(world.home))).toEqual([LOGIN]);
      const secrets = [OLD, NEW].flatMap(({ access, refresh }) => [access, refresh]);
      expect(findTraces(world, LOGIN, secrets)).toEqual([]);
    });

    it('is one login from then on: another session renews nothing, and writes nothing at home', async () => {
      const before = readHome(world.home);
      await work('write out');
      expect(findNamed(world, 'evil').length).toBeGreaterThan(0);
      expect(world.renewals).toHaveLength(1);
      expect(findChanges(before, readHome(world.home))).toEqual([]);
    });

    it('reaches its provider from a session that is kept to its model, by the proxy of the machine', async () => {
      const before = world.issuer.called.length;
      const view = await work('say hi', '--network', 'model-only');
      expect(view.checkout?.grade?.network).toBe('model-only');
      const hosts = world.issuer.called.slice(before).map(({ host }) => host);
      expect(hosts).toContain('chatgpt.com');
    });
  },
);
