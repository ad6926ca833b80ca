import { createRoute, z } from '@hono/zod-openapi';
import { PilothouseError } from '../../../protocol/errors.ts';
import { sessionId } from '../../../protocol/ids.ts';
import { LAND_TIMEOUT_MS, landed, landRequest } from '../../../protocol/land.ts';
import { LOOK_TIMEOUT_MS } from '../../../protocol/machine.ts';
import {
  changesAnswer,
  checkoutReview,
  patchQuery,
  reviewedPatch,
} from '../../../protocol/review.ts';
import { askRunner } from '../../runners/ask.ts';
import type { App } from '../context.ts';
import { calledBy, ERROR_ANSWER, json, jsonBody, PERSON_AND_CLI } from '../describe.ts';
import { machineOf } from './machine-of.ts';

const params = z.object({ sessionId });

const changes = createRoute({
  ...calledBy('sessions.readChanges', ...PERSON_AND_CLI),
  method: 'get',
  path: '/v1/sessions/{sessionId}/changes',
  summary: 'Every file that a session changed in its checkout, committed or not',
  request: { params },
  responses: {
    200: json(changesAnswer, 'What differs from where it began, or that it is at work there'),
    ...ERROR_ANSWER,
  },
});

const patch = createRoute({
  ...calledBy('sessions.readPatch', ...PERSON_AND_CLI),
  method: 'get',
  path: '/v1/sessions/{sessionId}/changes/patch',
  summary: 'How one of these files changed, as a unified diff without secrets',
  request: { params, query: patchQuery },
  responses: { 200: json(reviewedPatch, 'The patch'), ...ERROR_ANSWER },
});

const land = createRoute({
  ...calledBy('sessions.land', ...PERSON_AND_CLI),
  method: 'post',
  path: '/v1/sessions/{sessionId}/land',
  summary: 'Commit what was reviewed, push it, or open a pull request with it',
  request: { params, body: jsonBody(landRequest) },
  responses: { 200: json(landed, 'How far it went'), ...ERROR_ANSWER },
});

/**
 * From the machine, which has the files. It refuses `checkout_not_found` for a session in place and `review_stale` once the files are others.
 */
export function registerReviewChanges(app: App): void {
  app.openapi(changes, async (context) => {
    const to = await machineOf(context.env, context.get('principal'), context.req.valid('param'));
    const question = { method: 'checkout/review', params: {}, timeoutMs: LOOK_TIMEOUT_MS } as const;
    try {
      return context.json(await askRunner(context.env, to, question, checkoutReview), 200);
    } catch (error) {
      // A page asks this by itself, and a session may begin to work at any moment.
      if (!(error instanceof PilothouseError) || error.code !== 'checkout_working') throw error;
      return context.json({ working: true as const }, 200);
    }
  });
  app.openapi(patch, async (context) => {
    const to = await machineOf(context.env, context.get('principal'), context.req.valid('param'));
    const question = {
      method: 'checkout/patch',
      params: context.req.valid('query'),
      timeoutMs: LOOK_TIMEOUT_MS,
    } as const;
    return context.json(await askRunner(context.env, to, question, reviewedPatch), 200);
  });
}

/**
 * By the machine, with the session's power and by its merge policy. It refuses `review_stale`,
 * `nothing_to_land`, and `land_refused` with how far it went.
 */
export function registerLand(app: App): void {
  app.openapi(land, async (context) => {
    const to = await machineOf(context.env, context.get('principal'), context.req.valid('param'));
    const question = {
      method: 'checkout/land',
      params: context.req.valid('json'),
      timeoutMs: LAND_TIMEOUT_MS,
    } as const;
    return context.json(await askRunner(context.env, to, question, landed), 200);
  });
}
