import type {
  InitializeResponse,
  NewSessionResponse,
  PromptResponse,
  RequestPermissionRequest,
  SessionNotification,
} from '@agentclientprotocol/sdk';
import { expect, expectTypeOf, test } from 'vitest';
import type { z } from 'zod';
import {
  type initialized,
  permissionAsked,
  type promptAnswered,
  type sessionOpened,
  toolCall,
  type updateTold,
} from '../../../../runner/engines/acp/messages.ts';

test('every message that the official package allows can be read: the compiler holds it', () => {
  expectTypeOf<InitializeResponse>().toExtend<z.input<typeof initialized>>();
  expectTypeOf<NewSessionResponse>().toExtend<z.input<typeof sessionOpened>>();
  expectTypeOf<PromptResponse>().toExtend<z.input<typeof promptAnswered>>();
  expectTypeOf<RequestPermissionRequest>().toExtend<z.input<typeof permissionAsked>>();
  expectTypeOf<SessionNotification>().toExtend<z.input<typeof updateTold>>();
});

test('a call with nothing but its id can be read, and so can kinds that are not known yet', () => {
  expect(toolCall.safeParse({ toolCallId: 'a' }).success).toBe(true);
  const call = {
    toolCallId: 'a',
    kind: 'dream',
    status: 'paused',
    content: [{ type: 'hologram' }],
  };
  expect(toolCall.safeParse(call).success).toBe(true);
});

test('a permission without an option to choose is refused', () => {
  expect(permissionAsked.safeParse({ toolCall: { toolCallId: 'a' }, options: [] }).success).toBe(
    false,
  );
});
