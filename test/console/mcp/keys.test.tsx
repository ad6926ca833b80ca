import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import { MCP_TOKEN } from '../../../console/mock/mcp.ts';
import { mcpKeyId } from '../../../protocol/ids.ts';
import type { McpKey } from '../../../protocol/mcp.ts';
import { asked, openHouse } from '../support/house.tsx';
import { typeName } from '../support/type-name.ts';

const aKey = (over: Partial<McpKey> = {}): McpKey => ({
  keyId: mcpKeyId.parse('mky_7'),
  name: 'supervisor',
  instanceId: null,
  scopes: ['read', 'write'],
  madeBy: 'cli',
  createdAt: Date.now() - 3_600_000,
  lastUsedAt: null,
  revokedAt: null,
  ...over,
});
const section = async () =>
  within(
    (await screen.findByRole('heading', { name: 'Keys of MCP clients' })).closest(
      'section',
    ) as HTMLElement,
  );
const press = async (name: string) =>
  userEvent.click(await (await section()).findByRole('button', { name }));
const dialog = async () => within(await screen.findByRole('dialog'));

describe('the keys of MCP clients', { timeout: 20_000 }, () => {
  it('are listed with what each opens, and when it was used and revoked', async () => {
    await openHouse('/settings', (world) => {
      world.mcpKeys.keys = [
        aKey({ lastUsedAt: Date.now() - 60_000 }),
        aKey({ keyId: mcpKeyId.parse('mky_6'), name: 'old', revokedAt: Date.now() - 60_000 }),
      ];
    });
    const list = within(await (await section()).findByRole('list', { name: 'MCP keys' }));
    const [used, revoked] = list.getAllByRole('listitem');
    expect(used).toHaveTextContent(/supervisor.*opens read, write.*on a command line.*last used/);
    expect(revoked).toHaveTextContent(/old.*never used.*revoked/);
    expect(list.getAllByRole('button', { name: 'Revoke' })).toHaveLength(1);
  });

  it('are made with the scopes that were chosen, and shown once', async () => {
    const { world } = await openHouse('/settings');
    expect(await (await section()).findByText(/No key was made/)).toBeVisible();
    await press('Make a key');
    const form = await dialog();
    await userEvent.type(form.getByLabelText('Who uses it'), 'supervisor');
    await userEvent.click(form.getByRole('checkbox', { name: /^read/ }));
    await userEvent.click(form.getByRole('button', { name: 'Make a key' }));
    expect(asked(world)).toEqual([]);
    await userEvent.click(form.getByRole('checkbox', { name: /^destructive/ }));
    expect(form.getByText(/--scope destructive --name supervisor/)).toBeVisible();
    await userEvent.click(form.getByRole('button', { name: 'Make a key' }));
    expect(await form.findByText(MCP_TOKEN)).toBeVisible();
    expect(asked(world).map(({ path, body }) => [path, body])).toEqual([
      ['/v1/mcp-keys', { name: 'supervisor', scopes: ['destructive'] }],
    ]);
    await userEvent.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByText(MCP_TOKEN)).toBeNull());
    expect(await (await section()).findByText(/opens destructive/)).toBeVisible();
    expect(document.body.innerHTML).not.toContain(MCP_TOKEN);
  });

  it('are revoked once that is confirmed', async () => {
    const { world } = await openHouse('/settings', (made) => {
      made.mcpKeys.keys = [aKey()];
    });
    await press('Revoke');
    expect(asked(world)).toEqual([]);
    await typeName();
    await userEvent.click((await dialog()).getByRole('button', { name: 'Revoke the key' }));
    expect(await (await section()).findByText(/revoked/)).toBeVisible();
    expect(asked(world).map(({ path }) => path)).toEqual(['/v1/mcp-keys/mky_7/revoke']);
  });

  it('say so where they cannot be read', async () => {
    await openHouse('/settings', (world) => {
      world.failures.set('GET /v1/mcp-keys', 'internal');
    });
    expect(await (await section()).findByRole('alert')).toBeVisible();
  });
});
