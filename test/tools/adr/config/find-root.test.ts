import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { findWorkspace } from '../../../../tools/adr/config/find-root.ts';
import { makeRepository, type Repository } from '../../../support/decision-repository.ts';

let repository: Repository;
afterEach(() => repository.dispose());

const RECORD = '# 0001. One\n';
const found = (files: Record<string, string>, from: string) => {
  repository = makeRepository(files);
  const { root, directory } = findWorkspace(join(repository.root, from));
  return { root: root.slice(repository.root.length), directory };
};

it('finds the nearest records upwards', () => {
  const files = { 'docs/adr/0001-one.md': RECORD, 'packages/a/adr/0001-one.md': RECORD };
  expect(found({ ...files, 'packages/a/src/x.ts': '' }, 'packages/a/src')).toEqual({
    root: '/packages/a',
    directory: 'adr',
  });
});

it('takes a folder that is only called like one of records for none', () => {
  const files = { 'docs/adr/0001-one.md': RECORD, 'tools/adr/README.md': '# The tool\n' };
  expect(found(files, 'tools')).toEqual({ root: '', directory: 'docs/adr' });
});

it('begins with a folder of records that is still empty of them', () => {
  expect(found({ 'docs/decisions/README.md': '' }, '.')).toEqual({
    root: '',
    directory: 'docs/decisions',
  });
});
